"""What differs beside the values is listed: texts with before and after, entries by how many have changed."""

from typing import Any

import pandas as pd
import polars as pl
import pytest

from microagg import MetadataChange, Table, read
from microagg.metadata_changes import column_metadata, metadata_changes, table_metadata


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {}, ()),
        ({"type": "a"}, {"type": "a"}, ()),
        ({"type": "a"}, {"type": "b"}, (MetadataChange("type", "a", "b"),)),
        ({"label": "a"}, {}, (MetadataChange("label", "a", None),)),
        ({}, {"label": "a"}, (MetadataChange("label", None, "a"),)),
        ({"labels": {"1": "m", "2": "f"}}, {"labels": {"1": "m", "2": "f"}}, ()),
        (
            {"labels": {"1": "m", "2": "f", "3": "x"}},
            {"labels": {"1": "m", "2": "w", "4": "y", "5": "z"}},
            (MetadataChange("labels", lost=1, added=2, altered=1),),
        ),
        ({"labels": {"1": "m", "2": "f"}}, {}, (MetadataChange("labels", lost=2),)),
        ({"notes": "one"}, {"notes": {"0": "one"}}, (MetadataChange("notes", lost=1, added=1),)),
    ],
)
def test_changes_by_hand(before: dict, after: dict, expected: tuple[MetadataChange, ...]) -> None:  # type: ignore[type-arg]
    assert metadata_changes(before, after) == expected


def test_what_is_new_comes_last() -> None:
    changed = metadata_changes({"b": "1", "c": "1"}, {"a": "1", "b": "2", "c": "1"})
    assert [one.what for one in changed] == ["b", "a"]


def test_a_dataframe_knows_its_library_index_and_attributes() -> None:
    frame = pd.DataFrame({"x": pd.Categorical(["u", "v"], categories=["v", "u", "w"], ordered=True)}, index=["r", "s"])
    frame.attrs = {"source": "register", "year": 2020}
    table = read(frame)
    assert table_metadata(table) == {
        "kind of file": "none",
        "library": "pandas",
        "index": "labels of records",
        "attributes": {"source": "register", "year": "2020"},
    }
    assert column_metadata(table, "x") == {
        "type": "category",
        "categories": {"v": "0", "u": "1", "w": "2"},
        "order of categories": "given",
    }


def test_types_name_no_categories() -> None:
    frame = pl.DataFrame({"e": pl.Series(["Anna"], dtype=pl.Enum(["Anna"])), "l": pl.Series([["Anna"]])})
    table = read(frame.with_columns(n=pl.col("e").implode()))
    texts = [text for name in table.names for text in column_metadata(table, name).values() if isinstance(text, str)]
    assert not [text for text in texts if "Anna" in text]


def test_a_text_file_knows_its_dialect(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "in.csv"  # type: ignore[operator]
    path.write_bytes("ä;b\r\n1,5;x\r\n2,5;y".encode("cp1252"))
    table = read(path)
    assert table_metadata(table) == {
        "kind of file": "CSV",
        "encoding": "CP1252",
        "delimiter": "';'",
        "line end": r"'\r\n'",
        "last line": "not ended",
        "names of columns": "in the first line",
    }
    assert column_metadata(table, "ä") == {"decimal sign": ","}
    assert column_metadata(table, "b") == {}


def test_codes_are_the_same_as_integers_and_as_floats() -> None:
    class Labelled:
        file_kind = None

        def __init__(self, labels: dict[Any, str]) -> None:
            self.labels = labels

        def description(self, name: str | None) -> dict[str, Any]:
            return {"value_labels": self.labels, "measure": "unknown", "notes": ["one"], "file_label": ""}

    one, other = (Table(Labelled(labels)) for labels in ({1.0: "m", 2.5: "f"}, {1: "m", 2.5: "f"}))  # type: ignore[arg-type]
    assert column_metadata(one, "x") == {"value labels": {"1": "m", "2.5": "f"}, "notes": {"0": "one"}}
    assert metadata_changes(column_metadata(one, "x"), column_metadata(other, "x")) == ()


def test_a_source_without_metadata_is_only_of_its_kind() -> None:
    class Bare:
        file_kind = None

    assert table_metadata(Table(Bare())) == {"kind of file": "none"}  # type: ignore[arg-type]
    assert column_metadata(Table(Bare()), "x") == {}  # type: ignore[arg-type]
