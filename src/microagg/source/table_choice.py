"""Choice of one table of a file that holds several: sheets, objects of R, tables of a database."""

from collections.abc import Sequence

from microagg.model.errors import ReadError
from microagg.model.names import listing, nearest, quantity


def chosen_table(names: Sequence[str], wanted: str | None, label: str, noun: str) -> str:
    """Return the name of the table that is wanted, or of the only one.

    Parameters
    ----------
    names
        Names of the tables.
    wanted
        The name that is given, if one is.
    label
        What messages call the file.
    noun
        What its tables are: "sheet", "data frame".

    Raises
    ------
    ReadError
        If there is none, or no such one, or if there are several and none is named.
    """
    if not names:
        raise ReadError(f"{label} has no {noun}: there is nothing to read")
    if wanted is None and len(names) > 1:
        known = f"{quantity(len(names), noun)}, {listing(names)}"
        raise ReadError(f"{label} has {known}: name one of them, as in table_name={names[0]!r} (--table-name)")
    if wanted is not None and wanted not in names:
        meant = nearest(wanted, names)
        hint = f"did you mean {meant!r}?" if meant else f"it has {listing(names)}"
        raise ReadError(f"{label} has no {noun} {wanted!r}: {hint}")
    return names[0] if wanted is None else wanted
