"""Select the columns to protect: those that the user names, or every numeric one; ask about those that are doubtful."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NoReturn

import numpy as np

from microagg.doubt import alike, doubts, is_row_number
from microagg.doubt.appearance import appearance
from microagg.doubt.column_profile import MIN_RECORDS, ColumnProfile
from microagg.doubt.name_rules import identifier_by_name, weight_by_name
from microagg.model.column import NUMERIC
from microagg.model.errors import Doubt, DoubtError, InputError
from microagg.model.names import column_names, listing
from microagg.model.plan import Plan
from microagg.model.table import Table

_MAX_DOUBTS_SHOWN = 6
_MAX_NAMES_SHOWN = 12  # in an example
NEARLY_ALL = 0.9
"""Share of the records: a column with unique values in as many singles them out alone."""

_RECORDS_LOOKED_AT = 20_000  # at the beginning of a column, for what it looks like

AVERAGED = (*NUMERIC, "date", "datetime")
"""Kinds of columns that can be averaged."""

_TEXTS = ("category", "text")


def select(
    table: Table, columns: Iterable[Hashable] | None, exclude: Iterable[Hashable] | None = None, *, asks: bool = True
) -> tuple[str, ...]:
    """Check the user's choice of columns, or choose every column of numbers if none is in doubt.

    Parameters
    ----------
    table
        The user's table.
    columns
        The columns to protect; None for every numeric one.
    exclude
        Columns that are not to be protected, and so are not doubtful.
    asks
        Whether numbers that may not be meant are in doubt, and not only what resembles numbers.

    Returns
    -------
    tuple of str
        The names of the columns, as the user orders them or as they stand in the table.

    Raises
    ------
    DoubtError
        If no columns are named, and what one is, or whether the first line names them, would have to be guessed.
    InputError
        If a name is unknown, named twice or both chosen and excluded, or if there is nothing to protect.
    """
    excluded = _known_names(table, "exclude", exclude) or ()
    names = _known_names(table, "columns", columns)
    if names is None:
        return _numeric_columns(table, excluded, asks)
    for name in names:
        if name in excluded:
            raise InputError(f"column {name!r} is both chosen and excluded: name it in columns or in exclude")
    return names


def refuse_unnamed(table: Table, plan: Plan) -> None:
    """Refuse a plan that releases a column unchanged which alone singles out nearly every record, and does not name it.

    Parameters
    ----------
    table
        The table, all records of it.
    plan
        The plan, its columns settled.

    Raises
    ------
    DoubtError
        If there is such a column, or such an index of a dataframe.
    """
    if all(one.k == 1 for one in plan.sets):
        return
    protected = [name for one in plan.sets for name in one.columns or ()]
    named = {*protected, *plan.roles.columns, *plan.drop, *plan.exclude}
    index = None if plan.shuffle else table.index
    tables = [table] if index is None else [table, index]
    found = []
    for one in tables:
        found += _singling_doubts(one, [name for name in one.names if name not in named])
    if not found:
        return
    names = [one.column for one in found]
    identifiers = [name for name in names if name not in table.names or _is_identifier(table, name)]
    unchanged = [name for name in table.names if name not in {*named, *names}]
    raise singling_error(plan, found, identifiers, unchanged)


def singling_error(
    plan: Plan, found: Sequence[Doubt], identifiers: Sequence[str], unchanged: Sequence[str]
) -> DoubtError:
    """Return the question about columns that alone single out nearly every record, and what to answer.

    Parameters
    ----------
    plan
        The plan, its columns settled.
    found
        The columns.
    identifiers
        Those of them that are rather left out than protected.
    unchanged
        The other columns that would be released unchanged.
    """
    protected = [name for one in plan.sets for name in one.columns or ()]
    weights = [doubt.column for doubt in found if weight_by_name(ColumnProfile.named(doubt.column)) is not None]
    others = (*identifiers, *weights)
    plain = [doubt.column for doubt in found if doubt.column not in others] if len(plan.sets) == 1 else []
    examples = [f"name the sampling weight, as in weight={weights[0]!r}"] if weights else []
    if identifiers:
        examples.append(f"leave out what identifies, as in identifiers={_example(identifiers)}")
    if plain:
        examples.append(f"protect these values, too, as in columns={_example([*protected, *plain])}")
    advice = f"{'; or '.join([*examples, _OTHER_ANSWERS])}{_left_unchanged(unchanged)}"
    finding = f"nothing is released on a guess: {_shown(found)}"
    return DoubtError(finding, found, plain, advice, identifiers, unchanged)


_OTHER_ANSWERS = (
    "name such a column in confidential if others cannot know it, in drop to leave it out, or in exclude to release "
    "it unchanged"
)


def _singling_doubts(table: Table, names: Iterable[str]) -> list[Doubt]:
    """Return which columns alone single out nearly every record, and how many."""
    found = []
    for name in names:
        n_unique = int((np.bincount(table.codes(name)) == 1).sum())
        found += singling_doubt(name, n_unique, table.n_records)
    return found


def singling_doubt(name: str, n_unique: int, n_records: int) -> list[Doubt]:
    """Return the doubt about a column with so many unique records; nothing where these are not nearly all."""
    if n_records < MIN_RECORDS or n_unique < NEARLY_ALL * n_records:
        return []
    if n_unique == n_records:
        return [Doubt(name, "has a different value in every record, and so singles it out")]
    return [Doubt(name, f"has unique values in {n_unique} of {n_records} records, and so singles them out")]


def identifier_look(table: Table, name: str) -> str | None:
    """Return why a column looks like an identifier, or holds free text; None where it does not."""
    if table.n_records > _RECORDS_LOOKED_AT:
        table = table.in_order(np.arange(_RECORDS_LOOKED_AT))
    looks = appearance(table, name).looks
    return next((look.reason for look in looks if look.aspect in ("identifier", "free text")), None)


def is_named_identifier(name: str) -> bool:
    """Check whether a column of different whole numbers would look like an identifier, by its name."""
    return identifier_by_name(ColumnProfile.of_values(name, np.arange(MIN_RECORDS))) is not None


def _is_identifier(table: Table, name: str) -> bool:
    """Check whether a column that singles out records is rather left out than protected."""
    return table.kind(name) not in AVERAGED or identifier_look(table, name) is not None


def _left_unchanged(names: Sequence[str]) -> str:
    return f"; {listing(names)} would be released unchanged" if names else ""


def _shown(found: Sequence[Doubt]) -> str:
    reasons = alike(found)
    shown = "; ".join(f"{columns} {reason}" for columns, reason in reasons[:_MAX_DOUBTS_SHOWN])
    more = f"; and {len(reasons) - _MAX_DOUBTS_SHOWN} more" if len(reasons) > _MAX_DOUBTS_SHOWN else ""
    return f"{shown}{more}"


def refuse_doubtful_header(table: Table, numeric: Sequence[str] = ()) -> None:
    """Refuse a table whose first line may be a record and not the names of its columns.

    Parameters
    ----------
    table
        The table.
    numeric
        Its columns of numbers, for the error.
    """
    doubt = table.source.header_doubt()
    if doubt is not None:
        advice = "pass header=True if it names the columns, or header=False if it is a record"
        raise DoubtError(doubt, plain=numeric, advice=advice)


def _known_names(table: Table, option: str, given: Iterable[Hashable] | None) -> tuple[str, ...] | None:
    names = column_names(option, given)
    known = frozenset(table.names)
    for name in names or ():
        if name not in known:
            table.check_name(name)
    return names


def _numeric_columns(table: Table, excluded: Sequence[str], asks: bool) -> tuple[str, ...]:
    """Return every column of numbers that is not excluded; refuse to guess."""
    if not table.names:
        raise InputError("the table has no columns: there is nothing to protect")
    if not table.n_records:
        raise InputError(f"the table has no records, only the columns {listing(table.names)}")
    names = [name for name in table.names if name not in excluded and not is_row_number(table, name)]
    numeric = tuple(name for name in names if table.kind(name) in NUMERIC)
    refuse_doubtful_header(table, numeric)
    found = doubts(table, names if asks else [name for name in names if table.kind(name) == "mixed"])
    if found:
        doubtful = {doubt.column for doubt in found}
        others = [name for name in table.names if name not in {*excluded, *numeric, *doubtful}]
        _raise_doubts(table, (*found, *_singling_doubts(table, others)), numeric, excluded)
    if not numeric:
        left = f", {listing(excluded)} excluded" if excluded else ""
        raise InputError(f"there is no numeric column to protect: the table has {listing(table.names)}{left}")
    return numeric


def _raise_doubts(table: Table, found: Sequence[Doubt], numeric: Sequence[str], excluded: Sequence[str]) -> NoReturn:
    doubtful = [doubt.column for doubt in found]
    plain = [name for name in numeric if name not in doubtful]
    identifiers = [name for name in doubtful if table.kind(name) in _TEXTS or identifier_look(table, name) is not None]
    unchanged = [name for name in table.names if name not in {*plain, *identifiers, *excluded}]
    examples = [f"columns={_example(plain)}"] if plain else []
    if identifiers:
        examples.append(f"identifiers={_example(identifiers)}, which are left out")
    example = f", as in {' and '.join(examples)}{_left_unchanged(unchanged)}" if plain else ", by columns=[…]"
    advice = f"name the columns{example}"
    raise DoubtError(f"nothing is averaged on a guess: {_shown(found)}", found, plain, advice, identifiers, unchanged)


def _example(names: Sequence[str]) -> str:
    """Write a list as Python does, without the end of a long one."""
    more = ", …" if len(names) > _MAX_NAMES_SHOWN else ""
    return f"[{', '.join(map(repr, names[:_MAX_NAMES_SHOWN]))}{more}]"
