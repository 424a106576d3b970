"""Shape of a problem: what tells how it is solved, and how long that takes, where its points are not at hand."""

from collections.abc import Sized
from typing import NamedTuple, Protocol


class ProblemShape(Protocol):
    """What a `Problem` and the `Shape` of one have in common."""

    @property
    def n(self) -> int:
        """Number of records."""

    @property
    def d(self) -> int:
        """Number of columns."""

    @property
    def k(self) -> int:
        """Smallest group allowed."""

    @property
    def varying(self) -> Sized:
        """Columns that are not constant: only their number counts."""

    @property
    def weights(self) -> object | None:
        """Anything but None where records are weighted."""

    @property
    def missing(self) -> object | None:
        """Anything but None where cells are missing."""


class Shape(NamedTuple):
    """Shape of a problem, in place of the problem where only that counts.

    Parameters
    ----------
    n, d, k
        Number of records, number of columns, and smallest group allowed.
    n_whole
        Of a block: records of the whole problem, which are the denser, the more they are.
    n_varying
        Number of the columns that are not constant; None: all of them, as far as is known.
    is_weighted
        Whether records are weighted.
    lacks_cells
        Whether cells are missing.

    Examples
    --------
    >>> from microagg.model.problem_shape import Shape
    >>> shape = Shape(10**9, 12, 5, n_varying=11, is_weighted=True)
    >>> len(shape.varying), shape.weights is None, shape.missing is None
    (11, False, True)
    """

    n: int
    d: int
    k: int
    n_whole: int = 0
    n_varying: int | None = None
    is_weighted: bool = False
    lacks_cells: bool = False

    @property
    def varying(self) -> range:
        """As many numbers as there are columns that vary."""
        return range(self.d if self.n_varying is None else self.n_varying)

    @property
    def weights(self) -> bool | None:
        """None where records are not weighted, as in a `Problem`."""
        return self.is_weighted or None

    @property
    def missing(self) -> bool | None:
        """None where no cell is missing, as in a `Problem`."""
        return self.lacks_cells or None
