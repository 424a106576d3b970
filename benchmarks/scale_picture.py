"""Picture of docs/scale.md: time over the number of records."""

from pathlib import Path
from typing import Any

from cached_tasks import Task
from documents import new_figure, save_figure
from scale_results import ScaleResults
from scale_tables import measured_before
from scale_tasks import Sizes

Points = list[tuple[int, float]]

_BEFORE = {"scclust": "C4", "sdcMicro (mdav)": "C5"}


def draw(results: ScaleResults, sizes: Sizes, path: Path) -> None:
    """Draw the time of ours and of others, on the mixture, and save it."""
    figure, panels = new_figure(1, 1, 9, 6)
    panel = panels[0, 0]
    panel.set(xscale="log", yscale="log", xlabel="records, ten columns, k = 5", ylabel="seconds, kernels compiled")
    solved = {effort: [("solve", "mixture", n, effort) for n in sizes.in_memory] for effort in ("quick", "standard")}
    neighbours: list[Task] = [("neighbours", "mixture", n) for n in (sizes.middle, sizes.large)]
    mdav: list[Task] = [("beside-mdav", "mixture", n) for n in (sizes.small, sizes.middle)]
    _line(panel, "microagg, quick", _points(results, solved["quick"]), "C3o-")
    _line(panel, "microagg, standard", _points(results, solved["standard"]), "C1o-")
    file: list[Task] = [("file", sizes.file, "quick")]
    _line(panel, "microagg, quick: file to file in 2 GB", _points(results, file, "protect", place=1), "C3*")
    _line(panel, "exact MDAV, ours", _points(results, mdav, "mdav"), "C0s-")
    _line(panel, "exact neighbours alone, scipy", _points(results, neighbours), "C2^-")
    means: list[Task] = [("constrained-kmeans", "mixture", sizes.small)]
    _line(panel, "k-means-constrained", _points(results, means), "C6D")
    for program, colour in _BEFORE.items():
        points: Points = [(one.n, one.seconds) for one in measured_before() if one.program == program]
        _line(panel, f"{program}, measured before", points, f"{colour}o--")
    panel.grid(alpha=0.3)
    panel.margins(0.06)
    panel.legend(fontsize=8, loc="lower right")
    save_figure(figure, path)


def _points(results: ScaleResults, tasks: list[Task], name: str | None = None, place: int = 2) -> Points:
    """Return the number of records and the seconds of each task that has a result."""
    found = [(task[place], results.value(task, "wall", name)) for task in tasks]
    return [(n, wall) for n, wall in found if wall is not None]


def _line(panel: Any, label: str, points: Points, style: str) -> None:
    """Draw the points of one program, joined by a line if the style has one."""
    if points:
        size = 14 if "*" in style else 6
        panel.plot(*zip(*points, strict=True), style[2:], color=style[:2], label=label, markersize=size)
