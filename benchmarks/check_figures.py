"""Run a random sample of the figures of the papers' pages again; fail where one differs in the digits that are printed.

The pages of docs/reproduction/ have raw results in benchmarks/results/. First, each page must be what its template and
the raw results make. Then some results are computed anew, and the page that they make must be the same, line by line.
Figures of docs/search.md are read from the page (`printed_figures.py`). Times are not compared: they are those of the
machine that measured them. `--sample all` takes hours.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import reproduce
from cached_tasks import Result, Task, known_results
from documents import kept_pictures
from printed_figures import PAGE as SEARCH
from printed_figures import Printed, printed_figures
from reproduction.page import Page
from reproduction.results import Results

_NOT_RUN_AGAIN = ("time", "pricing")  # times, and what a time limit may end
_QUICK = 1.0  # seconds that a run took, at most, where only quick ones are wanted
_MOST_SECONDS = 15.0  # of what has a time limit: slower ones may end elsewhere on another machine


class Difference(NamedTuple):
    """Line of a page that another run makes differently."""

    page: str
    printed: str
    computed: str


def figures() -> dict[Task, Result]:
    """Return the results that are on a page and can be computed again."""
    known = known_results(reproduce.CACHE, _all_tasks())
    return {task: one for task, one in known.items() if task[0] not in _NOT_RUN_AGAIN and _is_repeatable(one)}


def is_quick(result: Result) -> bool:
    """Return whether a result was computed quickly."""
    seconds = list(_seconds(result))
    return bool(seconds) and sum(seconds) <= _QUICK


def page_differences() -> list[Difference]:
    """Return the lines of the pages that the raw results do not make."""
    known = known_results(reproduce.CACHE, _all_tasks())
    return [one for page in reproduce.PAGES.values() for one in _differences(page, known)]


def figure_differences(figure: Task | Printed) -> list[Difference]:
    """Compute a figure anew, and return the lines of pages that change with it."""
    if isinstance(figure, Printed):
        computed = figure.computed()
        return [] if computed == figure.best else [Difference(SEARCH, f"{figure.best} to {figure.worst}", computed)]
    return _task_differences(figure)


def _task_differences(task: Task) -> list[Difference]:
    known = known_results(reproduce.CACHE, _all_tasks())
    found = reproduce.FUNCTIONS[task[0]](*task[1:])
    changed = {**known, task: _with_times_of(known[task], found)}
    pages = [page for page in reproduce.PAGES.values() if task in page.tasks]
    return [one for page in pages for one in _differences(page, changed)]


def _differences(page: Page, results: dict[Task, Result]) -> list[Difference]:
    with kept_pictures():
        computed = page.text(Results(results)).splitlines()
    printed = page.path.read_text().splitlines()
    if len(printed) != len(computed):
        return [Difference(page.name, f"{len(printed)} lines", f"{len(computed)} lines")]
    return [Difference(page.name, *both) for both in zip(printed, computed, strict=True) if both[0] != both[1]]


def _all_tasks() -> list[Task]:
    return list(dict.fromkeys(task for page in reproduce.PAGES.values() for task in page.tasks))


def _is_repeatable(result: Result) -> bool:
    """Return whether no time limit ended a run, or might end it elsewhere."""
    limited = [one for one in result.values() if isinstance(one, dict)]
    return all(one["ended_by"] is None and one["seconds"] <= _MOST_SECONDS for one in limited)


def _seconds(result: Result) -> Iterator[float]:
    for name, value in result.items():
        if name == "seconds":
            yield value
        elif isinstance(value, dict):
            yield from _seconds(value)


def _with_times_of(kept: Any, found: Any) -> Any:
    """Return a result with the times of another one."""
    if not isinstance(found, dict):
        return found
    times = {"seconds": kept["seconds"]} if "seconds" in kept else {}
    return {name: _with_times_of(kept.get(name), one) for name, one in found.items()} | times


def _report(differences: Sequence[Difference]) -> bool:
    for one in differences:
        print(f"  {one.page}.md:\n    printed:  {one.printed}\n    computed: {one.computed}")
    return bool(differences)


def main() -> None:
    """Check the pages, and a sample of their figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", default="5", help="how many figures are computed again, or all")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32), help="of the sample")
    given = parser.parse_args()
    print(f"seed: {given.seed}")
    failed = _report(page_differences())
    known: list[Task | Printed] = [*sorted(figures(), key=str), *printed_figures()]
    n_wanted = len(known) if given.sample == "all" else min(int(given.sample), len(known))
    sample = random.Random(given.seed).sample(known, n_wanted)
    for number, task in enumerate(sample, start=1):
        print(f"{number} of {n_wanted} (of {len(known)}): {' '.join(map(str, task))}", flush=True)
        failed |= _report(figure_differences(task))
    if failed:
        sys.exit("figures on the pages differ from what the code computes: make reproduce PAGES=…")
    print("every figure is the one that is printed")


if __name__ == "__main__":
    main()
