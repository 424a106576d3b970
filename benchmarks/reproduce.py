"""Put every table and figure of the five papers beside ours: write docs/reproduction/.

Finds the classic data sets as the tests do. Results are kept in benchmarks/.reproduction.jsonl, so that an interrupted
run resumes where it stopped; those are computed anew whose methods have changed. Words after the command choose pages:
"icsm igd". What is timed runs first and alone, the rest on all processors.
"""

import os
import sys

from cached_tasks import Functions, Task, run_tasks
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
from reproduction.page import FOLDER
from source_state import method_state

CACHE = DOCS.parent / "benchmarks" / ".reproduction.jsonl"
PAGES = (
    igd_page.PAGE,
    icsm_page.PAGE,
    reporder_page.PAGE,
    mf_tsp_page.PAGE,
    column_generation_page.PAGE,
    compared_page.PAGE,
)
FUNCTIONS: Functions = {
    "solve": solving.run_solve,
    "time": solving.run_time,
    "subset": paper_subsets.run_subset,
    "pricing": paper_subsets.run_pricing,
}
N_WORKERS = os.cpu_count() or 1
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


def main() -> None:
    """Compute what is missing, and write the pages."""
    wanted = sys.argv[1:] or [page.name for page in PAGES]
    if unknown := set(wanted) - {page.name for page in PAGES}:
        sys.exit(f"error: there is no page {', '.join(sorted(unknown))}: {', '.join(page.name for page in PAGES)} are")
    chosen = [page for page in PAGES if page.name in wanted]
    if uncovered := published_keys() - covered_keys([one for page in PAGES for one in page.tables.values()]):
        sys.exit(f"error: {len(uncovered)} published figures are on no page, such as {min(uncovered)}")
    tasks = dict.fromkeys(task for page in chosen for task in page.tasks)
    workers = dict.fromkeys(("solve", "subset"), N_WORKERS)
    try:
        results = run_tasks(CACHE, state, tasks, FUNCTIONS, weight=weight, workers=workers)
    except KeyboardInterrupt:
        sys.exit("interrupted: run again to resume here")
    except InputError as error:
        sys.exit(f"error: {error}")
    FOLDER.mkdir(exist_ok=True)
    for page in chosen:
        print(f"written: {page.write(results)}")
    if len(chosen) == len(PAGES):
        print(f"written: {write_index(PAGES, results)}")


if __name__ == "__main__":
    main()
