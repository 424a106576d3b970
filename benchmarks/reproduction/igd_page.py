"""Page of the IGD paper: tables 1 to 6 and figure 5."""

import csv
from pathlib import Path

import numpy as np

from classics import CLASSICS
from documents import new_figure, save_figure, table
from microagg import Solution, solve
from reproduction.drawing import draw_groups
from reproduction.loss_tables import Line, LossTable, published_figures
from reproduction.page import FOLDER, Page
from reproduction.results import Results
from reproduction.solving import loss_task

FIXED_SIZE = ("cbfs-nn", "cbfs-nc", "mdav-nn", "mdav-nc", "tfrp-nn", "tfrp-nc", "gsms-nn")
BEST_OF_OTHERS = {
    "GSMS-T2": "gsms-nn+tfrp2",
    "MD-MHM": "md-mhm",
    "µ-Approx": "mu-approx(order=index)",
}  # table 5, first half
TO_THE_LETTER = "igd(centroids=moved,split=above-k,undo=no)"
_IMPROVEMENTS = Path(__file__).parent.parent / "published_improvements.csv"
_REFINED = {"": ("", "none"), "2": ("+tfrp2", "TFRP2"), "3": ("+igd", "IGD")}
_GROWTH = {"nn": "nearest to the first record", "nc": "nearest to the centroid of the group"}

# Figure 5 is drawn, not listed: these records go through the same steps, which `stages` checks.
EXAMPLES = {
    "(a) Shrink after Decompose": (
        [[3, 4], [19, 6], [21, 6], [16, 3], [17, 1], [11, 8], [4, 4], [13, 7], [1, 4], [9, 5], [4, 7], [10, 8]],
        (4, 3, 3),
    ),
    "(b) Decompose after Decompose": (
        [
            [18, 3], [3, 1], [14, 1], [17, 6], [11, 4], [19, 6], [3, 2],
            [1, 8], [21, 5], [13, 0], [19, 8], [13, 2], [6, 5],
        ],
        (4, 4, 3),
    ),
}  # fmt: skip
_STAGES = {"mdav": "MDAV", "mdav+tfrp2": "Decompose, once", "mdav+igd": "IGD"}


def _refined(suffix: str, refiner: str) -> LossTable:
    lines = [Line(f"{name.upper()}{suffix}", (f"{name}{refiner}",)) for name in FIXED_SIZE]
    return LossTable("IGD paper, tables 2-4", CLASSICS, lines, 2.0 if suffix else 0.5)


_TABLE_5 = LossTable(
    "IGD paper, table 5",
    CLASSICS,
    [
        *(Line(published, (ours,)) for published, ours in BEST_OF_OTHERS.items()),
        *(Line(f"{name.upper()}3", (f"{name}+igd",)) for name in FIXED_SIZE if name not in ("cbfs-nn", "tfrp-nc")),
    ],
    2.0,
)


def _with_its_own_end() -> list[Line]:
    """Return the lines that start from MDAV, with the end that MDAV has in this paper."""
    return [
        Line(f"{name.upper()}{suffix}", (f"{name}(rest=nearest){refiner}",))
        for name in ("mdav-nn", "mdav-nc")
        for suffix, (refiner, _) in _REFINED.items()
    ]


def _table_1(results: Results) -> str:
    """Return the paper's names of methods beside ours."""
    rows = []
    for name in FIXED_SIZE:
        first, growth = name.split("-")
        for suffix, (refiner, refined) in _REFINED.items():
            rows.append([f"{name.upper()}{suffix}", f"`{name}{refiner}`", first.upper(), _GROWTH[growth], refined])
    return table(["published", "ours", "first record", "growth", "refined by"], rows)


def _table_6(results: Results) -> str:
    """Return where IGD loses less than the best of the paper's reference 11, and how many marks are the paper's."""
    with _IMPROVEMENTS.open(newline="") as file:
        published = {(row["method"], row["dataset"], int(row["k"])): row["is_lower"] for row in csv.DictReader(file)}
    bars = _published_bests()
    rows: dict[str, list[str]] = {}
    n_agreeing = 0
    for (method, dataset, k), mark in published.items():
        loss = results[loss_task(dataset, k, f"{method.removesuffix('3').lower()}+igd")]["loss"]
        theirs = mark == "yes"
        ours = loss < bars[dataset, k]
        n_agreeing += ours == theirs
        cell = "V" if ours else ""
        rows.setdefault(method, []).append(cell if ours == theirs else f"**{cell or '–'}**")
    cells = list(dict.fromkeys((dataset, k) for _, dataset, k in published))
    header = ["", *(f"{CLASSICS[dataset]} {k}" for dataset, k in cells)]
    marks = table(header, [[method, *cells] for method, cells in rows.items()])
    return f"{marks}\n\n{n_agreeing} of {len(published)} marks are the paper's."


def _published_bests() -> dict[tuple[str, int], float]:
    """Return the loss that the first half of table 5 prints for each data set and k."""
    figures = published_figures(_TABLE_5)
    return {(dataset, k): loss for dataset, k, line, loss in figures if line.published in BEST_OF_OTHERS}


def _conclusions(results: Results) -> str:
    """Return how often a refined method loses less than one that is refined less, by data set."""
    rows = []
    for name, title in CLASSICS.items():
        figures = [(k, line.ours[0]) for dataset, k, line, _ in published_figures(_refined("", "")) if dataset == name]
        losses = [
            [results[loss_task(name, k, f"{one}{end}")]["loss"] for end in ("", "+tfrp2", "+igd")] for k, one in figures
        ]
        lower = [sum(row[less] < row[more] for row in losses) for less, more in ((1, 0), (2, 1), (2, 0))]
        rows.append([title, *(f"{number} of {len(losses)}" for number in lower)])
    return table(["data", "TFRP2 below unrefined", "IGD below TFRP2", "IGD below unrefined"], rows)


def stages(records: list[list[int]], n_groups: tuple[int, ...]) -> dict[str, Solution]:
    """Return the partition after each stage; check that it has as many groups as in the paper, and loses less."""
    found = {
        label: solve(np.array(records, dtype=np.float64), 3, method=method, standardise=False)
        for method, label in _STAGES.items()
    }
    sses = [solution.sse for solution in found.values()]
    if tuple(solution.n_groups for solution in found.values()) != n_groups or sses != sorted(sses, reverse=True):
        raise AssertionError(f"an example of figure 5 goes through other steps: {found}")
    return found


def _figure_5(results: Results) -> str:
    """Draw the two examples, which no task computes; return the sse after each stage."""
    figure, panels = new_figure(3, 2, 9, 7)
    rows = []
    for column, (name, (records, n_groups)) in enumerate(EXAMPLES.items()):
        found = stages(records, n_groups)
        for panel, (label, solution) in zip(panels[:, column], found.items(), strict=True):
            draw_groups(panel, np.array(records), solution.labels)
            panel.set_title(f"{name[:3]} {label}: sse {solution.sse:.1f}", fontsize=10)
        rows.append([name, *(f"{solution.sse:.2f}" for solution in found.values())])
    save_figure(figure, FOLDER / "igd_figure_5.svg")
    return table(["sse", *_STAGES.values()], rows)


PAGE = Page(
    "igd",
    "IGD (Khomnotai, Lin, Peng & Santra 2018)",
    {
        "unrefined": _refined("", ""),
        "tfrp2": _refined("2", "+tfrp2"),
        "igd": _refined("3", "+igd"),
        "letter": _refined("3", f"+{TO_THE_LETTER}"),
        "moved": _refined("3", "+igd(centroids=moved)"),
        "own_end": LossTable("IGD paper, tables 2-4", CLASSICS, _with_its_own_end(), 2.0),
        "table_5": _TABLE_5,
    },
    [loss_task(name, k, f"{method}+igd") for name in CLASSICS for k in (3, 5, 10) for method in FIXED_SIZE],
    {"table_1": _table_1, "table_6": _table_6, "conclusions": _conclusions, "figure_5": _figure_5},
)
