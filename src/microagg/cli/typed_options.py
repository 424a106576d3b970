"""Options of the command line that name columns, or have a value for each of them."""

import ast
import math
import re
import shlex
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from microagg.model.errors import InputError
from microagg.model.plan import PLAN_OPTIONS
from microagg.model.table import Table

_NAMES = ("columns", "exclude", "drop", "identifiers", "renumber", "confidential", "strata", "nominal", "domains")
_OF_VALUES = {"missing_values": ",", "ordinal": "<"}  # options that list values of a column, and how they are separated
_OPTIONS = (*PLAN_OPTIONS, "force", "measures", "memory", "plan", "resume", "row_id", "staging")
_ASSIGNMENT = re.compile(rf"(?<![\w'-])({'|'.join(_OPTIONS)})=(?=[\['\"{{\w])")
_TOKEN = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\[\]{}]|[\w.+-]+""")
_SHOWN_PLAIN = re.compile(r"[\w,=.…-]+")
_INTEGER = re.compile(r"[+-]?[0-9]+")


def typed_options(table: Table, options: dict[str, Any]) -> dict[str, Any]:
    """Return options as a plan takes them: names split at commas, values by column as mappings.

    Parameters
    ----------
    table
        The table: a comma or an equals sign may be part of the name of a column.
    options
        Options as they were typed; those that may be repeated are lists.

    Raises
    ------
    InputError
        If an option has both a value for all columns and one for a single column.
    """
    return {name: _parsed(table, name, typed) for name, typed in options.items()}


def column_names(table: Table, listed: list[str]) -> list[str]:
    """Split names at commas, unless the whole is the name of a column; strip spaces that belong to no name."""
    names = [name for text in listed for name in ([text] if text in table.names else text.split(","))]
    return [name if name in table.names else name.strip() for name in names]


def in_command_syntax(message: str, given: Sequence[str] = ()) -> str:
    """Return a message of the library in the syntax of the command line: missing='drop' is --missing drop there.

    Parameters
    ----------
    message
        The message; options in parentheses that say the same are left out.
    given
        The arguments that were typed: their options are named as they were typed.
    """
    written = ""
    while found := _ASSIGNMENT.search(message):
        end = _end_of_literal(message, found.end())
        option = _typed(found[1], message[found.end() : end])
        written += message[: found.start()] + (option or message[found.start() : end])
        message = message[end:]
        if option:
            again = rf" \({_dashed(found[1])}\b[^()]*\)|, (?:{re.escape(option)}|{_dashed(found[1])})(?=\))"
            message = re.sub(again, "", message, count=1)
    written += message
    for name in (name for name in _OPTIONS if "_" in name):
        dashed = _dashed(name)
        written = re.sub(rf"(?<![\w'-]){name} \({dashed}\)", dashed, written)
        if any(text.partition("=")[0] == dashed for text in given):
            written = re.sub(rf"(?<![\w'-]){name}(?![\w'])", dashed, written)
    return written


def _dashed(name: str) -> str:
    return "-k" if name == "k" else f"--{name.replace('_', '-')}"


def _end_of_literal(text: str, start: int) -> int:
    """Return where a literal of Python ends that begins at a place: at the bracket, quote or word that closes it."""
    depth = 0
    for found in _TOKEN.finditer(text, start):
        if found[0] in "[{":
            depth += 1
        elif found[0] in "]}":
            depth -= 1
        elif not depth and found.start() > start:
            return start
        if not depth:
            return found.end()
    return start


def _typed(name: str, literal: str) -> str | None:
    """Return an option with its value as it is typed; None where the literal is none of Python."""
    try:
        value = ast.literal_eval(re.sub(r"(?<=[\[\s])(…|lowest|highest)(?=[,\]])", r"'\1'", literal))
    except (ValueError, SyntaxError):
        return None
    if isinstance(value, bool):
        return _dashed(name) if value else _dashed(f"no_{name}")
    between = "<" if name == "ordinal" else ","
    if isinstance(value, dict):
        pairs = ((key, each if isinstance(each, list | tuple) else [each]) for key, each in value.items())
        texts = [f"{key}={between.join(map(str, each))}" for key, each in pairs]
    else:
        texts = [",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)]
    return " ".join(f"{_dashed(name)} {text if _SHOWN_PLAIN.fullmatch(text) else shlex.quote(text)}" for text in texts)


def _parsed(table: Table, name: str, typed: Any) -> Any:
    if name in _NAMES:
        return column_names(table, typed)
    if name in _BY_COLUMN:
        return _by_column(table, name, typed)
    return typed


def _by_column(table: Table, option: str, typed: list[str]) -> Any:
    """Return the one value of an option, or its values by column."""
    texts = [part for text in typed for part in _assignments(table, text)] if option == "missing_values" else typed
    pairs = [_column_and_value(table, text) for text in texts]
    named: dict[str, Any] = {}
    for column, text in pairs:
        if column is not None:
            value = _parse(table, option, column, text)
            if column in named and option != "missing_values":
                raise InputError(f"--{option.replace('_', '-')} of column {column!r} is given twice: leave one out")
            named[column] = [*named[column], *value] if column in named else value
    others = [text for column, text in pairs if column is None]
    if named and others:
        raise InputError(f"--{option.replace('_', '-')} has a value for all columns and one for {next(iter(named))!r}")
    if named:
        return named
    if option == "ordinal":
        return column_names(table, others)
    if len(others) > 1:
        raise InputError(f"--{option.replace('_', '-')} is given {len(others)} times: repeat it by column only")
    return _BY_COLUMN[option](others[0])


def _assignments(table: Table, text: str) -> list[str]:
    """Split A=1,2,B=3 at the commas before the name of a column; a known name may hold a comma."""
    known = "|".join(re.escape(name) for name in sorted(table.names, key=len, reverse=True))
    starts = [found.start(1) for found in re.finditer(rf"(?:^|,)\s*((?:{known})=|[^,=]+=)", text)]
    bounds = [0, *(start for start in starts if start), len(text) + 1]
    return [text[start : end - 1].rstrip(", ") for start, end in pairwise(bounds)]


def _parse(table: Table, option: str, column: str, text: str) -> Any:
    """Return the value of an option for a column; categories and marks of a column of text are texts."""
    if option in _OF_VALUES and column in table.names and table.kind(column) in ("text", "category"):
        return [part.strip() for part in text.split(_OF_VALUES[option])]
    return _BY_COLUMN[option](text)


def _column_and_value(table: Table, text: str) -> tuple[str | None, str]:
    """Split COLUMN=VALUE; None for the column where there is a value only."""
    if "=" not in text or text in table.names:
        return None, text
    known = [name for name in table.names if text.startswith(f"{name}=")]
    column = max(known, key=len) if known else text.partition("=")[0].strip()
    return column, text.partition("=")[2] if not known else text[len(column) + 1 :]


def _value(text: str) -> Any:
    """Return a whole number, a number, or the text itself."""
    stripped = text.strip()
    if _INTEGER.fullmatch(stripped):
        return int(stripped)
    try:
        number = float(stripped)
    except ValueError:
        return stripped
    return number if math.isfinite(number) else stripped


def _values(text: str) -> list[Any]:
    return [_value(part) for part in text.split(",")]


def _marks(text: str) -> list[Any]:
    """Return values of any column: a number that is written in another way than usual, as 007, stays a text."""
    return [
        value if str(value) == part.strip() else part.strip() for part in text.split(",") for value in [_value(part)]
    ]


def _in_order(text: str) -> list[Any]:
    return [_value(part) for part in text.split("<")]


_BY_COLUMN: dict[str, Callable[[str], Any]] = {
    "scale": _value,
    "transform": _value,
    "aggregate": _value,
    "ordinal": _in_order,
    "missing_values": _marks,
    "l_diversity": _value,
    "entropy_l_diversity": _value,
    "t_closeness": _value,
    "dominance": _values,
    "p_percent": _value,
}
