"""The kind of a column of text fields, and the values they are read as."""

from pathlib import Path

import polars as pl
import pytest

from microagg.model.column import Kind
from microagg.source.text_column import N_FIRST_FIELDS
from microagg.write import to_native
from source_tables import text_table


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        (["true", "false"], "boolean"),
        (["TRUE", "FALSE", "NA", ""], "boolean"),
        (["True", " false "], "boolean"),
        (["0", "1"], "integer"),
        (["true", "1"], "mixed"),
        (["yes", "no"], "text"),
        (["2020-01-31", "NA"], "date"),
        (["2020-01-31", "2020-02-30"], "text"),
        (["2020-01-31", "31.12.2020"], "text"),
        (["2020-01-31", "2020-01-31T10:30"], "text"),
        (["2020-01-31T10:30", "2020-01-31 10:30:15.25"], "datetime"),
        (["2020-01-31T10:30:00Z", "2020-01-31T10:30:00+01:00"], "datetime"),
        (["2020-01-31T10:30:00Z", "2020-01-31T10:30:00"], "text"),
        (["2020-01-31T25:30", "2020-01-31T10:30"], "text"),
        (["20200131", "20200201"], "integer"),
        (["007", "042"], "text"),
        (["00501", "10001", "90210"], "text"),
        (["01.11", "10.20"], "text"),
        (["1.5", "22.5", "07.5"], "mixed"),
    ],
)
def test_kind(fields: list[str], kind: Kind, tmp_path: Path) -> None:
    assert text_table(tmp_path, "a,b\n" + "".join(f"{field},z\n" for field in fields)).kind("a") == kind


@pytest.mark.parametrize(
    ("first", "last", "kind"),
    [
        ("true", "false", "boolean"),
        ("true", "x", "text"),
        ("2020-01-31", "2020-02-01", "date"),
        ("2020-01-31", "x", "text"),
        ("2020-01-31T10:30", "2020-02-01T10:30", "datetime"),
        ("2020-01-31T10:30", "x", "text"),
        ("1.234", "1.235", "mixed"),
        ("1.234", "1.2345", "number"),
    ],
)
def test_all_fields_count_and_not_only_the_first(first: str, last: str, kind: Kind, tmp_path: Path) -> None:
    fields = [first] * N_FIRST_FIELDS + [last]
    assert text_table(tmp_path, "a;b\n" + "".join(f"{field};z\n" for field in fields)).kind("a") == kind


def test_integers_beyond_64_bits_keep_their_kind_and_digits(tmp_path: Path) -> None:
    digits = "123456789012345678901234567890"
    table = text_table(tmp_path, f"a,b\n{digits},x\n{digits}1,x\n")
    assert table.kind("a") == "integer"
    assert table.column("a").objects() == [int(digits), int(digits + "1")]
    assert len(set(table.codes("a").tolist())) == 2
    assert table.numbers("a")[0] == float(digits)
    assert to_native(table).schema["a"] == pl.String


def test_numbers_that_floats_cannot_distinguish_are_two_values(tmp_path: Path) -> None:
    table = text_table(tmp_path, "a,b\n0.1,x\n0.10000000000000000001,x\n0.10,x\nNA,x\n,x\n")
    codes = table.codes("a").tolist()
    assert codes[0] == codes[2] != codes[1]
    assert codes[3] != codes[4], "marks of missing values can be told apart by whoever reads the file"
