"""The unit of a column of dates: the largest of which all values are whole multiples."""

import numpy as np
import pytest

from microagg import Column
from microagg.model.time_units import finer_unit, own_unit


@pytest.mark.parametrize(
    ("times", "unit"),
    [
        (["2020-01-01T00:00", "2021-01-01T00:00"], "D"),
        (["2020-01-01T00:00", "2021-01-01T07:00"], "h"),
        (["2020-01-01T00:00", "2021-01-01T07:30"], "m"),
        (["2020-01-01T00:00:01", "2021-01-01T07:30"], "s"),
        (["2020-01-01T00:00:01.5", "2021-01-01T07:30"], "ms"),
        (["2020-01-01T00:00:01.000001", "2021-01-01T07:30"], "us"),
        (["2020-01-01T00:00:01.000000001", "2021-01-01T07:30"], "ns"),
    ],
)
def test_units_of_times(times: list[str], unit: str) -> None:
    column = Column("t", "datetime", np.array(times, dtype="M8[ns]"))
    assert own_unit(column) == unit
    holed = Column("t", "datetime", np.array([*times, "NaT"], dtype="M8[ns]"), missing=np.array([False, False, True]))
    assert own_unit(holed) == unit


def test_dates_have_a_unit() -> None:
    assert own_unit(Column("d", "date", np.array(["2020-01-01"], dtype="M8[D]"))) == "D"
    assert own_unit(Column("d", "date", np.array(["2020-01"], dtype="M8[M]"))) == "M"


@pytest.mark.parametrize(
    ("one", "other", "both"), [("D", "h", "h"), ("us", "s", "us"), ("ns", "ns", "ns"), ("M", "M", "M")]
)
def test_two_columns_together_have_the_finer_unit(one: str, other: str, both: str) -> None:
    assert finer_unit(one, other) == finer_unit(other, one) == both
