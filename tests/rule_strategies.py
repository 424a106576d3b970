"""Rules about a few records, for Hypothesis."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg.model.arrays import IntArray
from microagg.model.group_rule import GroupRule
from microagg.model.group_rules import (
    Closeness,
    DistinctUnits,
    DistinctValues,
    Dominance,
    EntropyDiversity,
    PPercent,
    PresentCells,
)


def codes(n: int) -> st.SearchStrategy[IntArray]:
    """Draw codes of n records, many of them equal."""
    return hnp.arrays(np.int64, n, elements=st.integers(0, 4))


def values(n: int) -> st.SearchStrategy[IntArray]:
    """Draw codes of the values of n records, some of them missing: −1."""
    return hnp.arrays(np.int64, n, elements=st.integers(-1, 4))


@st.composite
def rules_about(draw: st.DrawFn, n: int) -> GroupRule:
    """Draw a rule of any kind about n records, with limits that groups often just reach."""
    kind = draw(
        st.sampled_from([DistinctUnits, DistinctValues, EntropyDiversity, Closeness, Dominance, PPercent, PresentCells])
    )
    if kind is DistinctUnits:
        return DistinctUnits(draw(codes(n)), draw(st.integers(1, 4)))
    if kind is DistinctValues:
        return DistinctValues("x", draw(values(n)), draw(st.integers(1, 4)))
    if kind is EntropyDiversity:
        return EntropyDiversity("x", draw(values(n)), draw(st.sampled_from([1.0, 1.5, 2.0, 3.0])))
    if kind is Closeness:
        t = draw(st.sampled_from([0.1, 0.2, 0.25, 0.5, 1 / 3]))
        return Closeness.to_all("x", draw(codes(n)), t, ordered=draw(st.booleans()))
    amounts = draw(hnp.arrays(np.float64, n, elements=st.sampled_from([0.0, 1.0, -2.0, 4.0, 7.5])))
    units = draw(st.none() | codes(n))
    if kind is Dominance:
        return Dominance("x", amounts, draw(st.integers(1, 3)), draw(st.sampled_from([0.25, 0.5, 0.8])), units)
    if kind is PPercent:
        return PPercent("x", amounts, draw(st.sampled_from([10.0, 50.0, 100.0, 200.0])), units)
    missing = draw(hnp.arrays(np.bool_, (n, 2)))
    return PresentCells(missing, draw(st.integers(1, 3)), units)
