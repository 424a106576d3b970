"""Select the columns to protect: those that the user names, or every numeric one if none is doubtful."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NoReturn

from microagg.doubt import alike, doubts, is_row_number
from microagg.model.column import NUMERIC
from microagg.model.errors import Doubt, DoubtError, InputError
from microagg.model.names import column_names, listing
from microagg.model.table import Table

_MAX_DOUBTS_SHOWN = 6
_MAX_NAMES_SHOWN = 12  # in an example


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
        _raise_doubts(found, numeric, excluded)
    if not numeric:
        left = f", {listing(excluded)} excluded" if excluded else ""
        raise InputError(f"there is no numeric column to protect: the table has {listing(table.names)}{left}")
    return numeric


def _raise_doubts(found: Sequence[Doubt], numeric: Sequence[str], excluded: Sequence[str]) -> NoReturn:
    doubtful = {doubt.column for doubt in found}
    plain = [name for name in numeric if name not in doubtful]
    reasons = alike(found)
    shown = "; ".join(f"{columns} {reason}" for columns, reason in reasons[:_MAX_DOUBTS_SHOWN])
    more = f"; and {len(reasons) - _MAX_DOUBTS_SHOWN} more" if len(reasons) > _MAX_DOUBTS_SHOWN else ""
    advice = "name the columns, by columns=[…]"
    if plain:
        left_out = [*excluded, *(doubt.column for doubt in found)]
        advice = (
            f"name the columns, as in columns={_example(plain)}, or leave some out, as in exclude={_example(left_out)}"
        )
    raise DoubtError(f"nothing is averaged on a guess: {shown}{more}", found, plain, advice)


def _example(names: Sequence[str]) -> str:
    """Write a list as Python does, without the end of a long one."""
    more = ", …" if len(names) > _MAX_NAMES_SHOWN else ""
    return f"[{', '.join(map(repr, names[:_MAX_NAMES_SHOWN]))}{more}]"
