"""The data sets of the league: three classics, five that scikit-learn ships, five that are drawn here."""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
from sklearn import datasets as shipped

from classics import CLASSICS
from microagg import datasets
from microagg.model.arrays import FloatArray
from quality import shapes


def _shipped(name: str) -> FloatArray:
    """Load a data set of scikit-learn: the columns that vary."""
    X = np.asarray(getattr(shipped, f"load_{name}")().data, dtype=np.float64)
    return np.ascontiguousarray(X[:, X.std(axis=0) > 0])


def _drawn(name: str) -> FloatArray:
    return shapes()[name]


_NAMES = ("iris", "wine", "diabetes", "breast_cancer", "digits")
_SHIPPED = {name: name.replace("_", " ").capitalize() for name in _NAMES}

DATA: dict[str, Callable[[], FloatArray]] = {
    **{name: cache(partial(datasets.matrix, name)) for name in CLASSICS},
    **{name: cache(partial(_shipped, name)) for name in _SHIPPED},
    **{name: cache(partial(_drawn, name)) for name in shapes()},
}
"""The function that makes each data set."""

TITLES = CLASSICS | _SHIPPED | {name: name.capitalize() for name in shapes()}
