"""Values of an option by column."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any


class ByColumn(Mapping[str, Any]):
    """Immutable mapping of column names to values: hashable, and equal to a dict of the same items.

    Parameters
    ----------
    values
        Value of each column; names become strings, lists tuples.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[Hashable, Any]) -> None:
        self._values = {str(name): tuple(one) if isinstance(one, list) else one for name, one in values.items()}

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return repr(self._values)
