"""Tasks whose results are kept in a file, so that an interrupted benchmark resumes where it stopped."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

Task = tuple[Any, ...]
"""The name of a function, and its arguments."""

Result = dict[str, Any]


def digest(sources: Iterable[Path]) -> str:
    """Return a digest of the content of some files."""
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


def run_tasks(
    cache: Path, state: str, tasks: list[Task], functions: Mapping[str, Callable[..., Result]], prefixes: list[str]
) -> dict[Task, Result]:
    """Run the tasks that start with one of the prefixes and have no result yet; return all results.

    Parameters
    ----------
    cache
        The file of results.
    state
        The digest of the sources: results of another state do not count.
    tasks
        Every task.
    functions
        The function of each name.
    prefixes
        What the words of a task must start with; [""] for every task.
    """
    results: dict[Task, Result] = {}
    if cache.exists():
        for line in cache.read_text().splitlines():
            state_then, task, result = json.loads(line)
            if state_then == state:
                results[tuple(task)] = result
    remaining = [task for task in tasks if task not in results and " ".join(map(str, task)).startswith(tuple(prefixes))]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with cache.open("a") as file, Progress(*columns) as progress:
        bar = progress.add_task("", total=len(remaining))
        for task in remaining:
            progress.update(bar, description=" ".join(map(str, task)))
            results[task] = functions[task[0]](*task[1:])
            file.write(json.dumps([state, task, results[task]]) + "\n")
            file.flush()
            progress.advance(bar)
    return results
