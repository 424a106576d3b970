"""Least squares over records that come in parts; what two parts add to the normal equations can be merged."""

from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray

_DEPENDENT = 1e-9  # of a term's squares: what earlier terms leave of one that depends on them
_CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class NormalEquations:
    """Sums of products of terms and response over records.

    Parameters
    ----------
    products
        Σ w·aᵢaⱼ over the terms, the response last, of shape (p + 1, p + 1). The first term is 1 in every record.
    count
        Number of records.
    """

    products: FloatArray = field(repr=False)
    count: int

    @classmethod
    def of(cls, terms: FloatArray, response: FloatArray, weights: FloatArray | None = None) -> "NormalEquations":
        """Return the sums over records.

        Parameters
        ----------
        terms
            Of shape (n, p), ones first.
        response
            Of shape (n,).
        weights
            Of shape (n,); None where all weigh alike.
        """
        both = np.column_stack([terms, response])
        weighted = both if weights is None else both * weights[:, None]
        return cls(weighted.T @ both, len(both))

    def merged(self, other: "NormalEquations") -> "NormalEquations":
        """Return the sums over both parts together."""
        return NormalEquations(self.products + other.products, self.count + other.count)


@dataclass(frozen=True, eq=False)
class Fit:
    """Regression fitted by least squares.

    Parameters
    ----------
    coefficients
        Of shape (p,); 0 of a term that depends on earlier ones.
    covariances
        Of the coefficients, of shape (p, p); 0 likewise.
    kept
        Which terms do not depend on earlier ones, of shape (p,).
    half_width
        Half of a confidence interval at 95 %, in standard errors, by the t distribution.
    r_squared
        Share of the variance of the response that is explained; 0 where it does not vary.
    """

    coefficients: FloatArray = field(repr=False)
    covariances: FloatArray = field(repr=False)
    kept: BoolArray = field(repr=False)
    half_width: float
    r_squared: float


def fit(equations: NormalEquations) -> Fit | None:
    """Solve normal equations.

    Parameters
    ----------
    equations
        Of terms and a response that are shifted and scaled to a common size, for accuracy.

    Returns
    -------
    Fit or None
        None where there are not more records than terms that are independent.
    """
    from scipy.special import stdtrit

    swept, kept = _swept(equations.products)
    freedom = equations.count - int(kept.sum())
    if freedom <= 0:
        return None
    residual = max(0.0, float(swept[-1, -1]))
    total = _around_mean(equations.products)
    both = kept[:, None] & kept[None, :]
    return Fit(
        np.where(kept, swept[:-1, -1], 0.0),
        np.where(both, -swept[:-1, :-1], 0.0) * residual / freedom,
        kept,
        float(stdtrit(freedom, 0.5 + _CONFIDENCE / 2.0)),
        1.0 - residual / total if total > 0.0 else 0.0,
    )


def _around_mean(products: FloatArray) -> float:
    """Return the squares of the response around its mean; 0 where only rounding is left of them."""
    squares = float(products[-1, -1])
    around = squares - float(products[0, -1]) ** 2 / float(products[0, 0])
    return around if around > _DEPENDENT * squares else 0.0


def _swept(products: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Sweep the terms out of a matrix of products, one after another, but for those that depend on earlier ones.

    Returns
    -------
    swept : ndarray of shape (p + 1, p + 1)
        The negative inverse of the products of the terms, the coefficients in the last column, and the residual squares
        in the last place.
    kept : ndarray of shape (p,)
        Which terms were swept.

    References
    ----------
    Goodnight (1979), A tutorial on the SWEEP operator, The American Statistician 33(3), 149-158.
    """
    swept = products.copy()
    size = len(products) - 1
    kept = np.zeros(size, dtype=np.bool_)
    for place in range(size):
        pivot = swept[place, place]
        if pivot <= _DEPENDENT * products[place, place] or pivot <= 0.0:
            continue
        kept[place] = True
        row = swept[place].copy()
        swept -= np.outer(swept[:, place], row) / pivot
        swept[place] = row / pivot
        swept[:, place] = row / pivot
        swept[place, place] = -1.0 / pivot
    return swept, kept
