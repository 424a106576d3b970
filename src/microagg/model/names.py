"""Names in sentences, and the known name nearest to an unknown one."""

import difflib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from microagg.model.errors import InputError

_SIMILARITY = 0.6  # of difflib: names less alike are not suggested
_MAX_SUGGESTED = 30  # known names that are listed where none is near
_JOINERS = "\u200c\u200d"  # that scripts and emoji need: nothing is hidden or turned by them
_ISOLATES = "\u2068\u2069"  # that sentences of this program put around a name


def shown_on_terminal(text: str, *, lines: bool = False) -> str:
    """Return a text in which nothing steers a terminal or hides: such characters are written as Python writes them.

    Parameters
    ----------
    text
        A name of the user's, or a text with such names in it.
    lines
        Whether it is a whole report, which keeps its line ends, and loses the isolates that are around names.

    Examples
    --------
    >>> shown_on_terminal("turned " + chr(0x202E)) == "turned " + chr(92) + "u202e"
    True
    """
    if text.isascii() and text.isprintable():
        return text
    kept = "\n" if lines else ""
    gone = _ISOLATES if lines else ""
    return "".join("" if one in gone else one if one in kept else _shown(one) for one in text)


def shown_in_json(text: str) -> str:
    """Return JSON that reads the same, and that can be printed on a terminal: see `shown_on_terminal`."""
    return re.sub(r"[^\n -~]", _in_json, text)


def shown_in_toml(text: str) -> str:
    """Return TOML that reads the same, with nothing in it that hides or turns what is around it."""
    return "".join(one if one == "\n" or _shown(one) == one else f"\\U{ord(one):08x}" for one in text)


def _in_json(found: re.Match[str]) -> str:
    return found[0] if _shown(found[0]) == found[0] else json.dumps(found[0])[1:-1]


def _shown(character: str) -> str:
    unsafe = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS
    return character.encode("unicode_escape").decode() if unsafe else character


def listing(names: Sequence[str], most: int = 12) -> str:
    """Join names for a sentence, the first `most` of them."""
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def quantity(number: int, noun: str) -> str:
    """Write a number with its noun, in the plural unless it is 1."""
    return f"{number} {noun}{'s' * (number != 1)}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant, if there is one; capitals do not matter."""
    folded = {other.casefold(): other for other in reversed(list(known))}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=_SIMILARITY)
    return folded[close[0]] if close else None


def suggestion(name: str, known: Sequence[str]) -> str:
    """Suggest the name that was probably meant, or list those that are known."""
    meant = nearest(name, known)
    return f"did you mean {meant!r}?" if meant else f"known are {listing(known, _MAX_SUGGESTED)}"


def column_names(option: str, columns: object) -> tuple[str, ...] | None:
    """Return the column names that an option lists, as strings; None stays None.

    Parameters
    ----------
    option
        Name of the option, for messages.
    columns
        What the user passed: any iterable of names but a string.

    Raises
    ------
    InputError
        If it is no list of names, if a name stands in it twice, or if "columns" is empty.
    """
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
