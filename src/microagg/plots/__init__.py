"""Plots of results with matplotlib, for notebooks: nothing else imports it, and pyplot is left alone."""

from functools import singledispatch
from typing import TYPE_CHECKING

from microagg.model.assessment import Assessment
from microagg.model.comparison import Comparison
from microagg.model.errors import InputError
from microagg.model.release import Release
from microagg.plots.column_plots import draw_columns
from microagg.plots.comparison_plot import draw_comparison
from microagg.plots.release_plot import draw_release

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot"]


@singledispatch
def plot(result: object) -> "Figure":
    """Draw a picture of a result.

    Parameters
    ----------
    result
        A release, an assessment or a comparison.

    Returns
    -------
    matplotlib.figure.Figure
        The picture; a notebook shows it.

    Raises
    ------
    InputError
        If matplotlib is not installed.
    TypeError
        If there is no picture of such an object.
    """
    raise TypeError(f"there is no plot of an object of type {type(result).__name__}")


@plot.register(Release)
def _release(release: Release) -> "Figure":
    figure = _new_figure()
    if release.assessment is None:
        draw_release(figure, release)
    else:
        draw_columns(figure, release.assessment)
    return figure


@plot.register(Assessment)
def _assessment(assessment: Assessment) -> "Figure":
    figure = _new_figure()
    draw_columns(figure, assessment)
    return figure


@plot.register(Comparison)
def _comparison(comparison: Comparison) -> "Figure":
    figure = _new_figure()
    draw_comparison(figure, comparison)
    return figure


def _new_figure() -> "Figure":
    try:
        from microagg.plots.notebook_figure import NotebookFigure
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("matplotlib"):
            raise
        raise InputError("plots need matplotlib, which is not installed: run pip install 'microagg[plot]'") from None
    return NotebookFigure(layout="constrained")
