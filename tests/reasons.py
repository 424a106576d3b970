"""Reasons to doubt columns of small tables."""

from typing import Any

import polars as pl

from microagg import read
from microagg.doubt import doubts


def reasons(**columns: Any) -> dict[str, str]:
    """Return the reason to doubt each doubtful column."""
    table = read(pl.DataFrame(columns, strict=False))
    return dict(doubts(table, table.names))


def reason(values: Any, name: str = "x") -> str:
    """Return the reason to doubt a column, or "plain"."""
    return reasons(**{name: values}).get(name, "plain")
