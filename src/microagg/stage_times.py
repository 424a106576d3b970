"""Predict the time of the stages of a pipeline, from the numbers of records, coordinates and k.

The coefficients are seconds on the machine on which they were measured; `calibrate` measures how fast another one is.
`benchmarks/estimates.py` compares them with what is measured now.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from typing import Any, NamedTuple

from microagg.bound.sorted_cut import SortedCut
from microagg.construct.cbfs import Cbfs
from microagg.construct.fixed_size import FixedSize
from microagg.construct.growth_rules import Nearest
from microagg.construct.mdav import Mdav
from microagg.construct.mondrian import Mondrian
from microagg.construct.ordered import Ordered
from microagg.construct.record_orders import PrincipalComponent, ZScores
from microagg.construct.tfrp import Tfrp
from microagg.construct.univariate import Univariate
from microagg.construct.v_mdav import VMdav
from microagg.model.limits import Limits
from microagg.refine.descent import Descent
from microagg.refine.search import EFFORTS, Search
from microagg.refine.search_schedule import search_rounds


class Shape(NamedTuple):
    """Size of a problem: what the time of a stage depends on."""

    n: int
    d: int
    k: int


@dataclass(frozen=True)
class StageTime:
    """Time of a stage on the machine of reference.

    Parameters
    ----------
    kernel
        Seconds of processor time in kernels that go through records in order.
    search
        Seconds of processor time in kernels that change single groups.
    n_threads
        Number of threads that share the latter, at most.
    """

    kernel: float = 0.0
    search: float = 0.0
    n_threads: int = 1


def stage_time(stage: Any, shape: Shape, limits: Limits) -> StageTime | None:
    """Predict the time of a stage.

    Parameters
    ----------
    stage
        A constructor, a refiner or a bound.
    shape
        The size of the problem.
    limits
        The limits of the run; its iterations end a search.

    Returns
    -------
    StageTime or None
        None where the time depends on the data too much to be predicted.
    """
    if isinstance(stage, Search):
        return _search(stage, shape, limits)
    predict = _KERNEL_SECONDS.get(type(stage))
    seconds = None if predict is None else predict(stage, shape)
    return None if seconds is None else StageTime(kernel=seconds)


def _fixed_size(stage: FixedSize, shape: Shape) -> float | None:
    if not isinstance(stage.first, Mdav | Cbfs | Tfrp):
        return None
    passes = shape.n / shape.k if isinstance(stage.grow, Nearest) else 0.62 * shape.n
    return 1.2e-7 * shape.n * (shape.d + 6) + 6.3e-11 * shape.n * passes * (shape.d + 4)


def _v_mdav(stage: VMdav, shape: Shape) -> float:
    return 1.2e-7 * shape.n * (shape.d + 6) + 1.9e-10 * shape.n**2 * (shape.d + 4)


def _mondrian(stage: Mondrian, shape: Shape) -> float:
    return 3e-7 * shape.n * log2(shape.n + 1)


def _ordered(stage: Ordered, shape: Shape) -> float | None:
    return 4e-7 * shape.n if isinstance(stage.order, PrincipalComponent | ZScores) else None


def _univariate(stage: object, shape: Shape) -> float:
    return 2.4e-7 * shape.n


def _descent(stage: object, shape: Shape) -> float:
    neighbours = 1.4e-10 * shape.n**2 * (shape.d + 2)
    return neighbours + 1.5e-7 * shape.n * shape.k * (shape.d + 10)


def _search(stage: Search, shape: Shape, limits: Limits) -> StageTime | None:
    """Predict the time of a search; None where only a time limit ends it."""
    if stage.effort is None and limits.given and limits.iterations is None:
        return None
    problem: Any = shape  # only its size counts
    n_trials = sum(one.n_trials for one in search_rounds(problem, EFFORTS[stage.effort or "standard"]))
    if limits.iterations is not None:
        n_trials = min(n_trials, limits.iterations) if stage.effort else limits.iterations
    seconds_a_trial = 4.3e-5 * (shape.k / 5) ** 1.75 * (shape.d + 2) / 12 * (shape.n / 5000) ** 0.45
    return StageTime(_descent(stage, shape), n_trials * stage.runs * seconds_a_trial, stage.runs)


_KERNEL_SECONDS: dict[type, Callable[[Any, Shape], float | None]] = {
    FixedSize: _fixed_size,
    VMdav: _v_mdav,
    Mondrian: _mondrian,
    Ordered: _ordered,
    Univariate: _univariate,
    SortedCut: _univariate,
    Descent: _descent,
}
