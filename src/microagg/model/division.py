"""Division of records by hard walls: parts, each of which is grouped on its own."""

from dataclasses import dataclass, field

from microagg.model.arrays import IntArray, ReadOnlyArrays, read_only
from microagg.model.names import quantity


@dataclass(frozen=True, eq=False)
class Part(ReadOnlyArrays):
    """Records that are grouped on their own: those of a stratum, or with the same missing values.

    Parameters
    ----------
    name
        What they share, in words.
    records
        Their indices in the table, ascending.
    """

    name: str = field(repr=False)
    records: IntArray = field(repr=False)

    def __post_init__(self) -> None:
        read_only(self.records)


@dataclass(frozen=True, repr=False)
class Division(ReadOnlyArrays):
    """Division of all records into parts.

    Parameters
    ----------
    parts
        The parts, in the order of their first records.
    merged
        Names of parts that were too small, each with that of the part that it has joined.
    order
        Row of each record in the table that was read, where some were left out; None: 0, 1, …
    """

    parts: tuple[Part, ...]
    merged: tuple[tuple[str, str], ...] = ()
    order: IntArray | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"Division({quantity(len(self.parts), 'part')}, {len(self.merged)} merged)"

    def rows(self, part: Part) -> IntArray:
        """Return the row of each record of a part in the table that was read.

        Parameters
        ----------
        part
            One of the parts.

        Returns
        -------
        ndarray of the shape of `part.records`
            Ascending.
        """
        return part.records if self.order is None else self.order[part.records]
