"""Texts of plots: names of columns and categories as they are, never taken for formulas."""

_LONGEST = 28  # characters of a name


def plain_text(text: str, longest: int = _LONGEST) -> str:
    """Return a name as matplotlib shows it: dollar signs mark no formula, a long one is cut, white space is one blank.

    Parameters
    ----------
    text
        The name.
    longest
        Characters that are shown at most.
    """
    shown = " ".join(text.split())
    shown = shown if len(shown) <= longest else f"{shown[: longest - 1]}…"
    return shown.replace("$", r"\$")
