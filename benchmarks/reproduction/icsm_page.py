"""Page of the ICSM paper: tables 1 to 4 and figure 5."""

from statistics import median
from typing import NamedTuple

from classics import CLASSICS
from documents import new_figure, save_figure, table
from microagg import datasets
from reproduction.loss_tables import Line, LossTable, published_losses
from reproduction.measurements import published_measurements
from reproduction.page import FOLDER, Page
from reproduction.results import Results
from reproduction.solving import N_ORDERS, loss_task, orders_task, timed_task
from simulated import sets

AS_PRINTED = "icsm(pairs=both,cycles=first)"  # every switch as the pseudo-code says
LS = "ls"
_SIMULATED = {
    "sim-1": "Sim-1",
    "sim-2": "Sim-2",
    "sim-3": "Sim-3",
    "synthetic (max 20 iterations)": "Synthetic, 20 iterations",
    "synthetic (max 400 iterations)": "Synthetic, 400 iterations",
}
_KS = (3, 5, 10)
_TIMED_K = 3  # in the table of the compared methods
_BAR = 0.8  # width of the bars of a group
_NAME_OF_MOST = "ICSM (best of 1600 perturbed starts)"
_LINES = [Line("MDAV", ("mdav",)), Line("ICSM", (AS_PRINTED,)), Line("ICSM", ("icsm",))]
_ORDERED = {"pseudo-code": AS_PRINTED, "default": "icsm"}


class Compared(NamedTuple):
    """Method of table 3 and figure 5."""

    published: str
    ours: str
    classification: str
    complexity: str


COMPARED = (
    Compared("MDAV", "mdav", "fixed size", "O(n²/k)"),
    Compared("GSMS-T2", "gsms-nn+tfrp2", "data-oriented", "O(n² log n)"),
    Compared("µ-Approx", "mu-approx(order=index)", "data-oriented", "O(n²)"),
    Compared("M-d", "mst", "data-oriented", "O(n²)"),
    Compared("NPN-MHM", "npn-mhm", "data-oriented", "O(n²)"),
    Compared("MDAV-MHM", "mdav-mhm", "data-oriented", "O(n²/k)"),
    Compared("MD-MHM", "md-mhm", "data-oriented", "O(n³/k)"),
    Compared("TFRP", "tfrp-2", "data-oriented", "O(n²/k)"),
    Compared("FDM", "fdm", "data-oriented", "O(n² log n)"),
    Compared("ICSM", "icsm", "–", "O(n²)"),
)
_PUBLISHED_AS = {"TFRP": "TFRP-2"}  # in the file of published figures


def _table_1(results: Results) -> str:
    """Return the sizes of the data sets as printed, and as we have them."""
    printed = {"tarragona": (834, 13), "census": (1080, 13), "eia": (4092, 11)}
    rows = [[CLASSICS[name], *map(_size, (size, datasets.matrix(name).shape))] for name, size in printed.items()]
    synthetic = next(sets("synthetic"))
    return table(["data set", "published", "ours"], [*rows, ["Synthetic", _size((10000, 10)), _size(synthetic.shape)]])


def _size(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))


def _table_2_orders(results: Results) -> str:
    """Return the losses of ICSM in the order of the file, and in random orders: the median, and from where to where."""
    rows = []
    for name, title in CLASSICS.items():
        published = published_losses(name, "ICSM")
        for k in _KS:
            cells = []
            for method in _ORDERED.values():
                losses = results[orders_task(name, k, method)]["losses"]
                in_file = results[loss_task(name, k, method)]["loss"]
                cells += [f"{in_file:.4f}", f"{median(losses):.4f}", f"{min(losses):.4f}–{max(losses):.4f}"]
            rows.append([title, str(k), f"{published[k]:g}", *cells])
    titles = [f"{name}: {what}" for name in _ORDERED for what in ("file", "median", "range")]
    return table(["data", "k", "published", *titles], rows)


def _table_2_measured(results: Results) -> str:
    """Return iterations, gain and times, published and ours."""
    rows = []
    for (name, k), printed in published_measurements("ICSM paper, table 2").items():
        mdav, icsm, letter = (results[loss_task(name, k, method)] for method in ("mdav", "icsm", AS_PRINTED))
        iterations = [printed.get("iterations", "–"), *(f"{one['iterations']:.0f}" for one in (icsm, letter))]
        gains = [printed["gain in percent over MDAV"]]
        gains += [f"{100 * (1 - one['loss'] / mdav['loss']):.1f}" for one in (icsm, letter)]
        mdav_times = [printed["seconds of MDAV"], _seconds(results, name, k, "mdav")]
        icsm_times = [printed["seconds"], _seconds(results, name, k, "icsm")]
        title = (CLASSICS | _SIMULATED)[name]
        rows.append([title, str(k), *map(" · ".join, (iterations, gains, mdav_times, icsm_times))])
    return table(["data", "k", "iterations", "gain, %", "MDAV, s", "ICSM, s"], rows)


def _seconds(results: Results, name: str, k: int, method: str) -> str:
    return f"{results[timed_task(name, k, method)]['seconds']:.3f}"


def _table_3(results: Results) -> str:
    """Return the compared methods, with our names and times."""
    rows = []
    for one in COMPARED:
        times = [_seconds(results, name, _TIMED_K, one.ours) for name in CLASSICS]
        rows.append([one.published, f"`{one.ours}`", one.classification, one.complexity, *times])
    header = ["published", "ours", "classification", "complexity as printed", *(f"{t}, s" for t in CLASSICS.values())]
    return table(header, rows)


def _figure_5(results: Results) -> str:
    """Draw the losses of the compared methods, ours and, where known, published; return them as a table."""
    figure, panels = new_figure(2, 1, 11, 7.5)
    rows = []
    for panel, name in zip(panels[:, 0], ("tarragona", "census"), strict=True):
        for number, one in enumerate(COMPARED):
            losses = [results[loss_task(name, k, one.ours)]["loss"] for k in _KS]
            width = _BAR / len(COMPARED)
            places = [place + (number - (len(COMPARED) - 1) / 2) * width for place in range(len(_KS))]
            panel.bar(places, losses, width, color=f"C{number}", label=one.published)
            published = published_losses(name, _PUBLISHED_AS.get(one.published, one.published))
            known = [(place, published[k]) for place, k in zip(places, _KS, strict=True) if k in published]
            for place, loss in known:
                panel.hlines(loss, place - width / 2, place + width / 2, color="black", linewidth=1.5)
            cells = [
                f"{published[k]:g} · {loss:.3f}" if k in published else f"{loss:.3f}"
                for k, loss in zip(_KS, losses, strict=True)
            ]
            rows.append([CLASSICS[name], one.published, *cells])
        panel.set_xticks(range(len(_KS)), [f"k = {k}" for k in _KS])
        panel.set(ylabel="information loss in percent", title=CLASSICS[name])
        panel.grid(axis="y", alpha=0.3)
    panels[0, 0].legend(ncols=5, fontsize=9)
    save_figure(figure, FOLDER / "icsm_figure_5.svg")
    return table(["data", "method", *(f"k = {k}" for k in _KS)], rows)


def _best_of_figure_5(results: Results) -> str:
    """Return in how many cells of figure 5 ICSM loses least of the methods there."""
    cells = [(name, k) for name in ("tarragona", "census") for k in _KS]
    losses = [{one.ours: results[loss_task(*cell, one.ours)]["loss"] for one in COMPARED} for cell in cells]
    return f"{sum(of_cell['icsm'] == min(of_cell.values()) for of_cell in losses)} of {len(cells)}"


def _better_than_ls(results: Results) -> str:
    """Return in how many cells of table 4 ICSM with many starts loses less than LS."""
    cells = [(name, k) for name in CLASSICS for k in (3, 4, 5, 10)]
    better = [
        results[loss_task(*cell, "icsm(starts=1600)")]["loss"] < results[loss_task(*cell, LS)]["loss"] for cell in cells
    ]
    return f"{sum(better)} of {len(cells)}"


PAGE = Page(
    "icsm",
    "ICSM (Mortazavi & Jalili 2015)",
    {
        "classic": LossTable("ICSM paper, table 2", CLASSICS, _LINES, 1.0),
        "simulated": LossTable("ICSM paper, table 2", _SIMULATED, _LINES, 5.0),
        "table_4": LossTable(
            "ICSM paper, table 4",
            CLASSICS,
            [Line(_NAME_OF_MOST, (method,)) for method in ("icsm(starts=1600)", "icsm(starts=200,perturb=best)")],
            1.0,
        ),
        "table_4_ls": LossTable(
            "ICSM paper, table 4",
            CLASSICS,
            [Line("LS (Laszlo and Mukherjee 2015, best of 4000 starts)", (LS,))],
            1.0,
        ),
    },
    [
        *(loss_task(name, k, AS_PRINTED) for name in (*CLASSICS, *_SIMULATED) for k in _KS),
        *(orders_task(name, k, method) for name in CLASSICS for k in _KS for method in _ORDERED.values()),
        *(timed_task(name, k, method) for name in (*CLASSICS, *_SIMULATED) for k in _KS for method in ("mdav", "icsm")),
        *(timed_task(name, _TIMED_K, one.ours) for one in COMPARED for name in CLASSICS),
        *(loss_task(name, k, one.ours) for one in COMPARED for name in ("tarragona", "census") for k in _KS),
    ],
    {
        "table_1": _table_1,
        "orders": _table_2_orders,
        "best_of_figure_5": _best_of_figure_5,
        "better_than_ls": _better_than_ls,
        "n_orders": lambda results: str(N_ORDERS),
        "measured": _table_2_measured,
        "table_3": _table_3,
        "figure_5": _figure_5,
    },
)
