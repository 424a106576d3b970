"""Small pricing problems whose groups can all be tried."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from microagg.kernels.pricing.cut_penalties import Cuts
from microagg.model.arrays import FloatArray, IntArray


class Cut(NamedTuple):
    """Rank-1 cut: weights of some records, a denominator and a dual."""

    weights: dict[int, int]
    denominator: int
    dual: float


class Case(NamedTuple):
    """Records, their duals, and the size of the groups."""

    X: FloatArray
    duals: FloatArray
    size: int


def squared_distances(X: FloatArray) -> FloatArray:
    squares: FloatArray = np.square(X[:, None] - X).sum(axis=2)
    return squares


def draw_case(draw: st.DataObject, max_n: int = 10, max_size: int = 5) -> Case:
    """Draw records on a grid full of ties or not, with duals that make few groups or most of them cheap."""
    rng = np.random.default_rng(draw.draw(st.integers(0, 2**32 - 1)))
    n = draw.draw(st.integers(2, max_n))
    size = draw.draw(st.integers(2, max_size))
    d = draw.draw(st.integers(1, 3))
    ties = draw.draw(st.booleans())
    X = rng.integers(0, 4, size=(n, d)).astype(np.float64) if ties else rng.normal(size=(n, d))
    return Case(X, draw.draw(st.sampled_from([0.1, 1.0, 5.0])) * rng.normal(loc=0.5, size=n), size)


def draw_cuts(draw: st.DataObject, n: int) -> list[Cut]:
    rng = np.random.default_rng(draw.draw(st.integers(0, 2**32 - 1)))
    cuts = []
    for _ in range(draw.draw(st.integers(0, 8))):
        q = int(rng.integers(2, 6))
        records = rng.choice(n, size=int(rng.integers(2, min(6, n) + 1)), replace=False)
        weights = {int(record): int(rng.integers(1, q)) for record in records}
        cuts.append(Cut(weights, q, float(rng.uniform(0.01, 2.0))))
    return cuts


def as_arrays(cuts: Sequence[Cut], n: int) -> Cuts:
    """Write cuts as the kernels read them, by record and by cut."""
    entries = [(record, number, weight) for number, cut in enumerate(cuts) for record, weight in cut.weights.items()]
    by_cut = np.array(entries, dtype=np.int64).reshape(-1, 3)
    by_record = by_cut[np.argsort(by_cut[:, 0], kind="stable")]
    return Cuts(
        np.searchsorted(by_record[:, 0], np.arange(n + 1)),
        by_record[:, 1].copy(),
        by_record[:, 2].copy(),
        np.cumsum([0, *(len(cut.weights) for cut in cuts)]),
        by_cut[:, 0].copy(),
        by_cut[:, 2].copy(),
        np.array([cut.denominator for cut in cuts], dtype=np.int64),
        np.array([cut.dual for cut in cuts], dtype=np.float64),
    )


def no_links(n: int) -> IntArray:
    """No record must be in one group with another."""
    return np.full((n, 1), -1, dtype=np.int64)


def penalty(cuts: Sequence[Cut], group: Sequence[int]) -> float:
    """The penalties of a group: μ·⌊w/q⌋ of each cut."""
    return sum(cut.dual * (sum(cut.weights.get(record, 0) for record in group) // cut.denominator) for cut in cuts)


def reduced_costs(
    case: Case, cuts: Sequence[Cut] = (), pairs: Sequence[tuple[int, int, bool]] = ()
) -> dict[tuple[int, ...], float]:
    """The reduced cost of every group; pairs of records are together or apart."""
    costs = {}
    for group in combinations(range(len(case.X)), case.size):
        if all(len({one, other} & {*group}) != (1 if together else 2) for one, other, together in pairs):
            members = case.X[list(group)]
            sse = float(np.square(members - members.mean(axis=0)).sum())
            costs[group] = sse - float(case.duals[list(group)].sum()) + penalty(cuts, group)
    return costs
