"""Columns as points, and numbers that cannot be encoded."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg import InputError, measure, protect, read
from microagg.encode import checked_column, encode, encode_table, fit_encoding, levels_of
from microagg.model.arrays import FloatArray
from microagg.model.treatment import Treatment


@given(hnp.arrays(np.float64, (20, 3), elements=st.floats(-1e3, 1e3).map(lambda number: round(number, 3))))
def test_standardised_columns_weigh_alike(X: FloatArray) -> None:
    table = read(X)
    encoding, problem = encode(table, table.names, 2)
    assert encoding.standardise
    points = problem.X
    for j in range(3):
        constant = np.ptp(X[:, j]) == 0
        assert points[:, j].std() == pytest.approx(0.0 if constant else 1.0, abs=1e-9)


@given(hnp.arrays(np.float64, (12, 2), elements=st.integers(-5, 5).map(float)), st.booleans())
def test_loss_is_the_same_by_groups_and_by_tables(X: FloatArray, standardise: bool) -> None:
    release = protect(X, 3, columns=[0, 1], standardise=standardise, method="mdav")
    assert release.measures.information_loss == pytest.approx(release.information_loss, abs=1e-9)
    measured = measure(X, release.data, [0, 1], standardise=standardise)
    assert measured.information_loss == pytest.approx(release.information_loss, abs=1e-9)


@pytest.mark.parametrize(
    ("values", "fits"),
    [
        ([2**53 - 1, 1, 2], True),
        ([2**53, 1, 2], False),
        ([-(2**53), 1, 2], False),
        ([-(2**53) + 1, 1, 2], True),
    ],
)
@pytest.mark.parametrize("dtype", ["int64", object])
def test_integers_that_arithmetic_would_damage_are_refused(values: Any, fits: bool, dtype: Any) -> None:
    frame = pd.DataFrame({"n": pd.Series(values, dtype=dtype)})
    if fits:
        assert protect(frame, 3, columns=["n"]).k == 3
        return
    with pytest.raises(InputError, match=r"'n' has integers beyond 2\^53"):
        protect(frame, 3, columns=["n"])


def test_huge_python_integers_are_refused_too() -> None:
    frame = pd.DataFrame({"n": pd.Series([10**400, 1, 2], dtype=object)})
    with pytest.raises(InputError, match="'n' has"):
        protect(frame, 3, columns=["n"])


@pytest.mark.parametrize("number", [2.0**53, 2.0**53 + 2, -(2.0**60)])
def test_floats_of_any_size_are_as_exact_as_they_were(number: float) -> None:
    table = read(pl.DataFrame({"x": [number, 1.0, 2.0]}))
    assert checked_column(table, "x", "number").numbers().tolist() == [number, 1.0, 2.0]


def test_integers_beyond_are_named_with_their_table() -> None:
    table = read(pl.DataFrame({"n": [2**53 + 1, 1]}))
    with pytest.raises(InputError) as caught:
        checked_column(table, "n", "number", " of the release")
    assert str(caught.value) == (
        "column 'n' of the release has integers beyond 2^53, which arithmetic would damage: leave it out, or treat it "
        "as categories, as in nominal=['n']"
    )
    column = checked_column(read(pl.DataFrame({"n": [2**53 - 1, 1 - 2**53]})), "n", "number")
    assert column.numbers().max() == 2**53 - 1


def test_numbers_that_cannot_be_squared_are_named_with_their_table() -> None:
    table = read(pl.DataFrame({"x": [1.0, None]}))
    with pytest.raises(InputError, match="column 'x' of the release has 1 missing value"):
        checked_column(table, "x", "number", " of the release")
    with pytest.raises(InputError, match="column 'x' has 1 missing value"):
        checked_column(table, "x", "number")
    with pytest.raises(InputError, match="the table has no records, only the columns 'x'"):
        checked_column(read(pl.DataFrame({"x": []})), "x", "number")


@pytest.mark.parametrize("standardise", [True, False])
def test_encoding_and_problem_belong_together(standardise: bool) -> None:
    table = read(np.array([[2.0, 5.0], [4.0, 5.0], [9.0, 5.0]]))
    encoding, problem = encode(table, ["0", "1"], 3, Treatment.plain(standardise))
    assert (problem.k, problem.n, encoding.names, encoding.standardise) == (3, 3, ("0", "1"), standardise)
    np.testing.assert_array_equal(problem.X, encoding.apply([table.column("0"), table.column("1")])[0])
    assert problem.X[2, 0] == pytest.approx(7.0 / ((26 / 3) ** 0.5 if standardise else 1.0))
    assert not problem.X.flags.writeable
    assert encode(table, ["0"], 3)[0].standardise
    assert fit_encoding(table, ["0"]).standardise


def test_missing_values_are_encoded_on_request() -> None:
    table = read(pl.DataFrame({"x": [1.0, None, 3.0], "c": ["a", "b", None]}))
    encoding, X, missing = encode_table(table, ["x", "c"], may_miss=True)
    assert encoding.widths == (1, 1)
    np.testing.assert_allclose(X, [[0.0, 0.0], [1.0, 1.0], [2.0, 0.5]])
    assert missing is not None
    assert missing.tolist() == [[False, False], [True, False], [False, True]]
    in_two = table.without(["x"]).in_order(np.array([0, 1]))
    assert encode_table(in_two, ["c"], may_miss=True).missing is None
    for name, row in (("x", 2), ("c", 3)):
        with pytest.raises(InputError, match=rf"column '{name}' has 1 missing value \(row {row}\)"):
            encode(table, [name], 2)


def test_levels_are_those_of_the_kinds_unless_named() -> None:
    table = read(pl.DataFrame({"n": [1, 2], "b": [True, False], "t": ["a", "b"]}))
    assert levels_of(table, table.names) == {"n": "number", "b": "nominal", "t": "nominal"}
    assert levels_of(table, ["n"], Treatment(nominal=("n",))) == {"n": "nominal"}
    with pytest.raises(InputError, match="there is no column 'm'"):
        levels_of(table, ["n"], Treatment(nominal=("m",)))


def test_text_that_may_be_numbers_is_refused_unless_it_is_named() -> None:
    table = read(pl.DataFrame({"p": ["12%", "5%", "7%"]}))
    with pytest.raises(InputError, match=r"'12%'.*; or treat it as categories, as in nominal=\['p'\]"):
        encode(table, ["p"], 2)
    assert encode(table, ["p"], 2, Treatment(nominal=("p",)))[0].widths == (3,)
