"""Rules that every group must satisfy, in the order in which they are enforced."""

from dataclasses import dataclass

import numpy as np

from microagg.model.arrays import BoolArray, IntArray, is_all
from microagg.model.closeness_rule import Closeness
from microagg.model.contribution_rules import Dominance, PPercent
from microagg.model.diversity_rules import DistinctUnits, DistinctValues, EntropyDiversity
from microagg.model.errors import InputError
from microagg.model.group_rule import GroupRule
from microagg.model.present_cells import PresentCells

__all__ = [
    "Closeness",
    "DistinctUnits",
    "DistinctValues",
    "Dominance",
    "EntropyDiversity",
    "GroupRule",
    "GroupRules",
    "PPercent",
    "PresentCells",
]


@dataclass(frozen=True, eq=False)
class GroupRules:
    """What each group must satisfy, besides having k records. False where there are no rules.

    Parameters
    ----------
    rules
        The rules, all about the same records.

    Raises
    ------
    InputError
        If the rules are about different numbers of records.
    """

    rules: tuple[GroupRule, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple(self.rules))
        found = sorted({rule.n_records for rule in self.rules})
        if len(found) > 1:
            raise InputError(f"rules must be about the same records, found rules about {found[0]} and {found[-1]}")

    def __bool__(self) -> bool:
        return bool(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether each group violates a rule.

        Parameters
        ----------
        labels
            Group of each record, of shape (n,), counted from 0 without gaps.

        Returns
        -------
        ndarray of shape (n_groups,)
            Whether each group violates at least one rule.
        """
        violated = np.zeros(int(labels.max()) + 1, dtype=np.bool_)
        for rule in self.rules:
            violated |= rule.violated(labels)
        return violated

    def part(self, records: IntArray) -> "GroupRules":
        """Return the rules for some of the records.

        Parameters
        ----------
        records
            Indices of the records.

        Returns
        -------
        GroupRules
            The same rules in the same order.
        """
        if self.rules and is_all(records, self.rules[0].n_records):
            return self
        return GroupRules(tuple(rule.part(records) for rule in self.rules))

    def first(self, number: int) -> "GroupRules":
        """Return the first rules alone.

        Parameters
        ----------
        number
            How many.

        Returns
        -------
        GroupRules
            These rules in the same order.
        """
        return GroupRules(self.rules[:number])
