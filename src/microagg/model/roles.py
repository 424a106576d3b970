"""Roles of columns: what each is, besides the columns that are protected."""

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, fields
from typing import TypedDict

from microagg.model.errors import InputError
from microagg.model.names import column_names

_LISTS = ("identifiers", "renumber", "confidential", "strata")


class RoleOptions(TypedDict, total=False):
    """Options that give columns their roles: see `Roles`."""

    identifiers: Iterable[Hashable]
    renumber: Iterable[Hashable]
    confidential: Iterable[Hashable]
    strata: Iterable[Hashable]
    weight: str | None
    unit: str | None


@dataclass(frozen=True)
class Roles:
    """Roles of columns besides those that are protected.

    Parameters
    ----------
    identifiers
        Names, numbers and addresses that lead to a person: left out of the release.
    renumber
        Identifiers that are replaced by new numbers in random order. Records that shared one share the new one.
    confidential
        What is to be published about people without saying about whom: released unchanged, and guarded by the
        privacy rules.
    strata
        Columns whose combinations of values divide the records: no group has records of two strata.
    weight
        Sampling weights: released unchanged.
    unit
        Households, enterprises, patients, …: groups have at least k different ones.

    Raises
    ------
    InputError
        If a column has two roles that exclude each other.
    """

    identifiers: tuple[str, ...] = ()
    renumber: tuple[str, ...] = ()
    confidential: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    weight: str | None = None
    unit: str | None = None

    def __post_init__(self) -> None:
        for name in _LISTS:
            object.__setattr__(self, name, column_names(name, getattr(self, name)) or ())
        for name in ("weight", "unit"):
            _check_column(name, getattr(self, name))
        times = Counter((*self.identifiers, *self.renumber, *self.confidential, *self.strata, *self._weights))
        if self.unit is not None and self.unit not in (*self.identifiers, *self.renumber):
            times[self.unit] += 1
        for name, number in times.items():
            if number > 1:
                having = " and ".join(role for role in ROLES if name in self.columns_of(role))
                raise InputError(f"column {name!r} has {number} roles, {having}: give it one")

    @property
    def _weights(self) -> tuple[str, ...]:
        return () if self.weight is None else (self.weight,)

    def columns_of(self, role: str) -> tuple[str, ...]:
        """Return the columns of a role, also of one that a single column has."""
        value = getattr(self, role)
        if value is None:
            return ()
        return (value,) if isinstance(value, str) else tuple(value)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that has a role."""
        return tuple(dict.fromkeys(name for role in ROLES for name in self.columns_of(role)))


ROLES = tuple(each.name for each in fields(Roles))


def _check_column(option: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise InputError(f"{option} must be the name of one column, found {value!r}")
