"""Texts and numbers as a document shows them: nothing invisible, nothing that a page cannot hold."""

import math
import unicodedata
from datetime import UTC, datetime, timedelta

from microagg.report.words import NOTHING, UNNAMED

_ELLIPSIS = "…"
_NO_CHARACTERS = "\ufffe\uffff"
_TURNING = "\u202a\u202b\u202c\u202d\u202e"  # turn the text after them around, beyond the name they stand in
_ISOLATING = "\u2066\u2067\u2068\u2069"
_WIDE = "mwMW@%"
_GROUPED = "\u202f"  # narrow no-break space
_MINUS = "−"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_DIGITS = 5  # significant ones of a number that is not whole
_LARGEST = 1e12  # larger numbers are written as powers of ten
_SMALLEST = 1e-4
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def plain_text(text: str) -> str:
    """Return a text as one line, in which line ends are marked, and what a page cannot hold is replaced."""
    line = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "↵").replace("\t", "→")
    return "".join("\ufffd" if _is_unusable(character) else character for character in line)


def as_sentence(words: str) -> str:
    """Return words as a sentence: with a capital letter, but for the symbol k, and an end."""
    begun = words if words.startswith("k ") else words[:1].upper() + words[1:]
    return begun if begun.endswith((".", "?", "!")) else f"{begun}."


def shown_name(name: str) -> str:
    """Return a name of the user's, a column's or a category's, as it stands in a sentence, a table or a chart.

    Parameters
    ----------
    name
        The name.

    Returns
    -------
    str
        One line; a note where there is nothing to see. One that may be written from right to left is isolated, so that
        it does not turn the words around it.
    """
    line = "".join("\ufffd" if character in _ISOLATING else character for character in plain_text(name))
    if not line.strip():
        return UNNAMED
    return line if line.isascii() else f"\u2068{line}\u2069"


def _is_unusable(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs") or character in _NO_CHARACTERS or character in _TURNING


def shortened(text: str, width: float) -> str:
    """Return a text that is cut where it is wider than so many usual letters."""
    if letters(text) <= width:
        return text
    kept = ""
    for character in text:
        if letters(kept + character) > width - 1:
            break
        kept += character
    return kept.rstrip() + _ELLIPSIS


def letters(text: str) -> float:
    """Return how many usual letters a text is about as wide as."""
    return sum(_letters(character) for character in text)


def _letters(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 2.0
    if character in _WIDE:
        return 1.6
    return 1.3 if character.isupper() else 1.0


def number_text(value: float | None, digits: int = _DIGITS) -> str:
    """Write a number: whole digits are all shown, of others as many as are significant.

    Parameters
    ----------
    value
        The number; None where there is none.
    digits
        Significant digits of a number that is not whole.
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    if value == 0:
        return "0"
    magnitude = math.floor(math.log10(abs(value)))
    if not _SMALLEST <= abs(value) < _LARGEST:
        return _power_of_ten(value, magnitude, digits)
    written = f"{abs(value):.{max(0, digits - 1 - magnitude)}f}"
    return _signed(value, _without_zeros(_grouped(written)))


def _power_of_ten(value: float, magnitude: int, digits: int) -> str:
    leading = _without_zeros(f"{abs(value) / 10.0**magnitude:.{digits - 1}f}")
    return _signed(value, f"{leading}×10{str(magnitude).translate(_SUPERSCRIPTS)}")


def _grouped(written: str) -> str:
    whole, point, rest = written.partition(".")
    return f"{int(whole):,}".replace(",", _GROUPED if len(whole) > 4 else "") + point + rest


def _without_zeros(written: str) -> str:
    return written.rstrip("0").rstrip(".") if "." in written else written


def _signed(value: float, written: str) -> str:
    return f"{_MINUS}{written}" if value < 0 else written


def percent_text(value: float | None, decimals: int = 2) -> str:
    """Write a percentage with so many decimals."""
    return NOTHING if value is None else f"{_signed(value, f'{abs(value):.{decimals}f}')}{_GROUPED}%"


def date_text(days: float | None, *, whole: bool = False) -> str:
    """Write days since 1970 as a date; with hours and minutes where they are not a whole number, unless `whole`."""
    if days is None or not math.isfinite(days):
        return NOTHING
    try:
        moment = _EPOCH + timedelta(days=days)
    except OverflowError:  # before the year 1 or after 9999
        return number_text(days)
    rounded = (moment + timedelta(seconds=30)).replace(second=0, microsecond=0)
    whole = whole or math.isclose(days, round(days), abs_tol=1.0 / 2880)
    return f"{rounded:%Y-%m-%d}" if whole else f"{rounded:%Y-%m-%d %H:%M}"


def value_text(value: float | None, unit: str | None, *, whole: bool = False) -> str:
    """Write a value of a column: a date where it has a unit, a `whole` one without hours; else a number."""
    return number_text(value) if unit is None else date_text(value, whole=whole)


def ended(reason: str) -> str:
    """Return how work ended before it was done, in words."""
    if reason == "effort":
        return "stopped at its effort limit"
    return reason if reason == "cancelled" else f"ended by {reason}"


def bound_advice(kind: str) -> str:
    """Return how to prove more than a bound that ended because its effort is limited."""
    if kind == "dual ascent":
        return "more steps may prove more: --bound 'dual-ascent(steps=…)'"
    return "the method 'exact' without limits and branches ends only when the optimum is proved"
