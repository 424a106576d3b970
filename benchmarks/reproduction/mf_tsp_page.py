"""Page of the MF-TSP paper: tables I to IX and figures 3 to 6."""

from functools import cache

import numpy as np

from classics import CLASSICS
from documents import new_figure, save_figure, table
from microagg import Problem, Run, solve
from microagg.construct.mf_tsp import IMPROVEMENTS, MfTsp
from microagg.construct.path_heuristics import PATH_HEURISTICS
from microagg.construct.record_orders import ShortTour
from microagg.kernels.geometry.distances import distance_matrix
from microagg.model.arrays import FloatArray, IntArray
from reproduction import companies
from reproduction.drawing import draw_groups, draw_path
from reproduction.loss_tables import Line, LossTable
from reproduction.page import FOLDER, Page
from reproduction.results import Results
from reproduction.solving import loss_task

_SOURCE = "MF-TSP paper, table IX"
_CENSUS = {"census": CLASSICS["census"]}
_KS = (3, 4, 5, 10)
_PUBLISHED = ("6", "9.24", "11.6", "25.49")
_RANDOM_ORDERS = 1000
_DEFAULT = "random-insertion"
_PICTURE = "mf_tsp_figures.svg"
_NAMES = [f"Com{number}" for number in range(1, 12)]


def _variants() -> list[str]:
    """Return MF-TSP with each path heuristic, and with only the neighbours on a path counted."""
    variants = [f"mf-tsp(path={path},improve={improve})" for path in PATH_HEURISTICS for improve in IMPROVEMENTS]
    return [*variants, "mf-tsp(steps=1)"]


def _paths(heuristic: str) -> list[IntArray]:
    """Return our path from each company."""
    rng = np.random.default_rng(0)
    distances = distance_matrix(companies.standardised())
    return [PATH_HEURISTICS[heuristic](distances, start, rng) for start in range(11)]


@cache
def _optimum() -> IntArray:
    """Return the optimal groups of the companies."""
    return solve(companies.standardised(), companies.K, method="exact", standardise=False).labels


def _table_2(results: Results) -> str:
    """Return the optimal 3-anonymous version, printed and ours."""
    X = companies.companies()
    optimum = _optimum()
    printed = {record: centroid for centroid, records in companies.TABLE_II.items() for record in records}
    rows = []
    for record, name in enumerate(_NAMES):
        mean = X[optimum == optimum[record]].mean(axis=0)
        rows.append([name, *(f"{value:g}" for value in X[record]), _pair(printed[record]), _pair(mean)])
    return table(["company", "surface, m²", "employees", "table II", "ours (`exact`)"], rows)


def _pair(values: FloatArray | tuple[float, float]) -> str:
    return f"{values[0]:.2f}, {values[1]:.2f}"


def _path_table(printed: tuple[tuple[int, ...], ...]) -> str:
    """Return printed paths, their lengths, and those of our paths from the same companies."""
    ours = {heuristic: _paths(heuristic) for heuristic in PATH_HEURISTICS}
    rows = []
    for path in printed:
        start = path[0] - 1
        lengths = [companies.length(tuple(number - 1 for number in path))]
        lengths += [companies.length(paths[start]) for paths in ours.values()]
        rows.append([_NAMES[start], " ".join(map(str, path)), *(f"{one:.2f}" for one in lengths)])
    return table(["start", "path as printed", "length", *(f"`{heuristic}`" for heuristic in ours)], rows)


def _median_random_length(results: Results) -> str:
    """Return the median length of random orders of the companies."""
    rng = np.random.default_rng(0)
    return f"{np.median([companies.length(rng.permutation(11)) for _ in range(_RANDOM_ORDERS)]):.1f}"


def _table_5(results: Results) -> str:
    """Return the counts, printed and of our paths."""
    printed = companies.table_v()
    ours = companies.count(_paths(_DEFAULT))
    rows = []
    for one, name in enumerate(_NAMES):
        cells = [f"{printed[one, other]} · {ours[one, other]}" if one != other else "–" for other in range(11)]
        rows.append([name, *cells, f"{printed[one].sum()} · {ours[one].sum()}"])
    return table(["", *_NAMES, "sum"], rows)


def _group_rows(title: str, counts: IntArray) -> list[list[str]]:
    """Return the groups that follow from counts: after the main loop, in the end, and their centroids."""
    X = companies.companies()
    labels, final = companies.group(counts)
    rows = []
    for number in range(final.max() + 1):
        first = [_NAMES[record] for record in np.flatnonzero(labels == number)]
        joined = [_NAMES[record] for record in np.flatnonzero((final == number) & (labels < 0))]
        centroid = _pair(X[final == number].mean(axis=0))
        rows.append([title, " ".join(first) or "–", " ".join(joined) or "–", centroid])
    return rows


def _groups(results: Results) -> str:
    """Return tables VI to VIII: printed, from table V as printed, and from our paths."""
    ours = _group_rows("ours", companies.count(_paths(_DEFAULT)))
    joined = ("–", "Com7", "Com9")
    printed = [
        ["printed", " ".join(f"Com{number}" for number in sorted(group)), last, _pair(centroid)]
        for group, last, centroid in zip(companies.TABLE_VI, joined, companies.TABLE_VIII, strict=True)
    ]
    followed = _group_rows("from table V as printed", companies.table_v())
    header = ["", "table VI: group", "table VII: joined", "table VIII: surface, employees"]
    return table(header, [*printed, *followed, *ours])


def _variant_table(results: Results) -> str:
    """Return the losses of each path heuristic on Census, beside table IX."""
    losses = {method: [results[loss_task("census", k, method)]["loss"] for k in _KS] for method in _variants()}
    rows = [[f"`{method}`", *(f"{loss:.2f}" for loss in found)] for method, found in losses.items()]
    return table(["Census", *(f"k = {k}" for k in _KS)], [["published", *_PUBLISHED], *rows])


def _figures(results: Results) -> str:
    """Draw figures 3 to 6, the optimum, a tour, a path, and the groups of MF-TSP; return the picture's name."""
    X = companies.companies()
    problem = Problem(companies.standardised(), companies.K)
    groups = MfTsp()(problem, np.random.default_rng(0), Run()).labels
    figure, panels = new_figure(2, 2, 9, 7)
    optimal, tour_panel, path_panel, grouped = panels.ravel()
    draw_groups(optimal, X, _optimum())
    optimal.set_title("Figure 3: the optimum at k = 3")
    tour = ShortTour()(problem, Run())
    draw_path(tour_panel, X, np.append(tour, tour[0]))
    tour_panel.set_title("Figure 4: a Hamiltonian cycle")
    draw_path(path_panel, X, tour)
    path_panel.set_title("Figure 5: a Hamiltonian path")
    draw_groups(grouped, X, groups)
    grouped.set_title("Figure 6: groups of MF-TSP")
    for panel in panels.ravel():
        for name, place in zip(_NAMES, X, strict=True):
            panel.annotate(name, place, textcoords="offset points", xytext=(5, 5), fontsize=7)
        panel.set(xlabel="surface, m²", ylabel="employees")
        panel.margins(0.12)
    save_figure(figure, FOLDER / _PICTURE)
    return _PICTURE


PAGE = Page(
    "mf_tsp",
    "MF-TSP",
    {
        "table_9": LossTable(
            _SOURCE,
            _CENSUS,
            [Line("MDAV", ("mdav",)), Line("V-MDAV", ("v-mdav",)), Line("MF-TSP", ("mf-tsp",))],
            1.0,
        )
    },
    [loss_task("census", k, method) for method in _variants() for k in _KS],
    {
        "table_2": _table_2,
        "table_3": lambda results: _path_table(companies.TABLE_III),
        "table_4": lambda results: _path_table(companies.TABLE_IV),
        "random_length": _median_random_length,
        "table_5": _table_5,
        "groups": _groups,
        "figures": _figures,
        "variants": _variant_table,
    },
)
