"""Values of the model and of certificates: none can be changed, and those that hold arrays are compared by identity."""

from dataclasses import FrozenInstanceError, fields, is_dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from microagg import (
    Certification,
    Column,
    ColumnMeasures,
    ColumnSet,
    Encoding,
    Finding,
    Inspection,
    Limits,
    LowerBound,
    Measures,
    Partition,
    Plan,
    Problem,
    Release,
    SetRelease,
    Solution,
    Table,
    Verification,
    read,
)
from microagg.certify.claim import Cut, DualSolution
from microagg.model.axis import Axis, MidRank
from microagg.model.given_sets import GivenSets
from microagg.model.group_rules import DistinctUnits
from microagg.model.inspection import ColumnInspection, Proposal, SinglingOut, ValueSummary
from microagg.model.reading import Reading
from microagg.model.rule_cost import RuleCost
from microagg.model.source_protocol import Changes
from microagg.model.statistics import Statistics
from microagg.model.treatment import Treatment

PARTITION = Partition(Problem(np.arange(4.0)[:, None], 2), np.array([0, 0, 1, 1]))
SOLUTION = Solution(PARTITION, "mdav")
MEASURES = Measures(4, 2, 2, 1.0, ())


def _plain() -> list[Any]:
    """Return values that are compared by their fields."""
    return [
        Axis("x", 1.0, 2.0, 3.0),
        Certification(2, 4, ("x",), 1.0, 1.0, 1.0, 1.0, ()),
        ColumnInspection("x", ValueSummary("number", 3, 0), (), (), Proposal("amount")),
        ColumnMeasures("x", 1.0, 1.0, 1.0, 1.0, None),
        ColumnSet(2),
        Cut((0, 1), (1, 1), 2, 1.0),
        Encoding.fit([Column.of_numbers("x", np.arange(4.0)), Column.of_objects("who", list("abba"))]),
        Finding("check", True, "detail"),
        Inspection(4, ()),
        GivenSets((ColumnSet(2),)),
        Limits(1.0),
        LowerBound(1.0, "test"),
        Measures(4, 2, 2, 1.0, ()),
        Plan(k=2),
        Proposal("amount"),
        Reading(";"),
        RuleCost("a rule", 1, 2.0, 3.0),
        SinglingOut(("x",), 1, 2, 3),
        Statistics(1, 1.0, 1.0, 1.0, 0.0),
        Treatment(nominal=("who",)),
        ValueSummary("number", 3, 0),
        Verification(2, 2, ("x",), ()),
    ]


def _with_arrays() -> list[Any]:
    """Return values that are compared by identity."""
    table = read(np.arange(4.0))
    sets = (SetRelease(("0",), SOLUTION, MEASURES),)
    return [
        Changes(("x",)),
        Column.of_numbers("x", np.arange(4.0)),
        DualSolution(np.arange(4.0), ()),
        MidRank.of(np.arange(4.0)),
        Partition(PARTITION.problem, PARTITION.labels),
        DistinctUnits(np.arange(4), 2),
        Problem(PARTITION.problem.X, 2),
        Release(None, table, Plan(k=2), sets, datetime.now(UTC)),
        SetRelease(("0",), SOLUTION, MEASURES),
        Solution(PARTITION, "mdav"),
        Table(table.source),
    ]


@pytest.mark.parametrize("value", [*_plain(), *_with_arrays()], ids=lambda value: type(value).__name__)
def test_no_field_can_be_changed(value: Any) -> None:
    assert is_dataclass(value)
    for field in fields(value):
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, None)


def test_plain_values_are_equal_where_their_fields_are() -> None:
    for one, other in zip(_plain(), _plain(), strict=True):
        assert one == other


def test_values_that_hold_arrays_are_equal_to_themselves_only() -> None:
    for one, other in zip(_with_arrays(), _with_arrays(), strict=True):
        assert one == one
        assert one != other
        assert len({one, other}) == 2


def test_what_is_not_given_is_none_or_nothing() -> None:
    release = Release(None, read(np.arange(4.0)), Plan(k=2), (), datetime.now(UTC))
    assert (release.order, release.identifying) == (None, ())
    assert (Changes(("x",)).replaced, Changes(("x",)).order) == ((), None)
    table = Table(read(np.arange(4.0)).source)
    assert (table.replaced, table.dropped, table.order) == ((), (), None)
