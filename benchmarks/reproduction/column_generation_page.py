"""Page of the column generation paper: its example, and the experiment of its tables 2 to 4."""

from functools import partial
from statistics import mean

import numpy as np

from cached_tasks import Result, Task
from classics import CLASSICS
from documents import table
from reproduction.page import Page
from reproduction.paper_subsets import (
    CRITERIA,
    KS,
    NUMBERS,
    OURS,
    PAPER,
    PAPER_LIMIT,
    PRICING_LIMIT,
    PRICINGS,
    SIZES,
    SUBSETS,
    pricing_tasks,
    subset_tasks,
)
from reproduction.results import MissingResultError, Results

_FACTORIES = ((55, 1410), (48, 1205), (41, 1120))  # table 1
_TABLE_2 = {3: "CE", 4: "CE", 5: "CE", 6: "CE, EP at n = 200", 7: "EP", 8: "EP", 9: "EP"}  # by the size of a group
_EXACT = 1e-4  # percent of gap below which a solution is optimal
_LARGE = 100  # records, from which on the heuristics are compared apart
_EARLIER = "†"  # mark of rows of earlier code, which the raw results do not make
_HEADER = ("MDAV", "V-MDAV", "MSTH", "SRH", "`search`", "Ex", "time")


def _gap(sse: float, bound: float) -> float:
    """Return the gap in percent: (15) of the paper."""
    return 100 * max(0.0, 1 - bound / sse) if sse else 0.0


def _ended(found: list[Result]) -> list[Result]:
    """Return the results of those subsets on which the paper's pricing came to its end."""
    return [one for one in found if PAPER in one and one[PAPER]["ended_by"] is None]


def _cells(found: list[Result]) -> list[str]:
    """Return the mean gaps, how many optima are proved, and the mean time: with the paper's pricing, and with ours."""
    both = _ended(found)
    cells = [f"{_mean_gap(found, which):.2f}" for which in ("mdav", "v-mdav")]
    for which in ("tree", "simple"):
        ours = f"{mean(_gap(one[OURS][which], one[OURS]['bound']) for one in found):.2f}"
        paper = [_gap(one[PAPER][which], one[OURS]["bound"]) for one in both]
        cells.append(f"{mean(paper):.2f} · {ours}" if paper else f"– · {ours}")
    cells.append(f"{_mean_gap(found, 'search'):.2f}")
    exact = [_count_exact(both, PAPER) if both else "–", f"{_count_exact(found, OURS)} of {len(found)}"]
    seconds = [f"{mean(one[PAPER]['seconds'] for one in both):.2f}" if both else "–"]
    seconds.append(f"{mean(one[OURS]['seconds'] for one in found):.2f}")
    return [*cells, " · ".join(exact), " · ".join(seconds)]


def _mean_gap(found: list[Result], which: str) -> float:
    return mean(_gap(one[which], one[OURS]["bound"]) for one in found)


def _count_exact(found: list[Result], pricing: str) -> str:
    return str(sum(_gap(one[pricing]["best"], one[OURS]["bound"]) <= _EXACT for one in found))


def _summary(results: Results) -> str:
    """Return the gaps by size and k, and how often the paper's pricing did not come to its end."""
    kept = _kept_rows("By size and k", 2)
    rows = []
    for size in SIZES:
        for k in KS:
            tasks = [task for task in subset_tasks() if task[3] == size and task[5] == k]
            rows.append(_row(results, tasks, (str(size), str(k)), kept))
    tried = [results[task] for task in subset_tasks() if task in results and PAPER in results[task]]
    unfinished = f"{len(tried) - len(_ended(tried))} of {len(tried)}"
    note = f"Of the subsets run anew, the paper's pricing did not end in time on {unfinished}: left out of its means."
    return f"{table(['n', 'k', *_HEADER], rows)}\n\n{note}"


def _subset_table(results: Results, name: str) -> str:
    """Return the gaps on the subsets of a data set: means over five, as tables 3 and 4."""
    return table(["n", "k", "subsets", *_HEADER], _subset_rows(results, name))


def _subset_rows(results: Results, name: str) -> list[list[str]]:
    kept = _kept_rows(f": {CLASSICS[name]}\n", 3)
    rows = []
    for size in SIZES:
        for k in KS:
            for criterion in CRITERIA:
                tasks: list[Task] = [("subset", name, criterion, size, number, k) for number in range(NUMBERS)]
                rows.append(_row(results, tasks, (str(size), str(k), criterion), kept))
    return rows


def _msth(results: Results) -> str:
    """Return how often the tree heuristic is the better one with the paper's pricing: of tables 3 and 4, by size."""
    rows = [row for name in SUBSETS for row in _subset_rows(results, name)]
    tree, simple = (3 + _HEADER.index(which) for which in ("MSTH", "SRH"))
    counts = []
    for text, is_large in (("up to 50 records", False), ("of 100 and 200", True)):
        gaps = [
            [float(row[which].split(" · ")[0]) for which in (tree, simple)]
            for row in rows
            if (int(row[0].strip(_EARLIER)) >= _LARGE) == is_large and not row[tree].startswith("–")
        ]
        better = sum(one < other for one, other in gaps)
        worse = sum(one > other for one, other in gaps)
        counts.append(f"{text}, its gap is below that of SRH in {better} rows and above in {worse}")
    return f"with the paper's pricing, in tables 3 and 4, on subsets {'; '.join(counts)}"


def _row(
    results: Results, tasks: list[Task], key: tuple[str, ...], kept: dict[tuple[str, ...], list[str]]
) -> list[str]:
    """Return a row of means; that of the page as it is, with a mark, where not all results are there."""
    if all(task in results for task in tasks):
        return [*key, *_cells([results[task] for task in tasks])]
    if key not in kept:
        raise MissingResultError(key)
    return [f"{key[0]}{_EARLIER}", *key[1:], *kept[key]]


def _kept_rows(heading: str, n_keys: int) -> dict[tuple[str, ...], list[str]]:
    """Return the rows of a table of the page as it is, by their first cells."""
    after = PAGE.path.read_text().partition(heading)[2].partition("\n#")[0]
    rows = [line.strip("| ").replace(_EARLIER, "").split(" | ") for line in after.splitlines() if line.startswith("| ")]
    return {tuple(row[:n_keys]): row[n_keys:] for row in rows}


def _pricing_table(results: Results) -> str:
    """Return how long each pricing takes."""
    kept = _kept_rows("kernels compiled:", 2)
    rows = []
    for size in SIZES:
        for k in KS:
            tasks: list[Task] = [("pricing", pricing, size, k) for pricing in PRICINGS]
            if all(task in results for task in tasks):
                found = [results[task] for task in tasks]
                times = ["–" if one["ended_by"] else f"{one['seconds']:.2f} s" for one in found]
                rows.append([str(size), str(k), *times])
            else:
                rows.append([f"{size}{_EARLIER}", str(k), *kept[str(size), str(k)]])
    return table(["n", "k", *(f"`{pricing}`" for pricing in PRICINGS)], rows)


def _centroid(results: Results) -> str:
    """Return the centroid of the factories of table 1."""
    employees, surface = np.mean(_FACTORIES, axis=0)
    return f"{employees:g} employees and {surface:g} m²"


def _table_2(results: Results) -> str:
    """Return which routine prices groups of each size, as printed."""
    return table(["size of the group", "routine"], [[str(size), text] for size, text in _TABLE_2.items()])


PAGE = Page(
    "column_generation",
    "column generation",
    {},
    [*subset_tasks(), *pricing_tasks()],
    {
        "centroid": _centroid,
        "table_2": _table_2,
        "summary": _summary,
        "msth": _msth,
        "pricing": _pricing_table,
        "pricing_limit": lambda results: f"{PRICING_LIMIT:.0f}",
        "paper_limit": lambda results: f"{PAPER_LIMIT:.0f}",
        "tarragona": partial(_subset_table, name="tarragona"),
        "census": partial(_subset_table, name="census"),
    },
)
