"""Records and labels for tests of kernels and refiners."""

import numpy as np
from numpy.random import Generator

from microagg.model.arrays import FloatArray, IntArray, read_only


def frozen(X: FloatArray) -> FloatArray:
    """Return records that nobody can write, as those of a `Problem`: kernels are compiled for either kind."""
    read_only(X)
    return X


def normal(seed: int, n: int, d: int = 2) -> FloatArray:
    """Return records of the normal distribution, of shape (n, d): no ties."""
    return frozen(np.random.default_rng(seed).normal(size=(n, d)))


def grid(seed: int, n: int, d: int = 2, levels: int = 4) -> FloatArray:
    """Return records of whole numbers from 0 to levels − 1, of shape (n, d): many ties."""
    return frozen(np.random.default_rng(seed).integers(0, levels, size=(n, d)).astype(float))


def heavy_tailed(seed: int, n: int = 40, d: int = 3) -> FloatArray:
    """Return records of Student's t distribution with four degrees of freedom, of shape (n, d)."""
    return frozen(np.random.default_rng(seed).standard_t(4, size=(n, d)))


def random_labels(rng: Generator, n: int, k: int) -> IntArray:
    """Return random groups of k to 2k − 1 records, of shape (n,)."""
    sizes: list[int] = []
    while n - sum(sizes) >= 2 * k:
        sizes.append(int(rng.integers(k, min(2 * k, n - sum(sizes) - k + 1))))
    sizes.append(n - sum(sizes))
    return rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
