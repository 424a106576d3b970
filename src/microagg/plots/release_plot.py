"""Plot of a release of which only the loss was measured: what each column loses, and how large the groups are."""

from collections import Counter
from typing import TYPE_CHECKING

from microagg.model.release import Release
from microagg.plots.plot_text import plain_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 9.0  # inches
_INCHES_A_COLUMN = 0.26
_MAX_COLUMNS = 60  # of a table that are shown
_MAX_SIZES = 30  # of groups that have a bar each
_MAX_TICKS = 12  # sizes that are all named


def draw_release(figure: "Figure", release: Release) -> None:
    """Draw the loss of each protected column, and the sizes of groups.

    Parameters
    ----------
    figure
        The figure to draw in.
    release
        The release.
    """
    losses = [(one.name, one.information_loss) for each in release.sets for one in each.measures.columns]
    figure.set_size_inches(_WIDTH, max(2.8, 1.2 + _INCHES_A_COLUMN * min(len(losses), _MAX_COLUMNS)))
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_losses(left, losses)
    _draw_sizes(right, Counter(size for one in release.sets for size in one.solution.sizes.tolist()))
    ks = ", ".join(str(k) for k in dict.fromkeys(one.k for one in release.sets))
    whole = release.sets[0].measures if release.together is None else release.together
    figure.suptitle(f"k = {ks}, information loss {whole.information_loss:.2f} %", fontsize=11)


def _draw_losses(axes: "Axes", losses: list[tuple[str, float | None]]) -> None:
    shown = losses[:_MAX_COLUMNS]
    places = range(len(shown))
    axes.barh(places, [loss or 0.0 for _, loss in shown], color="C0")
    axes.set_yticks(places, [plain_text(name) for name, _ in shown], fontsize=8)
    axes.invert_yaxis()
    more = f", the first {len(shown)} of {len(losses)} columns" if len(losses) > len(shown) else ""
    axes.set_xlabel(f"information loss in %{more}")
    axes.spines[["top", "right"]].set_visible(False)


def _draw_sizes(axes: "Axes", counts: Counter[int]) -> None:
    """Draw how many groups have each size; where there are many sizes, some of them together."""
    sizes = sorted(counts)
    if len(sizes) <= _MAX_SIZES:
        axes.bar(sizes, [counts[size] for size in sizes], color="C0")
        axes.set_xlim(sizes[0] - 1, sizes[-1] + 1)
        axes.locator_params(axis="x", integer=True)
        if len(sizes) <= _MAX_TICKS:
            axes.set_xticks(sizes)
    else:
        axes.hist(sizes, bins=_MAX_SIZES, weights=[counts[size] for size in sizes], color="C0")
    axes.set_xlabel("records in a group")
    axes.set_ylabel("groups")
    axes.spines[["top", "right"]].set_visible(False)
