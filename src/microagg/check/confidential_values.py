"""Confidential values of a release as the rules of privacy compare them: by their number, or by their rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from microagg.check.checked_release import CheckedRelease
from microagg.check.rule_figures import MISSING
from microagg.check.value_key import value_key
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.column import CODED, Column
from microagg.model.errors import InputError
from microagg.model.table import Table


def value_codes(table: Table, name: str) -> IntArray:
    """Return a number for each distinct value of a column, `MISSING` where it is missing or stands for that."""
    column = table.column(name)
    codes = column.codes()
    codes[_missing(column)] = MISSING
    return codes


@dataclass(frozen=True, eq=False)
class ConfidentialValues:
    """Ranks of the values of a confidential column.

    Parameters
    ----------
    ranks
        Rank of each record's value among the distinct ones, of shape (n,), any number for it if they have no order;
        all that are missing have the last one.
    ordered
        Whether the values have an order.
    """

    ranks: IntArray
    ordered: bool

    @classmethod
    def of(cls, checked: CheckedRelease, name: str) -> "ConfidentialValues":
        """Return the ranks of a column of a release.

        Raises
        ------
        InputError
            If the order of the values is needed and not known, or does not name one of them.
        """
        column = checked.released.column(name)
        kind = column.kind if checked.original is None else checked.original.kind(name)
        level = checked.plan.codes.level(name, kind)
        order = _order(checked, name) if level == "ordinal" else None
        if order is None and level != "nominal" and column.kind in CODED:
            raise InputError(
                f"t_closeness of column {name!r} of the release needs the order of its values, which are not all "
                f"numbers or dates: give it, as in ordinal={{{name!r}: [lowest, …, highest]}}; or name it in nominal"
            )
        values = column.values if order is None else _places(column, order)
        missing = _missing(column)
        ranks = np.zeros(len(column), dtype=np.int64)
        ranks[~missing] = np.unique(values[~missing], return_inverse=True)[1]
        ranks[missing] = 0 if missing.all() else ranks.max() + 1
        return cls(ranks, level != "nominal")


def _order(checked: CheckedRelease, name: str) -> Sequence[Any] | None:
    """Return the order that the plan gives to categories; else that of a dataframe, of the original or the release."""
    given = checked.plan.codes.order_of(name)
    if given:
        return given
    tables = [checked.released] if checked.original is None else [checked.original, checked.released]
    columns = [table.column(name) for table in tables]
    return next((column.categories for column in columns if column.ordered), None)


def _places(column: Column, order: Sequence[Any]) -> IntArray:
    """Return the place of each value in an order: of the same text, or else of the same number."""
    place_of_number = {value_key(category): place for place, category in enumerate(order)}
    place_of_text = {str(category): place for place, category in enumerate(order)}
    missing = _missing(column)
    places = np.zeros(len(column), dtype=np.int64)
    for record, value in enumerate(column.objects()):
        if missing[record]:
            continue
        place = place_of_text.get(str(value), place_of_number.get(value_key(value)))
        if place is None:
            raise InputError(
                f"column {column.name!r} of the release has a value in row {record + 1} that its order does not name: "
                "name every category in ordinal"
            )
        places[record] = place
    return places


def _missing(column: Column) -> BoolArray:
    return np.zeros(len(column), dtype=np.bool_) if column.missing is None else column.missing
