"""A rule that every group must satisfy, besides having k records."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import BoolArray, FloatArray, IntArray, ReadOnlyArrays, read_only
from microagg.model.errors import InputError

ALLOWANCE = 1e-12  # relative: what a limit may be missed by, so that rounding never makes a group illegal


class GroupRule(ReadOnlyArrays, ABC):
    """Rule that every group must satisfy.

    The union of groups that satisfy a rule satisfies it, too. So some partition satisfies it if and only if one group
    of all records does.
    """

    @property
    @abstractmethod
    def sentence(self) -> str:
        """What each group must have, for people."""

    @property
    @abstractmethod
    def remedy(self) -> str:
        """What to do where not even all records together satisfy the rule."""

    @property
    @abstractmethod
    def n_records(self) -> int:
        """Number of records that the rule is about."""

    @abstractmethod
    def reached(self, labels: IntArray) -> FloatArray:
        """Return the number by which each group is judged, of shape (n_groups,).

        Parameters
        ----------
        labels
            Group of each record, of shape (n,), counted from 0 without gaps.
        """

    @abstractmethod
    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether each group violates the rule, of shape (n_groups,); `labels` as in `reached`."""

    @abstractmethod
    def part(self, records: IntArray) -> Self:
        """Return the rule for some of the records."""


def freeze(rule: GroupRule, field: str, dtype: type[Any]) -> None:
    """Make an array of a rule read-only, of one dtype and of shape (n,); copy it unless it is so already.

    Raises
    ------
    InputError
        If it is not one value for each record, or if whole numbers are expected and others are found.
    """
    given = np.asarray(getattr(rule, field))
    if given.ndim != 1 or not len(given):
        raise InputError(f"a rule needs {field} of shape (n,), one for each record, found {given.shape}")
    if dtype is np.int64 and not np.issubdtype(given.dtype, np.integer):
        raise InputError(f"a rule needs {field} that are whole numbers, found {given.dtype}")
    freeze_array(rule, field, given.astype(dtype, copy=False))


def freeze_array(rule: GroupRule, field: str, array: npt.NDArray[Any]) -> None:
    """Set an array of a rule, as a read-only copy unless it is read-only."""
    frozen = array.copy() if array.flags.writeable else array
    read_only(frozen)
    object.__setattr__(rule, field, frozen)


def count_pairs(labels: IntArray, codes: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Count how often each code occurs in each group.

    Returns
    -------
    groups, codes, counts
        For every pair that occurs: the group, the code, and the number of the group's records that have it.
    """
    distinct, numbers = np.unique(codes, return_inverse=True)
    pairs, counts = np.unique(labels * len(distinct) + numbers, return_counts=True)
    return pairs // len(distinct), distinct[pairs % len(distinct)], counts
