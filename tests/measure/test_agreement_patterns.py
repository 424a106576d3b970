"""Agreement of original records with released classes, as patterns of bits."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.measure.agreement_patterns import (
    Agreement,
    AgreementColumn,
    PatternCounts,
    compare_columns,
    merged,
)
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.released_classes import ReleasedClasses
from microagg.model.arrays import IntArray
from risk_tables import compared

ALL = slice(None)


def _codes(tables: ComparedTables) -> IntArray:
    classes = ReleasedClasses.of(tables)
    columns = compare_columns(tables, np.arange(tables.n_records), classes.firsts)
    codes: IntArray = Agreement(columns, classes.sizes).codes(ALL).astype(np.int64)
    return codes[:, classes.labels]


def test_numbers_agree_within_a_quarter_of_the_deviation() -> None:
    """The deviation of the original is 4, so that 3 agrees with 2 and with 4, not with 1.9."""
    before = pl.DataFrame({"x": [3.0, 7.0, 11.0]})
    after = pl.DataFrame({"x": [2.0, 4.0, 1.9]})
    assert _codes(compared(before, after, ["x"])).tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_categories_agree_where_they_are_equal_and_missing_values_with_each_other() -> None:
    before = pl.DataFrame({"c": ["a", "b", None], "x": [1.0, None, 9.0]})
    after = pl.DataFrame({"c": ["a", "a", None], "x": [1.0, None, 1.0]})
    found = _codes(compared(before, after, ["c", "x"]))
    assert found.tolist() == [[0b11, 0b10, 0b01], [0b00, 0b01, 0b00], [0b00, 0b00, 0b10]]


def test_dates_agree_within_a_quarter_of_the_deviation() -> None:
    before = pl.DataFrame({"d": [date(2000, 1, 1), date(2000, 1, 5), date(2000, 1, 9)]})
    after = pl.DataFrame({"d": [date(2000, 1, 2), date(2000, 1, 3), date(2000, 1, 9)]})
    assert _codes(compared(before, after, ["d"])).tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]


def test_column_without_any_value_agrees() -> None:
    frame = pl.DataFrame({"x": [None, None], "y": [1.0, 9.0]}, schema={"x": pl.Float64, "y": pl.Float64})
    assert _codes(compared(frame, frame, ["x", "y"])).tolist() == [[0b11, 0b10], [0b10, 0b11]]


def _bits(n_bits: int, seed: int) -> Agreement:
    """Return agreement at random: of five originals with four classes."""
    rng = np.random.default_rng(seed)
    columns = []
    for _ in range(n_bits):
        original = rng.integers(0, 2, size=5).astype(np.float64)
        low = rng.integers(0, 2, size=4).astype(np.float64)
        columns.append(AgreementColumn(original, low, np.ones(4)))
    return Agreement(tuple(columns), np.array([3, 1, 2, 5]))


@pytest.mark.parametrize("n_bits", [1, 16, 17, 62])
def test_pairs_of_records_are_counted_by_pattern(n_bits: int) -> None:
    agreement = _bits(n_bits, n_bits)
    codes = agreement.codes(ALL).astype(np.int64)
    table = merged([agreement.counted(slice(0, 2)), agreement.counted(slice(2, 5))])
    assert table.patterns.tolist() == sorted(set(codes.ravel().tolist()))
    expected = [float((np.array([3, 1, 2, 5]) * (codes == one)).sum()) for one in table.patterns]
    assert table.counts.tolist() == expected
    values = np.arange(len(expected), dtype=np.float64)
    found = agreement.looked_up(agreement.codes(slice(1, 4)), table, values)
    assert found.tolist() == [[values[table.patterns == one][0] for one in row] for row in codes[1:4]]


@pytest.mark.parametrize("n_bits", [16, 17, 62])
def test_first_column_is_the_highest_bit(n_bits: int) -> None:
    columns = [AgreementColumn(np.zeros(1), np.ones(1), np.ones(1))] * n_bits
    columns[0] = AgreementColumn(np.ones(1), np.ones(1), np.ones(1))
    assert Agreement(tuple(columns), np.ones(1, dtype=np.int64)).codes(ALL).tolist() == [[2 ** (n_bits - 1)]]


@given(st.lists(st.dictionaries(st.integers(0, 9), st.integers(1, 9), min_size=1), min_size=1, max_size=4))
def test_counts_of_several_sets_add_up(parts: list[dict[int, int]]) -> None:
    tables = [
        PatternCounts(np.array(sorted(one)), np.array([one[key] for key in sorted(one)], dtype=float)) for one in parts
    ]
    found = merged(tables)
    total = {key: sum(one.get(key, 0) for one in parts) for key in {key for one in parts for key in one}}
    assert dict(zip(found.patterns.tolist(), found.counts.tolist(), strict=True)) == total
    assert found.patterns.tolist() == sorted(total)
