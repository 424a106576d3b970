"""The session of the tests: several partitions, tasks that are tried again, and files in the order of their names."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl


def test_files_of_a_folder_are_several_partitions_with_known_rows(
    spark: Any, write_parquet_folder: Callable[..., Path]
) -> None:
    frame = pl.DataFrame({"x": range(1000)})
    folder = write_parquet_folder(frame)
    sizes = [pl.read_parquet(file).height for file in sorted(folder.iterdir())]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == 3
    read = spark.read.parquet(str(folder))
    assert read.rdd.getNumPartitions() > 2
    rows = read.selectExpr("_metadata.file_path AS file", "_metadata.row_index AS row", "x").collect()
    assert [row.x for row in sorted(rows)] == list(range(1000))


def test_tasks_that_fail_are_tried_again(spark: Any, tmp_path: Path) -> None:
    mark = tmp_path / "tried"

    def failing_once(batches: Iterator[Any]) -> Iterator[Any]:
        if not mark.exists():
            mark.touch()
            raise OSError("the first attempt fails")
        yield from batches

    assert spark.range(10).coalesce(1).mapInArrow(failing_once, "id long").count() == 10
    assert mark.exists()
