"""Columns of every kind for Hypothesis: with missing values, ties, both zeros, and times in several units."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from microagg import Column
from microagg.model.arrays import BoolArray
from microagg.model.by_column import ByColumn
from microagg.model.treatment import Treatment

TREATMENTS: dict[str, dict[str, Any]] = {
    "number": {},
    "integer": {},
    "integer nominal": {"nominal": ("x",)},
    "integer ordinal": {"ordinal": ("x",)},
    "number mode": {"aggregate": ByColumn("mode")},
    "number log": {"transform": ByColumn("log"), "scale": ByColumn("range")},
    "number weight": {"scale": ByColumn(2.5)},
    "date": {},
    "datetime": {"scale": ByColumn("none")},
    "datetime mode": {"aggregate": ByColumn("mode")},
    "boolean": {},
    "text": {},
    "text ordinal": {"ordinal": ByColumn(None, (("x", ("d", "c", "b", "a")),))},
    "category": {},
    "category ordinal": {"ordinal": ("x",)},
}
"""Options of a treatment by what a column holds, and how it is treated."""


def treatment_of(case: str) -> Treatment:
    """Return the treatment of a case."""
    return Treatment(**TREATMENTS[case])


@st.composite
def columns(draw: st.DrawFn, case: str, n: int) -> Column:
    """Draw a column "x" of n records, for one of `TREATMENTS`."""
    kind: Any = case.partition(" ")[0]
    missing: BoolArray = np.array(draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))) == 4
    mask = missing if missing.any() else None
    if kind in ("text", "category"):
        texts = draw(st.lists(st.sampled_from("abcd"), min_size=n, max_size=n))
        given = Column.of_objects("x", [None if gone else text for text, gone in zip(texts, missing, strict=True)])
        if kind == "text":
            return given
        codes = np.array(["dbca".index(text) for text in texts])
        return Column("x", kind, codes, ("d", "b", "c", "a"), mask, ordered="ordinal" in case)
    if kind == "number":
        any_number = st.floats(-1e6, 1e6) | st.sampled_from([0.0, -0.0, 1e17, 1e-9, 0.1, 0.3])
        few = st.sampled_from([0.0, -0.0, 1.0, 2.5])
        elements = draw(st.sampled_from([any_number, few]))
        numbers = np.array(draw(st.lists(elements, min_size=n, max_size=n)))
        return Column("x", kind, np.where(missing, np.nan, numbers), missing=mask)
    if kind == "boolean":
        return Column("x", kind, np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n))), missing=mask)
    integers = np.array(draw(st.lists(st.integers(-3, 9), min_size=n, max_size=n)), dtype=np.int64)
    if kind == "integer":
        return Column("x", kind, integers, missing=mask)
    if kind == "date":
        return Column("x", kind, (integers + 18_000).astype("M8[D]"), missing=mask)
    step = draw(st.sampled_from([1, 1000, 3_600_000_000]))
    return Column("x", kind, (integers * step + 1_600_000_000_000_000).astype("M8[us]"), missing=mask)
