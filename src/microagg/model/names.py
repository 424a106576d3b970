"""Names as sentences show them, and the nearest one to what was meant."""

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence

from microagg.model.errors import InputError


def listing(names: Sequence[str], most: int = 12) -> str:
    """Join names for a sentence, the first `most` of them."""
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Find the known name that was probably meant; capitals do not matter."""
    folded = {other.casefold(): other for other in reversed(list(known))}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def suggestion(name: str, known: Sequence[str]) -> str:
    """Say which name was probably meant, or which there are."""
    meant = nearest(name, known)
    return f"did you mean {meant!r}?" if meant else f"known are {listing(known, 30)}"


def column_names(option: str, columns: object) -> tuple[str, ...] | None:
    """Give the names that an option lists as texts, or say what was found in their place; None stays None."""
    if columns is None:
        return None
    if isinstance(columns, str | bytes) or not isinstance(columns, Iterable):
        raise InputError(f"{option} must be a list of names, found {columns!r}: put it into a list")
    times = Counter(str(name) for name in columns)
    if not times and option == "columns":
        raise InputError("columns is empty: name at least one column, or leave it out to take every numeric one")
    for name, number in times.items():
        if number > 1:
            raise InputError(f"column {name!r} is named {number} times in {option}: name it once")
    return tuple(times)
