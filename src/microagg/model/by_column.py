"""Value of an option for each column: one for all of them, or one by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from microagg.model.errors import InputError

Value = TypeVar("Value")


@dataclass(frozen=True)
class ByColumn(Generic[Value]):
    """Value of an option for each column.

    Parameters
    ----------
    for_all
        Value for every column; None where columns are named.
    named
        Columns that are named, each with its value.
    """

    for_all: Value | None = None
    named: tuple[tuple[str, Value], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Columns that are named."""
        return tuple(name for name, _ in self.named)

    @property
    def given(self) -> Any:
        """The value, or the values by name, as a user gives them."""
        return dict(self.named) if self.for_all is None else self.for_all

    def among(self, names: Sequence[str]) -> "ByColumn[Value]":
        """Return the values of some columns: those of others are left out."""
        return ByColumn(self.for_all, tuple((name, value) for name, value in self.named if name in names))

    def of(self, name: str) -> Value | None:
        """Return the value of a column; None where it has none."""
        return dict(self.named).get(name, self.for_all)

    def of_each(self, names: tuple[str, ...]) -> dict[str, Value]:
        """Return the values of those of some columns that have one; a column that is named has one anyway."""
        values = {} if self.for_all is None else dict.fromkeys(names, self.for_all)
        return {**values, **dict(self.named)}


def by_column(option: str, value: object, check: Callable[[str, object], Value]) -> ByColumn[Value]:
    """Return an option as the user gave it: one value, or a mapping from columns to values.

    Parameters
    ----------
    option
        Name of the option, for messages.
    value
        What the user passed.
    check
        Checks a single value: gets a name for messages, and the value.

    Raises
    ------
    InputError
        If a mapping is empty, or a value cannot be.
    """
    if isinstance(value, ByColumn):
        return value
    if not isinstance(value, Mapping):
        return ByColumn(check(option, value))
    if not value:
        raise InputError(f"{option} names no column: name one, as in {option} = {{income = …}}, or leave it out")
    return ByColumn(None, tuple((str(name), check(f"{option} of {name!r}", each)) for name, each in value.items()))


def as_given(value: Any) -> Any:
    """Return the value of an option as a user gives it."""
    return value.given if isinstance(value, ByColumn) else value
