"""Columns of two tables, whatever each was read from."""

from decimal import Decimal
from pathlib import Path

import polars as pl

from files import write_bytes
from microagg import read
from microagg.compare import changed, comparable, identifying_columns, reordered


def test_numbers_are_compared_exactly_and_the_rest_as_text(tmp_path: Path) -> None:
    text = "x;n;who\n1,50;1; a\nNA;02;b \n-0,25;3;\n"
    table = read(write_bytes(tmp_path / "in.csv", text), decimal=",")
    assert comparable(table, "x") == [Decimal("1.5"), "NA", Decimal("-0.25")]
    assert comparable(table, "who") == ["a", "b", None]
    frame = read(pl.DataFrame({"x": [1.5, None, float("inf")], "day": [True, False, None], "n": [2**60 + 1, 1, 2]}))
    assert comparable(frame, "x") == [Decimal("1.5"), None, "inf"]
    assert comparable(frame, "day") == ["True", "False", None]
    assert comparable(frame, "n") == [Decimal(2**60 + 1), Decimal(1), Decimal(2)]


def test_what_differs_in_every_record_identifies() -> None:
    table = read(
        pl.DataFrame({"x": [1.0, 2.0, 3.0], "id": [7, 8, 9], "town": ["a", "a", "b"], "who": ["a", None, "c"]})
    )
    assert identifying_columns(table, ["x"]) == ("id", "who")
    assert identifying_columns(table, ["x", "id", "who"]) == ()
    assert identifying_columns(read(pl.DataFrame({"x": [1.0], "id": [7]})), ["x"]) == ()
    assert identifying_columns(read(pl.DataFrame({"x": [1.0, 2.0], "id": [7, 8]})), ["x"]) == ("id",)


def test_changed_is_not_reordered() -> None:
    before = read(pl.DataFrame({"same": [1, 2, 3], "moved": [1, 2, 3], "new": [1, 2, 3], "often": [1, 1, 2]}))
    after = read(pl.DataFrame({"same": [1.0, 2.0, 3.0], "moved": [3, 1, 2], "new": [1, 2, 4], "often": [1, 2, 2]}))
    assert changed(before, after, before.names) == ["new", "often"]
    assert reordered(before, after, before.names) == ["moved"]
