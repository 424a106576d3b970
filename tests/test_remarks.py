"""Remarks on releases: types that change, and combinations of categories that no original has."""

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import microagg
from microagg import protect

X = [1.0, 2.0, 8.0, 9.0]
MONEY = [Decimal("1.1"), Decimal("2.2"), Decimal(5), Decimal(7)]


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (pd.DataFrame({"x": pd.array(X, dtype=pd.SparseDtype(float))}), "Sparse[float64, nan], and is of type float64"),
        (pd.DataFrame({"x": MONEY}), "object, and is of type float64"),
        (pl.DataFrame({"x": MONEY}), "Decimal(precision=38, scale=1), and is of type Float64"),
        (pd.DataFrame({"x": [1, 2, 8, 9]}), None),
        (pl.DataFrame({"x": X}), None),
    ],
)
def test_types_that_change_are_told(frame: Any, told: str | None) -> None:
    expected = () if told is None else (f"column 'x' was of type {told}",)
    assert protect(frame, 2, columns=["x"], method="mdav").remarks == expected


def test_protected_fields_of_arrow_keep_their_metadata() -> None:
    code = pa.dictionary(pa.int8(), pa.int64())
    schema = pa.schema(
        [
            pa.field("x", pa.float64(), nullable=False, metadata={"unit": "EUR"}),
            pa.field("town", pa.string(), nullable=False, metadata={"a": "b"}),
            pa.field("code", code, nullable=False, metadata={"q": "r"}),
            pa.field("y", pa.float64(), metadata={"s": "t"}),
        ]
    )
    codes = pa.array([1, 2, 1, 2]).dictionary_encode().cast(code)
    table = pa.table([pa.array(X), pa.array(list("abab")), codes, pa.array(X)], schema=schema)
    release = protect(table, 2, columns=["x", "town", "code", "y"], nominal=["town"], method="mdav")
    assert release.data.schema.equals(schema, check_metadata=True)


def test_combinations_that_no_original_has_are_counted() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({name: rng.choice(list("abcdefg"), 80) for name in "xyz"})
    options: dict[str, Any] = {"columns": ["x", "y", "z"], "nominal": ["x", "y", "z"], "method": "mdav"}
    release = protect(frame, 5, **options)
    known = set(frame.rows())
    n_new = sum(row not in known for row in release.data.rows())
    assert n_new > 0
    (remark,) = (one for one in release.remarks if "that no original" in one)
    assert remark.startswith(f"{n_new} of 80 records have a combination of categories in 'x', 'y', 'z'")
    assert "aggregate='medoid'" in remark
    medoids = protect(frame, 5, aggregate="medoid", **options)
    assert all(row in known for row in medoids.data.rows())
    options["columns"] = options["nominal"] = ["x"]
    alone = protect(frame, 5, **options)
    assert not any("that no original" in one for one in (*medoids.remarks, *alone.remarks))


def test_spark_is_imported_when_it_is_used() -> None:
    assert vars(microagg.spark)["protect"].__module__ == "microagg.spark.cluster_protect"
