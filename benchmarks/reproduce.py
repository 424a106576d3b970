"""Put every table and figure of the five papers beside ours: write docs/reproduction/.

Finds the classic data sets as the tests do. Results are kept in benchmarks/results/reproduction.jsonl, so that an
interrupted run resumes where it stopped; those are computed anew whose methods have changed. Words after the command
choose pages, "icsm igd": the others, and what the index says of them, stay as they are. What is timed runs first and
alone, the rest on all processors. `make check-figures` runs a sample again.
"""

import argparse
import os
import sys

from cached_tasks import Functions, Task, kept_results, known_results, run_tasks, settle
from documents import DOCS
from microagg import InputError
from reproduction import (
    column_generation_page,
    compared_page,
    icsm_page,
    igd_page,
    mf_tsp_page,
    paper_subsets,
    reporder_page,
    solving,
)
from reproduction.index_page import write_index
from reproduction.loss_tables import covered_keys, published_keys
from reproduction.page import FOLDER, Page
from reproduction.results import Results
from source_state import method_state

CACHE = DOCS.parent / "benchmarks" / "results" / "reproduction.jsonl"
PAGES = {
    module.PAGE.name: module.PAGE
    for module in (igd_page, icsm_page, reporder_page, mf_tsp_page, column_generation_page, compared_page)
}
FUNCTIONS: Functions = {
    "solve": solving.run_solve,
    "orders": solving.run_orders,
    "time": solving.run_time,
    "subset": paper_subsets.run_subset,
    "pricing": paper_subsets.run_pricing,
}
SLOW = {  # seconds that a task takes on two processors, where it is more than one
    "icsm(starts=1600)": 150.0,
    "icsm(starts=200": 20.0,
    "reporder": 15.0,
    "synthetic (max 400": 20.0,
    "mf-tsp": 5.0,
}


def state(task: Task) -> str:
    """Return the state of the sources that a task depends on."""
    if task[0] in ("subset", "pricing"):
        return "".join(map(method_state, ("column-generation", "v-mdav", "search")))
    return solving.state(task)


def weight(task: Task) -> float:
    """Return about how many seconds a task takes."""
    text = " ".join(map(str, task[1:]))
    return max((seconds for name, seconds in SLOW.items() if name in text), default=1.0)


def arguments() -> argparse.Namespace:
    """Read the arguments of the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", metavar="page", help=f"a page: {', '.join(PAGES)}; all without one")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many tasks run at the same time")
    parser.add_argument("--so-far", action="store_true", help="run nothing: write pages with the results there are")
    given = parser.parse_args()
    if unknown := set(given.pages) - set(PAGES):
        parser.error(f"there is no page {', '.join(sorted(unknown))}: choose from {', '.join(PAGES)}")
    return given


def main() -> None:
    """Compute what is missing, and write the pages."""
    given = arguments()
    if uncovered := published_keys() - covered_keys([one for page in PAGES.values() for one in page.tables.values()]):
        sys.exit(f"error: {len(uncovered)} published figures are on no page, such as {min(uncovered)}")
    chosen = [PAGES[name] for name in given.pages or PAGES]
    tasks = dict.fromkeys(task for page in chosen for task in page.tasks)
    workers = dict.fromkeys(("solve", "orders", "subset"), given.workers)
    try:
        if not given.so_far:
            run_tasks(CACHE, state, tasks, FUNCTIONS, weight=weight, workers=workers)
            settle(CACHE)
        write(chosen)
    except KeyboardInterrupt:
        sys.exit("interrupted: run again to resume here")
    except InputError as error:
        sys.exit(f"error: {error}")


def write(chosen: list[Page]) -> None:
    """Write some pages, and the index."""
    everything = dict.fromkeys(task for page in PAGES.values() for task in page.tasks)
    results = Results(known_results(CACHE, everything))
    FOLDER.mkdir(exist_ok=True)
    for page in chosen:
        print(f"written: {page.write(results)}")
    print(f"written: {write_index(PAGES.values(), results)}")
    if n_missing := len(everything) - len(results):
        print(f"{n_missing} of {len(everything)} tasks have no result yet, as the pages say: run it again")
    if n_earlier := len(results) - len(kept_results(CACHE, everything, state)):
        print(f"{n_earlier} results are of earlier code: name no page, or theirs, to run them again")


if __name__ == "__main__":
    main()
