"""Tables of published information losses beside ours."""

import csv
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cached_tasks import Task
from documents import table
from reproduction.results import NOT_YET, MissingResultError, Results
from reproduction.solving import loss_task

PUBLISHED = Path(__file__).parent.parent / "published_information_loss.csv"
_EQUAL = 0.1  # percent by which ours may differ and be neither better nor worse


class Line(NamedTuple):
    """Line of a published table, and our methods that stand for it: of several, the best counts."""

    published: str
    ours: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of our methods in the document."""
        return f"`{self.ours[0]}`" if len(self.ours) == 1 else f"best of `{self.ours[0]}` … `{self.ours[-1]}`"


class LossTable(NamedTuple):
    """Published table of information losses, or a part of one."""

    source: str  # in the file of published figures
    datasets: dict[str, str]  # names there, and as they are printed
    lines: list[Line]
    tolerance: float  # percent, for the counts of figures that agree


class Row(NamedTuple):
    """Published figure and ours."""

    source: str
    dataset: str
    k: int
    line: Line
    published: float
    ours: float

    @property
    def difference(self) -> float:
        """Our figure minus the published one, in percent of the published one."""
        return 100 * (self.ours / self.published - 1)


def published_keys() -> set[tuple[str, str, int, str]]:
    """Return source, data set, k and method of every published figure."""
    with PUBLISHED.open(newline="") as file:
        return {(row["source"], row["dataset"], int(row["k"]), row["method"]) for row in csv.DictReader(file)}


def published_losses(dataset: str, method: str) -> dict[int, float]:
    """Return the information losses of a method by k, whichever paper prints them; of several, the first."""
    found: dict[int, float] = {}
    with PUBLISHED.open(newline="") as file:
        for row in csv.DictReader(file):
            if (row["dataset"], row["method"]) == (dataset, method):
                found.setdefault(int(row["k"]), float(row["information_loss_percent"]))
    return found


def covered_keys(tables: list[LossTable]) -> set[tuple[str, str, int, str]]:
    """Return the keys of the published figures that are in one of the tables."""
    return {(one.source, name, k, line.published) for one in tables for name, k, line, _ in published_figures(one)}


def tasks(tables: list[LossTable]) -> list[Task]:
    """Return the tasks whose results the tables show."""
    return [
        loss_task(name, k, method)
        for one in tables
        for name, k, line, _ in published_figures(one)
        for method in line.ours
    ]


def rows(one: LossTable, results: Results) -> list[Row]:
    """Return the rows of a table that are computed."""
    found = []
    for name, k, line, published in published_figures(one):
        with suppress(MissingResultError):
            ours = min(results[loss_task(name, k, method)]["loss"] for method in line.ours)
            found.append(Row(one.source, name, k, line, published, ours))
    return found


def section(one: LossTable, results: Results) -> str:
    """Return a published table beside ours: counts by line, then every figure."""
    found = rows(one, results)
    n_missing = sum(1 for _ in published_figures(one)) - len(found)
    if not found:
        return NOT_YET
    within = sum(abs(row.difference) <= one.tolerance for row in found)
    highest = max(row.difference for row in found)
    total = f"Altogether {within} of {len(found)} within {one.tolerance:g} %, the highest at {highest:+.2f} %."
    if n_missing:
        total += f" {n_missing} are not computed yet: `make reproduce` goes on."
    parts = [_counts(one, found), f"{total} Published, ours, difference:"]
    parts += [_figure_table(one, found, name) for name in dict.fromkeys(row.dataset for row in found)]
    return "\n\n".join(parts)


def published_figures(one: LossTable) -> Iterator[tuple[str, int, Line, float]]:
    """Generate the published figures of a table: data set, k, line, information loss."""
    with PUBLISHED.open(newline="") as file:
        for row in csv.DictReader(file):
            for line in one.lines:
                same_line = (row["source"], row["method"]) == (one.source, line.published)
                if same_line and row["dataset"] in one.datasets:
                    yield row["dataset"], int(row["k"]), line, float(row["information_loss_percent"])


def _counts(one: LossTable, found: list[Row]) -> str:
    """Return how well each line agrees."""
    lines = []
    for line in one.lines:
        chosen = [row for row in found if row.line == line]
        if not chosen:
            continue
        within = sum(abs(row.difference) <= one.tolerance for row in chosen)
        worst = max(chosen, key=lambda row: abs(row.difference))
        place = f"({one.datasets[worst.dataset]}, k = {worst.k})"
        better = sum(row.difference < -_EQUAL for row in chosen)
        worse = sum(row.difference > _EQUAL for row in chosen)
        agreeing = f"{within} of {len(chosen)} within {one.tolerance:g} %"
        lines.append(
            [line.published, line.name, agreeing, f"{worst.difference:+.2f} % {place}", f"{better}", f"{worse}"]
        )
    return table(["published", "ours", "within", "largest difference", "better", "worse"], lines)


def _figure_table(one: LossTable, found: list[Row], name: str) -> str:
    """Return every figure of a data set."""
    ks = sorted({row.k for row in found if row.dataset == name})
    lines = []
    for line in one.lines:
        cells = {row.k: row for row in found if (row.dataset, row.line) == (name, line)}
        if cells:
            texts = [_cell(cells[k]) if k in cells else "" for k in ks]
            lines.append([f"{line.published}, {line.name}", *texts])
    return table([one.datasets[name], *(f"k = {k}" for k in ks)], lines)


def _cell(row: Row) -> str:
    return f"{row.published:g} · {row.ours:.4f} · {row.difference:+.2f} %"
