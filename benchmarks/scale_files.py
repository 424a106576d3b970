"""Measurement of the command line on files that are larger than the memory it may use."""

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from process_meter import Completed, run_metered
from scale_data import batches
from scale_runs import D, K

MEMORY = "2G"
"""Memory that protecting and verifying the large file may use."""

_COLUMNS = [f"x{j}" for j in range(D)]


def write_parquet(path: Path, n: int) -> None:
    """Write the mixture to a Parquet file, batch by batch; a file that is there already stays as it is."""
    if path.exists():
        return
    schema = pa.schema([(name, pa.float64()) for name in _COLUMNS])
    part = path.with_suffix(".part")
    with parquet.ParquetWriter(part, schema) as writer:
        for rows in batches("mixture", n, D):
            writer.write_table(pa.table(list(rows.T), schema=schema))
    part.rename(path)


def run_file(folder: Path, n: int, effort: str, memory: str | None) -> dict[str, Any]:
    """Protect a Parquet file by the command line, and verify the release against it.

    Parameters
    ----------
    folder
        Where the file, the release and what is temporary are.
    n
        Number of records.
    effort
        Effort of the search.
    memory
        Memory that each command may use, such as "2G"; None: what the program chooses.

    Returns
    -------
    dict
        Size of the file, loss, and of both commands time and memory.
    """
    folder.mkdir(parents=True, exist_ok=True)
    original = folder / f"scale-{n}.parquet"
    released = folder / f"scale-{n}-{effort}.parquet"
    report = folder / f"scale-{n}-{effort}.json"
    write_parquet(original, n)
    limits = ["--memory", memory] if memory else []
    columns = ["--columns", ",".join(_COLUMNS)]
    protecting = ["-o", str(released), "--report", str(report), "--effort", effort, "--force", "--quiet"]
    protected = _microagg("protect", str(original), "-k", str(K), *columns, *protecting, *limits)
    verified = _microagg("verify", str(original), str(released), "-k", str(K), *columns, *limits)
    facts = json.loads(report.read_text())
    (grouped,) = facts["sets"]
    released.unlink()
    return {
        "bytes": original.stat().st_size,
        "loss": grouped["information_loss"],
        "method": grouped["method"],
        "k_reached": facts["together"]["k_reached"],
        "protect": _figures(protected),
        "verify": _figures(verified),
    }


def _microagg(*arguments: str) -> Completed:
    """Run a command of the command line; one that fails is an error with what it said."""
    done = run_metered([sys.executable, "-m", "microagg", *arguments])
    if done.code:
        raise RuntimeError(f"microagg {arguments[0]} ended with {done.code}: {done.errors.strip()[-500:]}")
    return done


def _figures(done: Completed) -> dict[str, float]:
    return {**done.reading._asdict(), "peak": max(done.peak, done.high_water)}
