"""Slow and obvious counts of records that few others agree with."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence


def records_in_cells_below(rows: Sequence[Hashable], size: int) -> int:
    """Return the number of records that share their values with fewer than `size`, themselves included."""
    times = Counter(rows)
    return sum(times[row] < size for row in rows)


def most_unique(columns: Mapping[str, Sequence[Hashable]], beside: Sequence[str]) -> int:
    """Return the largest number of unique records that one more column beside some others makes."""
    others = [name for name in columns if name not in beside]
    return max(
        records_in_cells_below(list(zip(*(columns[each] for each in (*beside, name)), strict=True)), 2)
        for name in others
    )
