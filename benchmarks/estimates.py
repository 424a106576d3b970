"""Compare estimates of time and memory with what is measured: one thread, warm, processor time.

    python benchmarks/estimates.py [--only WORD] [--folder FOLDER]

Each case is a file that is protected by the command line in a process of its own. Predicted and measured seconds are
printed, and their ratio; where ratios are far from 1, the coefficients in `stage_times.py`, `pipeline_times.py` and
`estimate.py` are to be fitted anew. Other programs disturb processor time little, but not at all they do.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import polars as pl

from microagg import estimate
from process_meter import Completed, run_metered
from scale_data import data

N_WARM = 6_000  # records of the run that compiles what is needed
SECONDS_TO_START = 1.6  # of Python and its libraries


class Case(NamedTuple):
    """A run whose time is predicted and measured."""

    n: int
    d: int
    k: int
    method: str
    effort: str | None = None
    ending: str = "parquet"
    memory: str | None = None

    @property
    def label(self) -> str:
        """What the table calls it."""
        words = [self.method, self.effort or "", f"{self.n} x {self.d}, k = {self.k}", self.ending, self.memory or ""]
        return " ".join(word for word in words if word)


CASES = (
    Case(20_000, 10, 5, "mdav"),
    Case(100_000, 10, 5, "mdav"),
    Case(20_000, 3, 3, "v-mdav"),
    Case(200_000, 10, 5, "zscore-fixed", ending="csv"),
    Case(500_000, 1, 5, "auto", ending="csv"),
    Case(20_000, 10, 5, "mdav+descent"),
    Case(2_000, 10, 5, "auto", "quick"),
    Case(5_000, 10, 5, "auto", "standard"),
    Case(20_000, 10, 5, "auto", "quick"),
    Case(100_000, 10, 5, "auto", "quick"),
    Case(100_000, 3, 10, "auto", "quick"),
    Case(50_000, 10, 5, "auto", "standard"),
    Case(600_000, 10, 5, "mdav", memory="400M"),
)


def main() -> None:
    """Print predicted and measured figures of each case."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="measure only cases with this word in their label")
    parser.add_argument("--folder", type=Path, help="where the files are made (default: a temporary folder)")
    options = parser.parse_args()
    print(f"{'case':46} {'predicted':>10} {'measured':>10} {'ratio':>6} {'MB pred.':>9} {'measured':>9}")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for case in CASES:
            if options.only in case.label:
                print(_row(case, Path(folder)), flush=True)


def _row(case: Case, folder: Path) -> str:
    source = folder / f"in.{case.ending}"
    _write(case._replace(n=min(case.n, N_WARM)), source)
    _protected(case, source)
    _write(case, source)
    expected = estimate(source, case.k, method=case.method, effort=case.effort, memory=case.memory, workers=1)
    done = _protected(case, source)
    if done.code != 0 or expected.seconds is None:
        return f"{case.label:46} {done.errors.strip() or 'not predicted'}"
    seconds = expected.seconds + SECONDS_TO_START
    measured = done.reading.cpu
    return (
        f"{case.label:46} {seconds:10.2f} {measured:10.2f} {seconds / measured:6.2f} "
        f"{expected.memory / 1e6:9.0f} {done.high_water / 1e6:9.0f}"
    )


def _write(case: Case, source: Path) -> None:
    """Make the data of a case."""
    X = data("mixture", case.n, case.d).round(5)
    frame = pl.DataFrame({f"c{column}": X[:, column] for column in range(case.d)})
    (frame.write_csv if case.ending == "csv" else frame.write_parquet)(source)


def _protected(case: Case, source: Path) -> Completed:
    """Protect the file by the command line, on one thread."""
    words = ["protect", str(source), "-k", str(case.k), "-o", str(source.with_name("out.parquet")), "--force"]
    words += ["--method", case.method, "--workers", "1", "--quiet"]
    words += [] if case.effort is None else ["--effort", case.effort]
    words += [] if case.memory is None else ["--memory", case.memory]
    return run_metered([sys.executable, "-m", "microagg", *words])


if __name__ == "__main__":
    main()
