"""Parameters of a stage as its dataclass declares them and its docstring describes them."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

from microagg.control.stage_fields import parameters

_SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-+\n|\Z)", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"^(\w+)\n((?:(?: .*)?\n?)+)", re.MULTILINE)
_QUOTED = re.compile(r'"([^"]+)"')
_KINDS = ((str, "a word"), (int, "a whole number"), (float, "a number"))


class Parameter(NamedTuple):
    """Parameter of a method.

    Parameters
    ----------
    name
        Its name, as in "v-mdav(gamma=1.1)".
    values
        The values that it takes: words, or a kind of number.
    default
        The value that it has where it is not set.
    meaning
        What it does.
    """

    name: str
    values: str
    default: str
    meaning: str


def described_parameters(stage: Any) -> tuple[Parameter, ...]:
    """Describe each parameter of a stage, and of its components."""
    return tuple(_described(stage))


def _described(stage: Any) -> Iterator[Parameter]:
    for name, path in parameters(stage).items():
        owner = stage
        for field in path:
            owner = getattr(owner, field)
        meaning = _meanings(owner)[name]
        default = getattr(owner, name)
        yield Parameter(name, _values(owner, name, meaning), _written(default), meaning)


def _meanings(owner: Any) -> dict[str, str]:
    """Return what a docstring says of each parameter, on one line."""
    section = _SECTION.search(inspect.getdoc(type(owner)) or "")
    return {name: " ".join(text.split()) for name, text in _ITEM.findall(section[1])} if section else {}


def _values(owner: Any, name: str, meaning: str) -> str:
    declared = next(str(one.type) for one in fields(owner) if one.name == name)
    words = dict.fromkeys(_QUOTED.findall(meaning))
    if "str" in declared and words:
        return ", ".join(words)
    return next(kind for known, kind in _KINDS if known.__name__ in declared)


def _written(default: object) -> str:
    """Return a default as it is written in a method's name, where it can be."""
    if default is None:
        return "not set"
    return f"{default:g}" if isinstance(default, float) else str(default)
