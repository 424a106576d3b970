"""Principal axes, with signs that are the same on every machine."""

import numpy as np

from microagg.model.arrays import FloatArray


def principal_axes(products: FloatArray) -> FloatArray:
    """Return the principal axes of centred points as columns, of shape (d, d), the widest first: O(d³).

    Either sign makes an axis: the largest coordinate of each is positive.

    Parameters
    ----------
    products
        Sums of products of each pair of columns, of shape (d, d).
    """
    axes = np.linalg.eigh(products)[1][:, ::-1]
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(len(axes))]
    return np.ascontiguousarray(axes * np.sign(largest))
