"""Records of Spark are found by the names that users give them; a name that finds nothing is said in a sentence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from microagg import InputError
from microagg.spark.named_frames import empty_table, named_frame

PEOPLE = pl.DataFrame({"income": [1.5, 2.5, 3.5, 4.5], "sex": ["f", "m", "f", "m"], "age": [30, 40, 50, 60]})


def test_folder_file_and_table_are_found(spark: Any, write_parquet_folder: Callable[..., Path]) -> None:
    folder = write_parquet_folder(PEOPLE, n_files=2)
    assert named_frame(spark, str(folder)).count() == 4
    assert named_frame(spark, str(next(iter(folder.iterdir())))).count() in (1, 3)
    named_frame(spark, str(folder)).createOrReplaceTempView("people_of_named_frames")
    assert named_frame(spark, "table:people_of_named_frames").count() == 4


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere/people", "there is no file or folder nowhere/people"),
        ("people.csv", "expected a folder or file of Parquet, or table:NAME, found people.csv"),
        ("table:nobody", "the catalogue has no table nobody"),
    ],
)
def test_name_that_finds_nothing_is_said_in_a_sentence(spark: Any, name: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as wrong:
        named_frame(spark, name)
    assert "\n" not in str(wrong.value)


def test_folder_without_parquet_is_said_in_a_sentence(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a folder with files of Parquet, found none"):
        named_frame(spark, str(tmp_path))
    (tmp_path / "people").write_text("income\n1\n")
    with pytest.raises(InputError, match="expected files of Parquet, found others"):
        named_frame(spark, str(tmp_path / "people"))


def test_folder_of_csv_is_told_how_to_be_converted(spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    (folder / "part-0.csv").write_text("income\n1\n")
    with pytest.raises(InputError, match=r"found others in .*people: only Parquet is read, so convert it") as wrong:
        named_frame(spark, str(folder))
    assert f"spark.read.csv('{folder}', header=True" in str(wrong.value)
    assert ".write.parquet('people.parquet')" in str(wrong.value)


def test_columns_have_their_names_and_kinds(spark: Any, write_parquet_folder: Callable[..., Path]) -> None:
    table = empty_table(named_frame(spark, str(write_parquet_folder(PEOPLE))))
    assert table.n_records == 0
    assert {name: table.kind(name) for name in table.names} == {"income": "number", "sex": "text", "age": "integer"}
