"""Predict the time of the stages of a pipeline, from the numbers of records, coordinates and k.

The coefficients are seconds on the machine on which they were measured; `calibrate` measures how fast another one is.
`benchmarks/estimates.py` compares them with what is measured now.
"""

from collections.abc import Callable
from math import log2
from typing import Any, Literal, NamedTuple

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
from microagg.model.problem_shape import Shape
from microagg.refine.block_annealing import BlockAnnealing
from microagg.refine.block_schedule import DENSE, TRIALS_WITH_SHORT_LISTS
from microagg.refine.descent import Descent
from microagg.refine.search import EFFORTS, Search

_SHARE_OF_ROUGH_LISTS = 0.45  # of the time of exact neighbour lists and a descent
_SHARE_OF_RECOMBINING = 0.15  # of the time of the trials that are recombined
_SLOWDOWN = 1 / 8  # power of the density with which trials take longer


class Work(NamedTuple):
    """Work of a stage.

    Parameters
    ----------
    kind
        That of kernels that go through records in order, of kernels of a search, which change single groups, or of
        whole tables. A machine may be fast at one and slow at the other.
    seconds
        Seconds of processor time on the machine of reference.
    n_threads
        Number of threads that can share it.
    """

    kind: Literal["kernel", "search", "table"]
    seconds: float
    n_threads: int = 1


def stage_work(stage: Any, shape: Shape, limits: Limits) -> list[Work] | None:
    """Predict the work of a stage.

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
    list of Work or None
        None where the time depends on the data too much to be predicted.
    """
    if isinstance(stage, Search):
        return _search(stage, shape, limits)
    if isinstance(stage, BlockAnnealing):
        n_trials = stage.trials_per_record * (stage.end - stage.begin) * shape.n
        seconds_of_trials = n_trials * _seconds_a_trial(shape)
        if stage.short_lists:
            shortened = _SHARE_OF_ROUGH_LISTS * _descent(stage, shape)
            return [Work("search", shortened + seconds_of_trials / TRIALS_WITH_SHORT_LISTS)]
        return [Work("search", _descent(stage, shape) + seconds_of_trials)]
    predict = _KERNEL_SECONDS.get(type(stage))
    seconds = None if predict is None else predict(stage, shape)
    return None if seconds is None else [Work("kernel", seconds)]


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
    """Return the seconds of neighbour lists and descent."""
    return float(3.4e-8 * shape.n**1.33 * (shape.k / 5) ** 0.95 * (shape.d + 2) ** 1.1)


def _seconds_a_trial(shape: Shape) -> float:
    """Return the seconds of a trial of ruin and recreate: more records are farther apart in memory, and denser."""
    density = max(1.0, shape.n_whole / DENSE) ** _SLOWDOWN
    return float(4.8e-5 * (shape.n / 10_000) ** 0.45 * (shape.d + 1) / 11 * (shape.k / 5) ** 1.8 * density)


def _search(stage: Search, shape: Shape, limits: Limits) -> list[Work] | None:
    """Predict the work of a search; None where only a time limit ends it."""
    if stage.effort is None and limits.given and limits.iterations is None:
        return None
    n_trials = sum(one.n_trials for one in stage.rounds(shape, EFFORTS[stage.effort or "standard"]))
    if limits.iterations is not None:
        n_trials = min(n_trials, limits.iterations) if stage.effort else limits.iterations
    seconds = n_trials * stage.runs * _seconds_a_trial(shape)
    if stage.recombine == "yes":
        seconds *= 1 + _SHARE_OF_RECOMBINING
    return [Work("search", _descent(stage, shape)), Work("search", seconds, stage.runs)]


_KERNEL_SECONDS: dict[type, Callable[[Any, Shape], float | None]] = {
    FixedSize: _fixed_size,
    VMdav: _v_mdav,
    Mondrian: _mondrian,
    Ordered: _ordered,
    Univariate: _univariate,
    SortedCut: _univariate,
    Descent: _descent,
}
