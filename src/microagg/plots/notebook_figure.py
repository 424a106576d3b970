"""Figure of matplotlib that shows itself in a notebook, whether or not pyplot is there."""

from io import BytesIO
from typing import Any

from matplotlib.figure import Figure

_DOTS_PER_INCH = 110.0


class NotebookFigure(Figure):
    """Figure that a notebook shows as a picture.

    Parameters
    ----------
    **options
        As in `matplotlib.figure.Figure`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(dpi=_DOTS_PER_INCH, **options)

    def _repr_png_(self) -> bytes:
        picture = BytesIO()
        self.savefig(picture, format="png")
        return picture.getvalue()
