"""Tasks whose results are kept in a file, so that an interrupted benchmark resumes where it stopped."""

import hashlib
import json
import multiprocessing
import signal
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

Task = tuple[Any, ...]
"""The name of a function, and its arguments."""

Result = dict[str, Any]
Functions = Mapping[str, Callable[..., Result]]

_SPEED_PERIOD = 300.0  # seconds over which the speed is measured that tells the time left


def digest(sources: Iterable[Path]) -> str:
    """Return a digest of the content of some files."""
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


def kept_results(cache: Path, tasks: Iterable[Task], state: Callable[[Task], str]) -> dict[Task, Result]:
    """Return the results that earlier runs have kept, where the sources are in the same state as then."""
    wanted = set(tasks)
    lines = _lines(cache)
    return {task: result for state_then, task, result in lines if task in wanted and state_then == state(task)}


def known_results(cache: Path, tasks: Iterable[Task]) -> dict[Task, Result]:
    """Return the results that earlier runs have kept, the latest of each task, whatever the sources were then."""
    wanted = set(tasks)
    kept = {task: result for _, task, result in _lines(cache)}
    return {task: result for task, result in kept.items() if task in wanted}


def settle(cache: Path) -> None:
    """Sort the results, and keep the latest of each task: a file under version control changes where results do."""
    latest = {task: [state, task, result] for state, task, result in _lines(cache)}
    cache.write_text("".join(f"{json.dumps(latest[task], ensure_ascii=False)}\n" for task in sorted(latest, key=_text)))


def _lines(cache: Path) -> Iterator[tuple[str, Task, Result]]:
    """Generate state, task and result of each line."""
    if cache.exists():
        for line in cache.read_text().splitlines():
            state, words, result = json.loads(line)
            yield state, tuple(words), result


def run_tasks(
    cache: Path,
    state: Callable[[Task], str],
    tasks: Collection[Task],
    functions: Functions,
    prefixes: Iterable[str] = ("",),
    weight: Callable[[Task], float] = lambda task: 1.0,
    workers: Mapping[str, int] | None = None,
) -> dict[Task, Result]:
    """Run the tasks that start with one of the prefixes and have no result yet; return all results.

    Parameters
    ----------
    cache
        The file of results.
    state
        The state of the sources that a task depends on: results of another state do not count.
    tasks
        Every task.
    functions
        The function of each name.
    prefixes
        What the words of a task must start with.
    weight
        About how long a task takes, in any unit: for the time left.
    workers
        How many tasks of each name may run at the same time: one, where the name is not here. Those run first.
    """
    together = workers or {}
    results = kept_results(cache, tasks, state)
    words = tuple(prefixes)
    remaining = [task for task in tasks if task not in results and _text(task).startswith(words)]
    columns = (TextColumn("{task.fields[done]} of {task.fields[all]}"), BarColumn(), TimeElapsedColumn())
    left = (TextColumn("left"), TimeRemainingColumn(), TextColumn("{task.description}"))
    with cache.open("a") as file, Progress(*columns, *left, speed_estimate_period=_SPEED_PERIOD) as progress:
        bar = progress.add_task("", total=sum(map(weight, remaining)), done=0, all=len(remaining))
        for done, (task, result) in enumerate(_completed(remaining, functions, together), 1):
            results[task] = result
            file.write(json.dumps([state(task), task, result]) + "\n")
            file.flush()
            progress.update(bar, advance=weight(task), done=done, description=_text(task))
    return results


def _text(task: Task) -> str:
    return " ".join(map(str, task))


def _completed(tasks: list[Task], functions: Functions, workers: Mapping[str, int]) -> Iterator[tuple[Task, Result]]:
    """Run tasks, one after the other and then several at a time; yield each with its result."""
    for task in tasks:
        if workers.get(task[0], 1) == 1:
            yield task, functions[task[0]](*task[1:])
    others = [(functions[task[0]], task) for task in tasks if workers.get(task[0], 1) > 1]
    if others:
        with multiprocessing.get_context("spawn").Pool(max(workers.values()), _ignore_interrupts) as pool:
            yield from pool.imap_unordered(_run, others)


def _run(job: tuple[Callable[..., Result], Task]) -> tuple[Task, Result]:
    function, task = job
    return task, function(*task[1:])


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that collects the results, which ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
