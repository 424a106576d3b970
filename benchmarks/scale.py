"""Measure how time, memory and loss grow with the number of records, and write docs/scale.md.

Each run is in a process of its own. Results are kept in benchmarks/.scale.jsonl, so that an interrupted measurement
resumes where it stopped; those of changed sources are measured anew. Times depend on what else the machine does: a run
beside which other programs worked is named at the end, to be measured again by `--again --only`.

`--rehearse` does everything with a hundredth of the records, in a folder of its own.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from cached_tasks import Task, kept_results, run_tasks
from documents import DOCS, fill
from scale_picture import draw
from scale_results import ScaleResults, count_text
from scale_tables import (
    border_table,
    bounds_table,
    file_table,
    growth_table,
    hard_table,
    leaves_table,
    mdav_table,
    peer_table,
    summary,
    target_table,
    undivided_table,
)
from scale_tasks import Sizes, functions, state, task_groups

CACHE = Path(__file__).parent / ".scale.jsonl"
TEMPLATE = Path(__file__).parent / "scale.in.md"
REHEARSAL = Path(__file__).parent / ".rehearsal"
_DIVISOR = 100  # of the numbers of records, in a rehearsal


def main() -> None:
    """Measure, and write the page."""
    given = _parser().parse_args()
    sizes = Sizes().divided_by(_DIVISOR) if given.rehearse else Sizes()
    pages = REHEARSAL if given.rehearse else DOCS
    cache = REHEARSAL / CACHE.name if given.rehearse else CACHE
    pages.mkdir(exist_ok=True)
    groups = task_groups(sizes)
    tasks = [task for group in groups.values() for task in group]
    chosen = _chosen(groups, given)
    if given.list:
        print("\n".join(f"{name}:\n  " + "\n  ".join(map(_text, group)) for name, group in groups.items()))
        return
    _forget(cache, chosen, failed_only=not given.again)
    try:
        if not given.so_far:
            run_tasks(cache, state, chosen, functions(sizes, given.folder, given.peers), weight=_weight)
    except KeyboardInterrupt:
        sys.exit("interrupted: run again to resume here")
    results = ScaleResults(kept_results(cache, tasks, state))
    write_page(results, sizes, pages)
    _print_summary(results, sizes)


def write_page(results: ScaleResults, sizes: Sizes, folder: Path) -> None:
    """Write the page and its picture into a folder."""
    draw(results, sizes, folder / "scale.svg")
    parts = {
        "machine": machine(),
        "summary": summary(results, sizes),
        "targets": target_table(results, sizes),
        "growth": growth_table(results, sizes),
        "beside_mdav": mdav_table(results, sizes),
        "leaves": leaves_table(results, sizes),
        "undivided": undivided_table(results, sizes),
        "border": border_table(results),
        "bounds": bounds_table(results, sizes),
        "hard": hard_table(results, sizes),
        "files": file_table(results, sizes),
        "peers": peer_table(results, sizes),
        "n_file": count_text(sizes.file),
        "n_middle": count_text(sizes.middle),
    }
    (folder / "scale.md").write_text(fill(TEMPLATE, parts), encoding="utf-8")


def machine() -> str:
    """Describe this machine: processor and memory."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} processors ({model}), {memory:.0f} GiB"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    only = "names of groups, or first words of tasks: run these only (--list shows all)"
    parser.add_argument("--only", nargs="+", metavar="WORDS", help=only)
    parser.add_argument("--again", action="store_true", help="run tasks that have results, too")
    parser.add_argument("--so-far", action="store_true", help="run nothing: write the page with what there is")
    parser.add_argument("--list", action="store_true", help="list the tasks, and run nothing")
    parser.add_argument("--rehearse", action="store_true", help="a hundredth of the records, in benchmarks/.rehearsal")
    parser.add_argument("--folder", type=Path, help="folder for large files: some gigabytes")
    parser.add_argument("--peers", type=Path, metavar="PYTHON", help="a Python that has k-means-constrained")
    return parser


def _chosen(groups: dict[str, list[Task]], given: argparse.Namespace) -> list[Task]:
    """Return the tasks of the groups, or with the first words, that were named; else all that have what they need."""
    if given.only is None:
        needs = {"file": given.folder, "file-standard": None, "constrained-kmeans": given.peers}
        return [task for name, group in groups.items() if needs.get(name, True) for task in group]
    words = tuple(word for word in given.only if word not in groups)
    named = [task for name in given.only for task in groups.get(name, [])]
    begun = [task for group in groups.values() for task in group if words and _text(task).startswith(words)]
    chosen = list(dict.fromkeys([*named, *begun]))
    if not chosen:
        sys.exit(f"no task starts with {' or '.join(given.only)}: --list shows all")
    return chosen


def _forget(cache: Path, tasks: Iterable[Task], failed_only: bool) -> None:
    """Remove the results of some tasks, or only those that failed."""
    if not cache.exists():
        return
    wanted = set(tasks)
    kept = []
    for line in cache.read_text().splitlines():
        _, task, result = json.loads(line)
        if tuple(task) not in wanted or (failed_only and "error" not in result):
            kept.append(line + "\n")
    cache.write_text("".join(kept))


def _text(task: Task) -> str:
    return " ".join(map(str, task))


def _weight(task: Task) -> float:
    """Return about how long a task takes: by its number of records."""
    return float(next(word for word in task if isinstance(word, int)))


def _print_summary(results: ScaleResults, sizes: Sizes) -> None:
    """Print the targets, and what is wrong with the results."""
    print(target_table(results, sizes))
    for task, error in results.errors():
        print(f"failed: {_text(task)}: {error}")
    for task, others in results.disturbed():
        print(f"disturbed: {_text(task)}: other programs kept {others:.1f} processors busy")


if __name__ == "__main__":
    main()
