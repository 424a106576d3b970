"""Workers that are forked from a process which has imported what they need: they find it there, and can use it."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

import microagg
from microagg.spark.worker_daemon import MODULE

N = 300


def _look_and_work(batches: Iterator[Any]) -> Iterator[Any]:
    """Tell what a worker has found, and use all that has threads or compiled code of its own."""
    imported = {"numba", "pyarrow", "microagg.spark.block_stage"} <= set(sys.modules)
    command = Path(f"/proc/{os.getppid()}/cmdline").read_text().split("\0")
    points = np.random.default_rng(1).normal(size=(N, 40))
    squares = float((points.T @ points).trace())
    total = pyarrow.compute.sum(pa.chunked_array([points[:, 0], points[:, 1]])).as_py()
    import polars as pl

    frame = pl.DataFrame(points[:, :2], schema=["x", "y"])
    mean = frame.lazy().group_by(pl.col("x") > 0).agg(pl.col("y").mean()).collect()["y"].sum()
    released = microagg.protect(frame, k=5, columns=["x", "y"], effort="quick").data["x"].sum()
    if sum(batch.num_rows for batch in batches):
        values = {"imported": [imported], "module": [command[2]], "values": [[squares, total, mean, released]]}
        yield pa.RecordBatch.from_pydict(values)


def test_forked_workers_share_what_is_imported_and_can_use_it(spark: Any) -> None:
    records = spark.range(0, 2, 1, 2)
    found = records.mapInArrow(_look_and_work, "imported boolean, module string, values array<double>").collect()
    assert [(row.imported, row.module) for row in found] == [(True, MODULE)] * 2
    (here,) = _look_and_work(iter([pa.record_batch({"id": [1]})]))
    assert np.allclose([row["values"] for row in found], [here.column("values")[0].as_py()] * 2)
