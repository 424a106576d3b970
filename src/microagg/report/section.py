"""Section of a report: what text and HTML both show."""

from collections.abc import Sequence
from typing import NamedTuple


class Section(NamedTuple):
    """Part of a report: a heading, named lines, and a table whose first row holds the titles.

    Parameters
    ----------
    heading
        Text above it, of one or more lines; may be empty.
    lines
        Texts by their names.
    table
        Rows of cells; the first row holds the titles.
    left
        Titles of the columns of the table that are aligned to the left, besides the first.
    """

    heading: str
    lines: dict[str, str]
    table: Sequence[Sequence[str]] = ()
    left: Sequence[str] = ()
