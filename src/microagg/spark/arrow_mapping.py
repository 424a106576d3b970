"""Functions of Arrow batches over the partitions of a DataFrame, whatever characters the names of its columns have."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

BatchWork = Callable[[Iterable[Any]], Iterator[Any]]
"""Function of the Arrow batches of a partition that yields Arrow batches."""


def map_in_arrow(frame: Any, work: BatchWork, schema: Any) -> Any:
    """Return the DataFrame of what a function makes of each partition.

    Spark's own `mapInArrow` takes dots and backticks in names for more than letters: so columns travel by number.

    Parameters
    ----------
    frame
        The DataFrame.
    work
        The function: its batches have the names of the DataFrame's columns.
    schema
        Schema of what it yields.
    """
    names = tuple(frame.columns)
    numbered = frame.toDF(*(f"column{number}" for number in range(len(names))))
    return numbered.mapInArrow(_WithNames(work, names), schema)


@dataclass(frozen=True)
class _WithNames:
    """Function whose batches get their names back."""

    work: BatchWork
    names: tuple[str, ...]

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        return self.work(batch.rename_columns(self.names) for batch in batches)
