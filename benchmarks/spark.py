"""Measure the same work in memory, out of core and on Spark, hard shapes on Spark, and write docs/spark.md.

Each run is a whole command in a process of its own. Results are kept in benchmarks/.spark.jsonl, so that an interrupted
measurement resumes where it stopped; those of changed sources are measured anew. The page is made from
benchmarks/spark.in.md: change its words there, and write it by `--so-far`.

`--records 100000` tries it small, in a folder of its own.
"""

import argparse
import json
import sys
import tempfile
from functools import cache, partial
from pathlib import Path

from cached_tasks import Task, digest, kept_results, run_tasks
from documents import DOCS, fill
from scale import REHEARSAL, machine
from scale_results import ScaleResults
from scale_tasks import telling_errors
from source_state import modules_state
from spark_data import SHAPES
from spark_runs import ENGINES, run_engine, run_sameness, run_shape
from spark_tables import (
    driver_memory,
    engine_table,
    sameness,
    shape_table,
    simulation,
    stage_table,
    worker_memory,
)

_HERE = Path(__file__).parent
CACHE = _HERE / ".spark.jsonl"
TEMPLATE = _HERE / "spark.in.md"
N_RECORDS = 5_000_000
_SHAPE_DIVISOR = 5  # of the number of records, for hard shapes
_WARMING_RECORDS = 30_000
_DEPENDS_ON = ("microagg.spark", "microagg.protect_file", "microagg.solve_blocks")
_OWN_FILES = ("spark_data.py", "spark_runs.py", "scale_data.py")


def main() -> None:
    """Measure, and write the page."""
    given = _parser().parse_args()
    n = given.records
    is_small = n < N_RECORDS
    pages = REHEARSAL if is_small else DOCS
    pages.mkdir(exist_ok=True)
    cache_file = REHEARSAL / CACHE.name if is_small else CACHE
    tasks = _tasks(n)
    if given.again:
        cache_file.unlink(missing_ok=True)
    _forget_failures(cache_file)
    if not given.so_far:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            _warm_up(Path(folder))
            functions = {
                "engine": telling_errors(partial(run_engine, Path(folder))),
                "same": telling_errors(partial(run_sameness, Path(folder))),
                "shape": telling_errors(partial(run_shape, Path(folder))),
            }
            try:
                run_tasks(cache_file, _state, tasks, functions, weight=lambda task: float(task[-1]))
            except KeyboardInterrupt:
                sys.exit("interrupted: run again to resume here")
    results = ScaleResults(kept_results(cache_file, tasks, _state))
    page = pages / "spark.md"
    write_page(results, n, page)
    _print_summary(results, n, page)


def write_page(results: ScaleResults, n: int, path: Path) -> None:
    """Write the page."""
    n_shape = n // _SHAPE_DIVISOR
    parts = {
        "machine": machine(),
        "engines": engine_table(results, n),
        "sameness": sameness(results, n),
        "stages": stage_table(results, n),
        "shapes": shape_table(results, n_shape),
        "worker_memory": worker_memory(results, n),
        "driver_memory": driver_memory(results, n),
        "simulation": simulation(results, n, n_shape),
    }
    path.write_text(fill(TEMPLATE, parts), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=N_RECORDS, metavar="N", help="fewer records, to try it")
    parser.add_argument("--folder", type=Path, help="folder for large files: some gigabytes (default: temporary files)")
    parser.add_argument("--again", action="store_true", help="run tasks that have results, too")
    parser.add_argument("--so-far", action="store_true", help="run nothing: write the page with what there is")
    return parser


def _tasks(n: int) -> list[Task]:
    engines: list[Task] = [("engine", engine, n) for engine in ENGINES]
    shapes: list[Task] = [("shape", shape, n // _SHAPE_DIVISOR) for shape in SHAPES]
    return [*engines, ("same", n), *shapes]


def _forget_failures(cache_file: Path) -> None:
    """Remove the results of tasks that failed, so that these run again."""
    if cache_file.exists():
        lines = cache_file.read_text().splitlines(keepends=True)
        cache_file.write_text("".join(line for line in lines if "error" not in json.loads(line)[2]))


def _warm_up(folder: Path) -> None:
    """Compile what the runs need, by small runs."""
    for engine in ENGINES:
        run_engine(folder, engine, _WARMING_RECORDS)


@cache
def _state(task: Task) -> str:
    return modules_state(_DEPENDS_ON) + digest(_HERE / name for name in _OWN_FILES)


def _print_summary(results: ScaleResults, n: int, page: Path) -> None:
    """Print the tables, and what is wrong with the results; exit with 1 if anything is."""
    print(engine_table(results, n))
    print(sameness(results, n))
    print(shape_table(results, n // _SHAPE_DIVISOR))
    print(f"written: {page}")
    for task, others in results.disturbed():
        print(f"disturbed: {' '.join(map(str, task))}: other programs kept {others:.1f} processors busy")
    errors = results.errors()
    for task, error in errors:
        print(f"failed: {' '.join(map(str, task))}: {error}")
    same = results.part(("same", n))
    if errors or (same is not None and not same["same"]):
        sys.exit(1)


if __name__ == "__main__":
    main()
