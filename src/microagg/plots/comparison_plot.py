"""Plot of a comparison: the risk–utility map, with the front and the recommended candidate."""

from typing import TYPE_CHECKING, Any

from microagg.model.comparison import Candidate, Comparison
from microagg.model.figure import Figure as MeasuredFigure
from microagg.model.names import quantity
from microagg.pareto_front import Placed, is_better_when_higher, placed
from microagg.plots.plot_text import plain_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE = (8.0, 5.2)  # inches
_MARGIN = 0.08  # of the range of the points, around them: labels need room


def draw_comparison(figure: "Figure", comparison: Comparison) -> None:
    """Draw every candidate by what it loses and what it risks.

    Parameters
    ----------
    figure
        The figure to draw in.
    comparison
        The comparison.
    """
    figure.set_size_inches(*_SIZE)
    axes = figure.add_subplot()
    places = placed(comparison.candidates, comparison.aim)
    n_missing = len(comparison.candidates) - len(places)
    if n_missing:
        figure.supxlabel(f"{quantity(n_missing, 'candidate')} not shown: no release, or no such figure", fontsize=8)
    if not places:
        axes.set_axis_off()
        return
    _draw_axes(axes, places[0].candidate, comparison)
    _draw_front(axes, comparison, places)
    _draw_points(axes, comparison, places)
    axes.margins(_MARGIN)


def _draw_axes(axes: "Axes", candidate: Candidate, comparison: Comparison) -> None:
    axes.set_xlabel(_axis_title(candidate.figure(comparison.aim.utility)))
    axes.set_ylabel(_axis_title(candidate.figure(comparison.aim.risk)))
    axes.grid(color="0.9")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    for limit, line in ((comparison.aim.max_loss, axes.axvline), (comparison.aim.max_risk, axes.axhline)):
        if limit is not None:
            line(limit, color="0.5", linestyle=":", label="acceptable at most")


def _axis_title(figure: MeasuredFigure) -> str:
    unit = f" in {figure.unit}" if figure.unit else ""
    return f"{plain_text(figure.title, 60)}{unit} ({'more' if is_better_when_higher(figure) else 'less'} is better)"


def _draw_front(axes: "Axes", comparison: Comparison, places: list[Placed]) -> None:
    front = sorted((one for one in places if one.candidate.on_front), key=lambda one: (one.loss, -one.risk))
    points = [_point(one.candidate, comparison) for one in front]
    axes.plot(*zip(*points, strict=True), color="0.6", linewidth=1.2, zorder=1, label="front")


def _draw_points(axes: "Axes", comparison: Comparison, places: list[Placed]) -> None:
    """Draw the candidates, a colour for each method; those of the front are filled."""
    for number, method in enumerate(dict.fromkeys(one.candidate.method for one in places)):
        colour = f"C{number % 10}"
        for each, candidate in enumerate(one.candidate for one in places if one.candidate.method == method):
            x, y = _point(candidate, comparison)
            face = colour if candidate.on_front else "white"
            label = plain_text(method) if each == 0 else None
            axes.plot(x, y, "o", markersize=7, markerfacecolor=face, markeredgecolor=colour, label=label)
            axes.annotate(f"{candidate.k}", (x, y), xytext=(6, 4), textcoords="offset points", fontsize=8)
    recommended = comparison.recommended
    if recommended is not None:
        ring: dict[str, Any] = {
            "markersize": 14,
            "markerfacecolor": "none",
            "markeredgecolor": "black",
            "markeredgewidth": 1.5,
        }
        name = f"recommended: {plain_text(recommended.name, 50)}"
        axes.plot(*_point(recommended, comparison), "o", **ring, label=name)
    axes.legend(title="method, with k at each point", fontsize=8, title_fontsize=8)


def _point(candidate: Candidate, comparison: Comparison) -> tuple[float, float]:
    """Return the values of a candidate that has a place on the map."""
    loss, risk = (candidate.figure(name).value for name in (comparison.aim.utility, comparison.aim.risk))
    return loss or 0.0, risk or 0.0  # neither is None
