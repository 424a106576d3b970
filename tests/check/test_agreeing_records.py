"""Records with missing cells agree as the slow count has it, in records and in units."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_verify
from microagg.check import agreeing_records, pattern_join
from microagg.check.agreeing_records import AgreeingRecords
from microagg.model.arrays import IntArray


def _agreeing(rows: list[list[Any]], units: list[int] | None = None) -> AgreeingRecords:
    present = np.array([[value is not None for value in row] for row in rows])
    codes = np.array([[7 if value is None else value for value in row] for row in rows], dtype=np.int64)
    return AgreeingRecords([*codes.T], [*present.T], None if units is None else np.array(units))


@st.composite
def _tables(draw: st.DrawFn) -> tuple[list[list[int | None]], list[int]]:
    d = draw(st.integers(1, 4))
    cell = st.one_of(st.none(), st.integers(0, 2))
    rows = draw(st.lists(st.lists(cell, min_size=d, max_size=d), min_size=1, max_size=14))
    units = draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    return rows, units


def _check_counts(found: IntArray, expected: list[int], k: int) -> None:
    assert found.min() == min(expected)
    for count, truth in zip(found.tolist(), expected, strict=True):
        assert count <= truth
        assert count == truth or count >= k


@pytest.fixture(params=["joins", "comparisons"])
def _way(request: pytest.FixtureRequest) -> Iterator[None]:
    """Count by joining patterns, or by comparing rows, whatever takes less time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AgreeingRecords, "_joins", lambda self, n_compared: request.param == "joins")
        yield


@pytest.mark.usefixtures("_way")
@given(_tables(), st.integers(1, 5))
def test_fewest_agreeing_records(table: tuple[list[list[int | None]], list[int]], k: int) -> None:
    rows, units = table
    records = list(range(len(rows)))
    _check_counts(_agreeing(rows).fewest(k), naive_verify.fewest_agreeing(rows, records, records), k)
    by_units = _agreeing(rows, units)
    _check_counts(by_units.fewest(k), naive_verify.fewest_agreeing(rows, units, units), k)


@pytest.mark.usefixtures("_way")
@given(_tables())
def test_classes_and_candidates(table: tuple[list[list[int | None]], list[int]]) -> None:
    rows, _ = table
    agreeing = _agreeing(rows)
    classes = [set(records.tolist()) for records in agreeing.classes()]
    assert sorted(map(sorted, classes)) == sorted(map(sorted, naive_verify.linked_classes(rows)))
    for record, row in enumerate(rows):
        expected = [other for other in range(len(rows)) if naive_verify.agree(row, rows[other])]
        assert agreeing.candidates(record).tolist() == expected


@pytest.mark.parametrize("pairs", [1, 3, 40])
def test_small_blocks_count_the_same(pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (60, 3))
    present = rng.random((60, 3)) < 0.7
    units = rng.integers(0, 20, 60)
    for of_records in (None, units):
        whole = AgreeingRecords([*codes.T], [*present.T], of_records)
        expected = whole.fewest(9)
        classes = list(map(list, whole.classes()))
        monkeypatch.setattr(agreeing_records, "_PAIRS_PER_BLOCK", pairs)
        found = AgreeingRecords([*codes.T], [*present.T], of_records)
        assert found.fewest(9).min() == expected.min()
        assert ((found.fewest(9) < 9) == (expected < 9)).all()
        assert list(map(list, found.classes())) == classes
        monkeypatch.undo()


def test_a_record_without_values_agrees_with_all() -> None:
    assert _agreeing([[None, None], [1, 1], [2, 2]]).fewest(2).tolist() == [3, 1, 1]
    assert _agreeing([[1, None], [1, None], [None, 2], [None, 2]]).fewest(2).tolist() == [2, 2, 2, 2]
    assert _agreeing([[1, None], [1, 5], [1, 5], [1, None]]).fewest(3).tolist() == [4, 2, 2, 4]


def test_equal_hashes_of_other_values_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    codes = [*rng.integers(0, 3, (4, 80))]
    present = [*(rng.random((4, 80)) < 0.7)]
    monkeypatch.setattr(AgreeingRecords, "_joins", lambda self, n_compared: True)
    expected = AgreeingRecords(codes, present)
    monkeypatch.setattr(pattern_join, "_mixed", lambda numbers: numbers % np.uint64(2))
    found = AgreeingRecords(codes, present)
    assert found.fewest(5).tolist() == expected.fewest(5).tolist()
    assert list(map(list, found.classes())) == list(map(list, expected.classes()))


def test_many_rows_of_few_patterns_are_joined() -> None:
    n = 3000
    codes = [np.arange(n) // 2] * 3
    gaps = np.arange(n) % 2 == 1
    agreeing = AgreeingRecords(codes, [np.ones(n, dtype=np.bool_), np.ones(n, dtype=np.bool_), ~gaps])
    assert agreeing._joins(n)
    assert not agreeing._joins(10)
    assert agreeing.fewest(3).tolist() == [1, 2] * (n // 2), "one of two has a value in the third column"
    assert len(agreeing.classes()) == n // 2
