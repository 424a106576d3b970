"""Masks of values that were missing as they were read, made one at a time."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from microagg.model.arrays import BoolArray


@dataclass(frozen=True)
class MissingAsRead(Mapping[str, BoolArray]):
    """Mask of each of some columns, by its name: made when it is asked for, as all together may not fit in memory.

    Parameters
    ----------
    names
        Names of the columns.
    mask_of
        Function that makes the mask of a column.
    """

    names: tuple[str, ...]
    mask_of: Callable[[str], BoolArray]

    def __getitem__(self, name: str) -> BoolArray:
        if name not in self.names:
            raise KeyError(name)
        return self.mask_of(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)
