"""Compare every published figure with the proved optimum, or with the proved bound: write docs/optimum.md.

Runs nothing. Optima and bounds are in benchmarks/best_known.toml, published figures in published_information_loss.csv,
our losses in benchmarks/results/reproduction.jsonl.
"""

import csv
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import optimal_partitions
import reproduce
from cached_tasks import known_results
from classics import CLASSICS
from documents import DOCS, fill, new_figure, save_figure, table
from prove_optima import CELLS as PROVED
from quality import BEST_KNOWN
from reproduction.index_page import figures_of
from reproduction.loss_tables import PUBLISHED
from reproduction.results import Results

TEMPLATE = Path(__file__).parent / "optimum.in.md"
PAGE = DOCS / "optimum.md"
PICTURE = DOCS / "optimum.svg"
_CERTIFIED_GAP = 1e-7  # of the bound: what is called optimal
_LINEAR_BELOW = 1.0  # percent: where the axis of the picture is linear
_STEP = 0.06  # between two figures of a cell in the picture


class Cell(NamedTuple):
    """Data set and k: the least loss known, and what no partition is below, in percent."""

    data: str
    k: int
    loss: float
    bound: float
    sse: float

    @property
    def proved(self) -> bool:
        """Whether the least loss known is the optimum."""
        return (self.data, self.k) in PROVED

    @property
    def floor(self) -> float:
        """The optimum, where it is proved, or else the bound."""
        return self.loss if self.proved else self.bound

    @property
    def title(self) -> str:
        """The name on the page."""
        return f"{CLASSICS[self.data]}, k = {self.k}"

    def excess(self, loss: float) -> float:
        """Return by how much a loss is above the optimum or the bound, in percent of it."""
        return 100 * (loss / self.floor - 1)


class Figure(NamedTuple):
    """Published loss as it is printed, and ours."""

    source: str
    method: str
    cell: Cell
    printed: str
    ours: float | None

    @property
    def loss(self) -> float:
        """What is printed."""
        return float(self.printed)

    @property
    def half_digit(self) -> float:
        """The most that rounding may have added or taken away."""
        return 0.5 * 10.0 ** -len(self.printed.partition(".")[2])

    @property
    def may_be_below(self) -> bool:
        """Whether the loss, before it was rounded, may have been the optimum or less than the bound."""
        return self.loss - self.half_digit <= self.cell.floor

    @property
    def text(self) -> str:
        """What the page says of it."""
        mark = "†" if self.may_be_below else ""
        found = "–" if self.ours is None else f"{self.ours:.4f} {self.cell.excess(self.ours):+.2f} %"
        return f"{self.printed} {self.cell.excess(self.loss):+.2f} %{mark} · {found}"


def cells() -> dict[tuple[str, int], Cell]:
    """Return every cell, those with a proved optimum first.

    Raises
    ------
    AssertionError
        If an optimum is not proved.
    """
    best = tomllib.loads(BEST_KNOWN.read_text())
    found = {}
    for name, ks in best.items():
        for key, entry in ks.items():
            k = int(key.removeprefix("k"))
            cell = Cell(name, k, entry["information_loss"], entry["bound"], entry["sse"])
            if cell.proved and entry["sse"] - entry["lower_bound"] > _CERTIFIED_GAP * entry["sse"]:
                raise AssertionError(f"{cell.title} is not proved")
            found[name, k] = cell
    return dict(sorted(found.items(), key=lambda item: not item[1].proved))


def figures(results: Results) -> list[Figure]:
    """Return every published figure of a cell, once for each method, with ours where a run has been kept."""
    known = cells()
    ours = figures_of(reproduce.PAGES.values(), results)
    found: dict[tuple[str, str, int, str], Figure] = {}
    with PUBLISHED.open(newline="") as file:
        for row in csv.DictReader(file):
            name, k, method, printed = row["dataset"], int(row["k"]), row["method"], row["information_loss_percent"]
            if (name, k) in known:
                run = ours.get((row["source"], name, k, method))
                figure = Figure(row["source"], method, known[name, k], printed, run.ours if run else None)
                found.setdefault((method, name, k, printed), figure)
    return list(found.values())


def of_cell(every: list[Figure], cell: Cell) -> list[Figure]:
    """Return the figures of a cell, the least first."""
    return sorted((one for one in every if one.cell == cell), key=lambda one: one.loss)


def summary(every: list[Figure]) -> str:
    """Return a line a cell: what is proved, the least published figure, the median one."""
    rows = []
    for cell in cells().values():
        found = of_cell(every, cell)
        least = found[0]
        at_least = "" if cell.proved else f"{100 * (least.loss / cell.loss - 1):.2f} … "
        mark = "†" if least.may_be_below else ""
        excesses = [cell.excess(one.loss) for one in found]
        proved = f"**{cell.loss:.6f}**" if cell.proved else f"≥ {cell.bound:.5f}"
        known = "" if cell.proved else f"{cell.loss:.5f} {cell.excess(cell.loss):+.2f} %"
        texts = [proved, known, str(len(found)), f"{least.printed}, {least.method}"]
        texts += [f"{at_least}{cell.excess(least.loss):.2f}{mark}", f"{median(excesses):.1f}", f"{max(excesses):.0f}"]
        rows.append([cell.title, *texts])
    header = [
        "data",
        "optimum",
        "least known",
        "figures",
        "least published",
        "its excess, %",
        "median, %",
        "largest, %",
    ]
    return table(header, rows)


def data_table(every: list[Figure], name: str) -> str:
    """Return every published figure of a data set: a line a method and source, those with the least excess first."""
    chosen = [cell for cell in cells().values() if cell.data == name]
    chosen.sort(key=lambda cell: cell.k)
    lines: dict[tuple[str, str], dict[int, Figure]] = {}
    for one in every:
        if one.cell.data == name:
            lines.setdefault((one.method, one.source), {})[one.cell.k] = one
    ordered = sorted(lines.items(), key=lambda item: min((k, one.loss) for k, one in item[1].items()))
    rows = [
        [method, source, *(found[cell.k].text if cell.k in found else "" for cell in chosen)]
        for (method, source), found in ordered
    ]
    header = [f"k = {cell.k}: {'optimum' if cell.proved else 'bound'} {cell.floor:.5f}" for cell in chosen]
    return table([CLASSICS[name], "source", *header], rows)


def rounding(every: list[Figure]) -> str:
    """Return what is said of figures that are too rounded to tell whether they are above the optimum."""
    doubtful = [one for one in every if one.may_be_below]
    lower = [one for one in doubtful if one.loss + one.half_digit <= one.cell.floor]
    if lower:
        names = "; ".join(f"{one.method}, {one.cell.title}: {one.printed}" for one in lower)
        return f"**{len(lower)} figures are below what is possible, however they were rounded: {names}.**"
    if not doubtful:
        return "No figure is so rounded that it may be the optimum itself, or below a bound."
    told = "; ".join(_doubt(one) for one in doubtful)
    number = "One figure is" if len(doubtful) == 1 else f"{len(doubtful)} figures are"
    return f"{number} so rounded that the excess may be nought, and its lower end negative (†): {told}."


def _doubt(one: Figure) -> str:
    low, high = (one.cell.excess(one.loss + sign * one.half_digit) for sign in (-1, 1))
    source = f"{one.method}, {one.cell.title}, {one.source}"
    return f"{source} prints {one.printed}, which stands for an excess between {low:+.2f} and {high:+.2f} %"


def published_table() -> str:
    """Return where each optimum is published."""
    rows = []
    for name, k in PROVED:
        cell = cells()[name, k]
        n_groups, certificate = "–", f'`python benchmarks/optimal_partitions.py "{name} {k}"`'
        if optimal_partitions.is_kept(name, k):
            n_groups = str(optimal_partitions.read_labels(name, k).max() + 1)
            certificate = _link(optimal_partitions.certificate_path(name, k))
        rows.append([cell.title, f"{cell.sse:.6f}", n_groups, certificate])
    return table(["data", "sse of the optimum", "groups", "labels and proof"], rows)


def _link(path: Path) -> str:
    return f"[{path.name}](../benchmarks/{path.parent.name}/{path.name})"


def draw(every: list[Figure]) -> None:
    """Draw the excess of every figure, cell by cell: the published ones, ours, and the least known."""
    figure, panels = new_figure(1, 1, 12, 6)
    panel = panels[0, 0]
    known = list(cells().values())
    for place, cell in enumerate(known):
        found = of_cell(every, cell)
        places = list(_beside(place - 0.15, [cell.excess(one.loss) for one in found]))
        panel.errorbar(
            *zip(*places, strict=True),
            yerr=[100 * one.half_digit / cell.floor for one in found],
            fmt="o", color="C0", markersize=3.5, elinewidth=0.8, label=None if place else "published",
        )  # fmt: skip
        ours = sorted({cell.excess(one.ours) for one in found if one.ours is not None})
        panel.plot(
            *zip(*_beside(place + 0.2, ours), strict=True),
            "o", color="C1", markerfacecolor="none", markersize=3.5, label=None if place else "ours, same methods",
        )  # fmt: skip
        best = cell.excess(cell.loss)
        panel.plot(place, best, "D", color="C3", markersize=6, label=None if place else "least known")
    panel.axhline(0, color="black", linewidth=0.8)
    panel.axvline(len(PROVED) - 0.5, color="black", linewidth=0.8, linestyle="--")
    panel.set_yscale("symlog", linthresh=_LINEAR_BELOW)
    ticks = [0, 0.5, 1, 2, 5, 10, 20, 50, 100]
    panel.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    panel.set_xticks(range(len(known)), [cell.title.replace(", ", "\n") for cell in known], fontsize=8)
    panel.set_ylabel("above the optimum (left) or the bound (right), percent")
    panel.set_ylim(-1.5, 220)
    panel.legend(loc="lower right")
    panel.grid(axis="y", alpha=0.3)
    save_figure(figure, PICTURE)


def _beside(place: float, excesses: list[float]) -> Iterator[tuple[float, float]]:
    """Generate places of points, in turn on either side of a place."""
    for number, excess in enumerate(excesses):
        yield place + _STEP * (number % 5 - 2), excess


def ladder(every: list[Figure]) -> str:
    """Return how many of the published figures of the proved cells are within some percents of the optimum."""
    proved = [one.cell.excess(one.loss) for one in every if one.cell.proved]
    ends = (1, 5, 10, 20, 50)
    counts = [sum(excess <= end for excess in proved) for end in ends]
    texts = [f"{count} within {end} %" for count, end in zip(counts, ends, strict=True)]
    return f"Of {len(proved)} published figures of the five proved cells, {', '.join(texts)} of the optimum"


def text() -> str:
    """Return the text of the page; save its picture."""
    tasks = [task for page in reproduce.PAGES.values() for task in page.tasks]
    every = figures(Results(known_results(reproduce.CACHE, tasks)))
    draw(every)
    parts = {"summary": summary(every), "rounding": rounding(every), "ladder": ladder(every)}
    parts |= {"tables": "\n\n".join(data_table(every, name) for name in CLASSICS)}
    parts |= {"optima": published_table(), "n_figures": str(len(every))}
    parts |= {"n_ours": str(sum(one.ours is not None for one in every))}
    return fill(TEMPLATE, parts)


def main() -> None:
    """Write the page."""
    PAGE.write_text(text())
    print(f"written: {PAGE}, {PICTURE}")


if __name__ == "__main__":
    main()
