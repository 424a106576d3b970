"""Index of the pages: how many published figures are there, and how many ours agree with."""

from collections.abc import Iterable
from pathlib import Path

from documents import fill, table
from reproduction.loss_tables import Row, published_keys, rows
from reproduction.measurements import count_measurements
from reproduction.page import FOLDER, Page
from reproduction.results import Results

_TEMPLATE = Path(__file__).parent / "index.in.md"
_TOLERANCES = (1.0, 2.0, 5.0)  # percent


def write_index(pages: Iterable[Page], results: Results) -> Path:
    """Write the index; return its path."""
    lines = []
    everything: dict[tuple[str, str, int, str], Row] = {}
    for page in pages:
        found = figures_of([page], results)
        everything |= found
        link = f"[{page.title}]({page.name}.md)"
        lines.append([link, *_counts(list(found.values()))])
    lines.append(["**all**", *_counts(list(everything.values()))])
    header = [
        "paper",
        "figures",
        *(f"within {tolerance:g} %" for tolerance in _TOLERANCES),
        "lower by > 1 %",
        "higher by > 5 %",
    ]
    n_losses = len(published_keys())
    n_missing = n_losses - len(everything)
    missing = f"; {n_missing} of the losses are not computed yet" if n_missing else ""
    parts = {"counts": table(header, lines), "n_losses": str(n_losses), "missing": missing}
    path = FOLDER / "index.md"
    path.write_text(fill(_TEMPLATE, parts | {"n_measurements": str(count_measurements())}))
    return path


def figures_of(pages: Iterable[Page], results: Results) -> dict[tuple[str, str, int, str], Row]:
    """Return each published figure of some pages, with ours: of several readings, the first on the page."""
    found: dict[tuple[str, str, int, str], Row] = {}
    for page in pages:
        for one in page.tables.values():
            for row in rows(one, results):
                found.setdefault((row.source, row.dataset, row.k, row.line.published), row)
    return found


def _counts(found: list[Row]) -> list[str]:
    """Return how many figures there are, how many agree, and how many of ours are lower, or much higher."""
    if not found:
        return ["–"] * (3 + len(_TOLERANCES))
    within = [sum(abs(row.difference) <= tolerance for row in found) for tolerance in _TOLERANCES]
    lower = sum(row.difference < -_TOLERANCES[0] for row in found)
    higher = sum(row.difference > _TOLERANCES[-1] for row in found)
    return [str(number) for number in (len(found), *within, lower, higher)]
