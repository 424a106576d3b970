"""Run tasks and keep their results as they come, so that a run that was broken off goes on where it stopped."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

Task = tuple[Any, ...]
"""The name of what is run, and its arguments."""

Result = dict[str, Any]


def digest(sources: Iterable[Path]) -> str:
    """Tell one state of some files from another."""
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


def run_tasks(
    cache: Path, state: str, tasks: list[Task], runs: Mapping[str, Callable[..., Result]], words: list[str]
) -> dict[Task, Result]:
    """Run what is not known yet in this state, of the tasks that begin with some words; give all that is known."""
    results: dict[Task, Result] = {}
    if cache.exists():
        for line in cache.read_text().splitlines():
            kept, task, result = json.loads(line)
            if kept == state:
                results[tuple(task)] = result
    left = [task for task in tasks if task not in results and " ".join(map(str, task)).startswith(tuple(words))]
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with cache.open("a") as file, Progress(*columns) as progress:
        bar = progress.add_task("", total=len(left))
        for task in left:
            progress.update(bar, description=" ".join(map(str, task)))
            results[task] = runs[task[0]](*task[1:])
            file.write(json.dumps([state, task, results[task]]) + "\n")
            file.flush()
            progress.advance(bar)
    return results
