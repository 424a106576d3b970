"""Columns: kinds, codes, missing values, and numbers that can be squared."""

import math
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from microagg import Column, InputError
from microagg.model.column import EXACT_INTEGER_LIMIT, floats, number_distinct


@pytest.mark.parametrize(
    ("kind", "values", "categories", "missing", "words"),
    [
        ("integer", np.array([1.5]), None, None, r"column 'c' of integer: found values of float64, \(1,\)"),
        ("number", np.array([1]), None, None, r"column 'c' of number: found values of int64, \(1,\)"),
        ("number", np.array([[1.5]]), None, None, r"column 'c' of number: found values of float64, \(1, 1\)"),
        ("text", np.array(["a"]), ("a",), None, r"column 'c' of text: found values of <U1, \(1,\)"),
        ("text", np.array([0]), None, None, "column 'c' of text: categories go with codes, and only with them"),
        ("number", np.array([0.5]), ("a",), None, "column 'c' of number: categories go with codes, and only with"),
        ("number", np.array([0.5]), None, np.array([True, False]), "column 'c': expected a mask of 1 booleans"),
        ("number", np.array([0.5]), None, np.array([1]), "column 'c': expected a mask of 1 booleans"),
        ("text", np.array([0, 2]), ("a", "b"), None, "column 'c': a code has no category"),
        ("text", np.array([0, -1]), ("a", "b"), None, "column 'c': a code has no category"),
        ("text", np.array([0, 2]), ("a", "b"), np.array([True, False]), "column 'c': a code has no category"),
    ],
)
def test_values_that_do_not_go_with_the_kind_are_refused(
    kind: Any, values: Any, categories: Any, missing: Any, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        Column("c", kind, values, categories, missing)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("integer", np.array([1, 2], dtype=np.int8)),
        ("integer", np.array([1, 2], dtype=np.uint64)),
        ("integer", np.array([1, 10**30], dtype=object)),
        ("number", np.array([1.5, 2.5], dtype=np.float32)),
        ("boolean", np.array([True, False])),
        ("date", np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]")),
        ("datetime", np.array(["2020-01-01", "2020-01-02"], dtype="M8[us]")),
    ],
)
def test_every_kind_has_its_types(kind: Any, values: Any) -> None:
    column = Column("c", kind, values)
    assert (column.kind, len(column)) == (kind, 2)
    assert column.objects() == values.tolist()


def test_codes_of_missing_values_mean_nothing() -> None:
    column = Column("c", "category", np.array([1, 9, 0]), ("a", "b"), np.array([False, True, False]))
    assert column.objects() == ["b", None, "a"]
    assert Column("c", "category", np.array([], dtype=int), ()).objects() == []
    nothing = Column("c", "category", np.array([-1, 0]), (), np.array([True, True]))
    assert nothing.objects() == [None, None]


def test_arrays_are_copies_that_cannot_be_written() -> None:
    values = np.array([1.5, 2.5])
    missing = np.array([False, True])
    column = Column("c", "number", values, missing=missing)
    values[0] = 7.0
    missing[0] = True
    assert column.objects() == [1.5, None]
    assert column.missing is not None
    for array in (column.values, column.missing):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    values.flags.writeable = False
    assert Column("c", "number", values).values is values  # nobody can write it


def test_columns_of_numbers_know_what_is_missing() -> None:
    integers = Column.of_numbers("n", np.array([1, 2]))
    assert (integers.kind, integers.missing) == ("integer", None)
    plain = Column.of_numbers("x", np.array([1.5, 2.5]))
    assert (plain.kind, plain.missing) == ("number", None)
    gaps = Column.of_numbers("x", np.array([1.5, np.nan]))
    assert gaps.missing is not None
    assert gaps.missing.tolist() == [False, True]
    assert repr(integers) == "Column('n', integer, 2 values)"
    assert repr(gaps) == "Column('x', number, 2 values, 1 missing)"


def test_columns_of_objects_number_them_as_they_come() -> None:
    column = Column.of_objects("c", ["b", None, "a", "b", None])
    assert (column.kind, column.categories) == ("text", ("b", "a"))
    assert column.objects() == ["b", None, "a", "b", None]
    assert column.missing is not None
    assert column.missing.tolist() == [False, True, False, False, True]
    assert Column.of_objects("c", ["b"], "mixed").kind == "mixed"
    assert Column.of_objects("c", ["b"]).missing is None
    assert Column.of_objects("c", []).objects() == []


def test_numbers_are_floats() -> None:
    assert Column.of_numbers("n", np.array([1, 2])).numbers().dtype == np.float64
    assert Column("b", "boolean", np.array([True, False])).numbers().tolist() == [1.0, 0.0]
    gaps = Column("n", "integer", np.array([1, 2]), missing=np.array([False, True])).numbers()
    np.testing.assert_array_equal(gaps, [1.0, np.nan])
    huge = Column("n", "integer", np.array([10**400, -(10**400), 3], dtype=object))
    assert huge.numbers().tolist() == [math.inf, -math.inf, 3.0]
    with pytest.raises(InputError, match="column 't' is of kind text: it has no numbers"):
        Column.of_objects("t", ["1"]).numbers()


def test_codes_are_equal_where_values_are() -> None:
    assert Column.of_numbers("x", np.array([2.5, 1.5, 2.5])).codes().tolist() == [1, 0, 1]
    gaps = Column("x", "number", np.array([1.5, 1.5, 2.5, 2.5]), missing=np.array([False, True, False, True]))
    assert gaps.codes().tolist() == [0, 2, 1, 2]
    nothing = Column("x", "number", np.array([1.5]), missing=np.array([True]))
    assert nothing.codes().tolist() == [1]
    assert Column.of_numbers("x", np.array([])).codes().tolist() == []
    assert Column("x", "number", np.array([]), missing=np.array([], dtype=bool)).codes().tolist() == []


def test_order_of_values() -> None:
    column = Column("c", "category", np.array([1, 9, 0]), ("a", "b"), np.array([False, True, False]))
    moved = column.in_order(np.array([2, 0, 1]))
    assert (moved.name, moved.kind, moved.objects()) == ("c", "category", ["a", "b", None])
    assert Column.of_numbers("x", np.array([1, 2])).in_order(np.array([1, 0])).objects() == [2, 1]


def test_times_are_python_objects_where_python_has_them() -> None:
    days = Column("d", "date", np.array(["2020-01-31"], dtype="M8[D]"))
    assert days.objects() == [date(2020, 1, 31)]
    for unit in ("h", "m", "s", "ms", "us", "ns"):
        times = Column("d", "datetime", np.array(["2020-01-31T12"], dtype=f"M8[{unit}]"))
        assert times.objects() == [datetime(2020, 1, 31, 12)]
    exact = np.array(["2020-01-31T12:00:00.000000001", "NaT"], dtype="M8[ns]")
    listed = Column("d", "datetime", exact).objects()
    assert listed[0] == exact[0]
    assert isinstance(listed[0], np.datetime64)
    missing = Column("d", "datetime", np.array(["2020-01-31", "NaT"], dtype="M8[ns]"), missing=np.array([False, True]))
    assert missing.objects() == [datetime(2020, 1, 31), None]


def test_floats_of_any_numbers() -> None:
    numbers = floats([1, 2.5, None, Fraction(1, 4), 10**400, -(10**400), True])
    np.testing.assert_array_equal(numbers, [1.0, 2.5, np.nan, 0.25, np.inf, -np.inf, 1.0])
    assert numbers.dtype == np.float64
    assert floats([]).shape == (0,)


def test_floats_hold_every_integer_below_the_limit() -> None:
    assert float(EXACT_INTEGER_LIMIT - 1) != float(EXACT_INTEGER_LIMIT) == float(EXACT_INTEGER_LIMIT + 1)


def test_distinct_keys_are_numbered_as_they_come() -> None:
    assert number_distinct(["b", "a", "b", 1, 1.0]).tolist() == [0, 1, 0, 2, 2]
    assert number_distinct([[1], [2], [1], (1,)]).tolist() == [0, 1, 0, 2]
    assert number_distinct([np.array([1, 2]), [1, 2], np.array([1, 3])]).tolist() == [0, 0, 1]
    assert number_distinct([]).dtype == np.int64

    class Series:
        __hash__ = None  # type: ignore[assignment]

        def __init__(self, items: list[int]) -> None:
            self.items = items

        def to_list(self) -> list[int]:
            return self.items

    assert number_distinct([Series([1]), Series([2]), [1]]).tolist() == [0, 1, 0]
