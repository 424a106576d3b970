"""Counts of records that columns single out: exact, and by the fewest columns first."""

from typing import Any

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from microagg import read
from microagg.singling_out import singling_out
from naive_inspection import most_unique, records_in_cells_below

CELLS = st.tuples(
    st.integers(0, 3), st.sampled_from(["a", "b", None]), st.booleans(), st.integers(0, 6), st.integers(0, 1)
)
NAMES = ["v", "w", "x", "y", "z"]


def _ignore(done: float) -> None:
    """Stand for progress that nobody watches."""


@given(st.lists(CELLS, min_size=1, max_size=40), st.integers(1, 5))
def test_counts_are_those_of_the_oracle(rows: list[tuple[Any, ...]], n_columns: int) -> None:
    names = NAMES[:n_columns]
    columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    table = read(pl.DataFrame(columns, strict=False))
    *smaller, whole = singling_out(table, names, _ignore)
    assert whole.columns == tuple(names)
    for one in (*smaller, whole):
        chosen = list(zip(*(columns[name] for name in one.columns), strict=True))
        counts = (one.n_unique, one.n_below_3, one.n_below_5)
        assert counts == tuple(records_in_cells_below(chosen, size) for size in (2, 3, 5))
    for one in smaller:
        assert one.n_unique == most_unique(columns, one.columns[:-1])


def test_small_cells_at_their_edges() -> None:
    table = read(pl.DataFrame({"x": [1] + [2] * 2 + [3] * 3 + [4] * 4 + [5] * 5}))
    (whole,) = singling_out(table, ["x"], _ignore)
    assert (whole.n_unique, whole.n_below_3, whole.n_below_5) == (1, 3, 10)


def test_smaller_combinations_are_named_only_where_they_make_somebody_unique() -> None:
    table = read(pl.DataFrame({"x": [1, 1, 2, 2], "y": [1, 2, 1, 2], "z": [1, 1, 1, 1]}))
    found = singling_out(table, ["x", "y", "z"], _ignore)
    assert [(one.columns, one.n_unique) for one in found] == [(("x", "y"), 4), (("x", "y", "z"), 4)]


def test_where_no_column_makes_anybody_unique_the_finest_comes_first() -> None:
    table = read(pl.DataFrame({"x": [1, 1, 2, 2] * 2, "y": [1, 2, 3, 4] * 2, "z": [1] * 4 + [2] * 4}))
    found = singling_out(table, ["x", "y", "z"], _ignore)
    assert [(one.columns, one.n_unique) for one in found] == [(("y", "z"), 8), (("x", "y", "z"), 8)]


def test_combinations_have_at_most_four_columns_or_all() -> None:
    bits = {name: (np.arange(64) >> place) % 2 for place, name in enumerate("abcde")}
    table = read(pl.DataFrame({**bits, "f": np.arange(64) // 32 * (np.arange(64) == 63)}))
    found = singling_out(table, list("abcdef"), _ignore)
    assert [len(one.columns) for one in found] == [1, 2, 3, 4, 6]


def test_columns_are_added_only_until_all_records_are_unique() -> None:
    table = read(pl.DataFrame({name: [1, 2, 3] for name in "abcdef"}))
    assert [len(one.columns) for one in singling_out(table, list("abcdef"), _ignore)] == [1, 6]


def test_nothing_is_counted_where_there_is_nothing() -> None:
    table = read(pl.DataFrame({"x": [1, 2]}))
    assert singling_out(table, [], _ignore) == ()


def test_progress_is_reported() -> None:
    shares: list[float] = []
    singling_out(read(pl.DataFrame({"x": [1, 1, 2], "y": [1, 2, 2]})), ["x", "y"], shares.append)
    assert shares == [0.0, 0.5]
