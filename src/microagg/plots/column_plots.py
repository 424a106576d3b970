"""Plots of the protected columns of an assessment: the distribution of each before and after."""

from typing import TYPE_CHECKING

from microagg.model.assessment import Assessment, CategoryAssessment, NumberAssessment
from microagg.plots.plot_text import plain_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PER_ROW = 3
_PANEL = (3.2, 2.1)  # inches
_MAX_PANELS = 30
_MAX_CATEGORIES = 8  # in a panel
_LETTERS = 14  # of a category
_MAX_TICKS = 5  # of an axis: numbers may be long
_BEFORE = "0.72"
_AFTER = "C0"


def draw_columns(figure: "Figure", assessment: Assessment) -> None:
    """Draw the distribution of each protected column before and after.

    Parameters
    ----------
    figure
        The figure to draw in.
    assessment
        The assessment.
    """
    columns: list[NumberAssessment | CategoryAssessment] = [*assessment.numbers, *assessment.categories]
    shown = columns[:_MAX_PANELS]
    n_rows = max(1, -(-len(shown) // _PER_ROW))
    n_across = max(1, min(_PER_ROW, len(shown)))
    figure.set_size_inches(max(5.0, _PANEL[0] * n_across), 0.6 + _PANEL[1] * n_rows)
    panels = figure.subplots(n_rows, n_across, squeeze=False).ravel()
    for axes, column in zip(panels, shown, strict=False):
        axes.set_title(plain_text(column.name), fontsize=9)
        axes.tick_params(labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
        if isinstance(column, NumberAssessment):
            _draw_numbers(axes, column)
        else:
            _draw_categories(axes, column)
    for axes in panels[len(shown) :]:
        axes.set_axis_off()
    more = f"; the first {len(shown)} of {len(columns)} columns" if len(columns) > len(shown) else ""
    loss = f"information loss {assessment.measures.information_loss:.2f} %"
    figure.suptitle(f"before (grey) and after (blue), {loss}{more}", fontsize=10)


def _draw_numbers(axes: "Axes", column: NumberAssessment) -> None:
    if not column.before_counts:
        _say_nothing(axes)
        return
    bins = column.before.bins
    axes.stairs(column.before_counts, bins, fill=True, color=_BEFORE)
    axes.stairs(column.after_counts, bins, color=_AFTER, linewidth=1.4)
    if column.unit is None:
        axes.locator_params(axis="x", nbins=_MAX_TICKS)
    else:
        axes.xaxis_date()
        axes.tick_params(axis="x", rotation=30)


def _draw_categories(axes: "Axes", column: CategoryAssessment) -> None:
    """Draw the most frequent categories, the others together."""
    before = list(column.before_counts)
    if not before:
        _say_nothing(axes)
        return
    after = list(column.after_counts)
    names = [plain_text(name, _LETTERS) for name in column.categories]
    names += ["others"] * (len(before) - len(names))
    if len(names) > _MAX_CATEGORIES:
        most = _MAX_CATEGORIES - 1
        names = [*names[:most], "others"]
        before = [*before[:most], sum(before[most:])]
        after = [*after[:most], sum(after[most:])]
    places = range(len(names))
    axes.barh(places, before, height=0.8, color=_BEFORE)
    axes.barh(places, after, height=0.35, color=_AFTER)
    axes.set_yticks(places, names)
    axes.invert_yaxis()


def _say_nothing(axes: "Axes") -> None:
    axes.set_axis_off()
    axes.text(0.5, 0.5, "no values", ha="center", va="center", fontsize=8)
