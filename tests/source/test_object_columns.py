"""The kind of a column of Python objects, and what counts as missing among them."""

import datetime as dt
import decimal
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import read
from microagg.model.column import Kind


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2, 2**70], "integer"),
        ([1, None, 3], "integer"),
        ([np.int8(1), 2], "integer"),
        ([1, 2.5, None], "number"),
        ([Fraction(1, 3), Decimal("2.5")], "number"),
        ([True, None], "boolean"),
        ([True, 1], "mixed"),
        ([dt.date(2020, 1, 1)], "date"),
        ([dt.datetime(2020, 1, 1)], "datetime"),
        ([dt.datetime(2020, 1, 1, tzinfo=dt.UTC)], "text"),
        ([dt.datetime(2020, 1, 1), dt.date(2020, 1, 1)], "text"),
        (["a", 1], "mixed"),
        (["a", "b", 1], "text"),
        ([b"12%", b"13%"], "mixed"),
        ([[1], [2]], "text"),
        ([None, None], "text"),
    ],
)
def test_kind(values: list[Any], kind: Kind) -> None:
    array = np.empty((len(values), 1), dtype=object)
    array[:, 0] = np.fromiter(values, dtype=object, count=len(values))
    assert read(array).kind("0") == kind
    assert read(pd.DataFrame({"a": pd.Series(values, dtype=object)})).kind("a") == kind
    assert read(pl.DataFrame({"a": pl.Series(values, dtype=pl.Object)})).kind("a") == kind


@pytest.mark.parametrize(
    ("huge", "number"),
    [(10**400, math.inf), (-(10**400), -math.inf), (2**64, 2.0**64), (Fraction(10**400), math.inf)],
)
def test_huge_numbers_do_not_overflow(huge: int | Fraction, number: float) -> None:
    table = read(pd.DataFrame({"a": pd.Series([huge, 1], dtype=object)}))
    assert table.numbers("a")[0] == number
    assert len(set(table.codes("a").tolist())) == 2


@pytest.mark.parametrize(
    "missing", [None, math.nan, pd.NaT, pd.NA, np.datetime64("NaT"), Decimal("NaN"), np.float32("nan")]
)
def test_every_missing_object_is_recognised(missing: object) -> None:
    array = np.array([[1], [missing], [2]], dtype=object)
    for source in (array, pl.DataFrame({"0": pl.Series(array.ravel().tolist(), dtype=pl.Object)})):
        table = read(source)
        assert table.kind("0") == "integer"
        assert table.column("0").objects() == table.values("0") == [1, None, 2]


def test_decimal_nan_is_missing_even_if_comparisons_trap() -> None:
    with decimal.localcontext() as context:
        context.traps[decimal.InvalidOperation] = True
        table = read(pd.DataFrame({"a": pd.Series([Decimal("1.5"), Decimal("NaN"), None], dtype=object)}))
        assert table.kind("a") == "number"
        missing = table.column("a").missing
        assert missing is not None
        assert missing.tolist() == [False, True, True]
