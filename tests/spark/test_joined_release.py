"""What was stored of a release is counted: records, or units, among which a missing one is a unit of its own."""

from typing import Any

import pytest

from microagg import Run
from microagg.spark.jobs import Jobs
from microagg.spark.joined_release import ReachedK, count_reached

ROWS = [
    (1.0, "n", "A"), (1.0, "n", None), (1.0, "n", "A"),
    (2.0, "n", None), (2.0, "n", None), (2.0, "s", "B"), (2.0, "s", "C"), (2.0, "s", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("strata", "unit", "expected"),
    [((), None, ReachedK(3, 2, 0)), ((), "unit", ReachedK(2, 2, 3)), (("region",), "unit", ReachedK(1, 2, 5))],
)
def test_missing_units_are_one_unit(spark: Any, strata: tuple[str, ...], unit: str | None, expected: ReachedK) -> None:
    released = spark.createDataFrame(ROWS, "income double, region string, unit string")
    assert count_reached(released, ["income"], strata, unit, 3, Jobs(spark, Run())) == expected
