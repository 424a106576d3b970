"""Page of the RepOrdMic paper: tables 1 to 3."""

from classics import CLASSICS
from documents import table
from microagg import datasets
from reproduction.igd_page import FIXED_SIZE
from reproduction.loss_tables import Line, LossTable
from reproduction.measurements import published_measurements
from reproduction.page import Page
from reproduction.results import Results
from reproduction.solving import loss_task, timed_task

_N_STARTS = 200
_SOURCE = "RepOrdMic paper, table 3"
_STARTS = {
    "k-means": "reporder",
    "Ward": "reporder(start=ward)",
    "minimum spanning tree": "reporder(start=spanning-tree)",
}
_BEST = "RepOrdMic (best of 200 k-means starts)"


def _table_1(results: Results) -> str:
    """Return the sizes of the data sets as printed, and as we have them."""
    printed = {"tarragona": "834 × 13", "census": "1080 × 13", "eia": "4092 × 11"}
    rows = [[CLASSICS[name], size, " × ".join(map(str, datasets.matrix(name).shape))] for name, size in printed.items()]
    return table(["data set", "published", "ours"], rows)


def _table_3(results: Results) -> str:
    """Return time and iterations of all starts, published and ours."""
    rows = []
    for (name, k), printed in published_measurements(_SOURCE).items():
        found = results[timed_task(name, k, "reporder")]
        ours = {
            "seconds": f"{found['seconds']:.1f}",
            "total iterations": f"{found['iterations']}",
            "average iterations": f"{found['iterations'] / _N_STARTS:.2f}",
            "milliseconds per iteration": f"{1000 * found['seconds'] / found['iterations']:.2f}",
        }
        rows.append([CLASSICS[name], str(k), *(f"{printed[quantity]} · {value}" for quantity, value in ours.items())])
    return table(["data", "k", "time, s", "iterations", "of each start", "ms an iteration"], rows)


def _starts(results: Results) -> str:
    """Return what is lost from each kind of clusters, in how many iterations and how much time."""
    rows = []
    for name, k in published_measurements(_SOURCE):
        found = [results[timed_task(name, k, method)] for method in _STARTS.values()]
        best = min(one["loss"] for one in found)
        texts = [f"{one['loss']:.4f} · {one['iterations']} · {one['seconds']:.1f} s" for one in found]
        cells = [f"**{text}**" if one["loss"] == best else text for one, text in zip(found, texts, strict=True)]
        rows.append([CLASSICS[name], str(k), *cells])
    return table(["data", "k", *_STARTS], rows)


def _cells_where_best(results: Results) -> str:
    """Return in how many cells of table 2 RepOrdMic loses least of the methods there."""
    cells = list(published_measurements(_SOURCE))
    others = [method for line in PAGE.tables["table_2"].lines[:-1] for method in line.ours]
    best = [
        results[loss_task(*cell, "reporder")]["loss"]
        < min(results[loss_task(*cell, other)]["loss"] for other in others)
        for cell in cells
    ]
    return f"{sum(best)} of {len(cells)}"


PAGE = Page(
    "reporder",
    "RepOrdMic (Mortazavi 2020)",
    {
        "table_2": LossTable(
            "RepOrdMic paper, table 2",
            CLASSICS,
            [
                Line("MDAV", ("mdav",)),
                Line("MDAV-MHM", ("mdav-mhm",)),
                Line("IMHM", ("imhm",)),
                Line("IGD (best variant)", tuple(f"{name}+igd" for name in FIXED_SIZE)),
                Line(_BEST, ("reporder",)),
            ],
            1.0,
        ),
        "nearest": LossTable(
            "RepOrdMic paper, table 2", CLASSICS, [Line(_BEST, ("reporder(insertion=nearest)",))], 1.0
        ),
    },
    [timed_task(name, k, method) for name, k in published_measurements(_SOURCE) for method in _STARTS.values()],
    {"table_1": _table_1, "table_3": _table_3, "starts": _starts, "best": _cells_where_best},
)
