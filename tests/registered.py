"""Everything that is registered, in a form that contracts can afford."""

import functools

import numpy as np

import naive
from microagg import Problem, Run, Solution
from microagg.bound import BOUNDS as OTHER_BOUNDS
from microagg.construct import CONSTRUCTORS
from microagg.control.stages import Bound, Refine
from microagg.exact import EXACT
from microagg.methods import SYSTEMS, pipeline
from microagg.refine import REFINERS as ALL_REFINERS
from microagg.refine.iterated_local_search import IteratedLocalSearch
from microagg.refine.search import Search
from microagg.run_pipeline import run_pipeline

_AFFORDABLE = {  # the same code with fewer starts, rounds or seconds of HiGHS
    "reporder": "reporder(starts=3)",
    "ona": "ona(starts=9)",
    "ls": "ls(max_iterations=30, starts=3)",
    "auto": "auto(effort=quick)",
    "search": "search(effort=quick)",
    "column-generation": "column-generation(pricing=branch-and-bound)",
}
_REFINED = [f"mdav+{refiner}" for refiner in ALL_REFINERS if refiner not in SYSTEMS]  # else the system is just that

METHODS: list[str] = sorted(_AFFORDABLE.get(name, name) for name in {*SYSTEMS, *CONSTRUCTORS, *_REFINED})
"""Every system, every constructor, and every refiner after MDAV."""

EXPENSIVE = [name for name in METHODS if name.partition("(")[0] in ("auto", "search", "exact", "column-generation")]
CHEAP = [name for name in METHODS if name not in EXPENSIVE]
_RANDOM_STAGES = ("auto", "search", "kmeans", "mf-tsp", "reporder", "ls", "ona")
RANDOM = [name for name in METHODS if name.partition("(")[0] in _RANDOM_STAGES]
ONE_COLUMN = ["univariate"]
WITHOUT_KERNELS = ["mondrian", "pca-fixed", "zscore-fixed"]

REFINERS: dict[str, Refine] = ALL_REFINERS | {"search": Search("quick"), "ls": IteratedLocalSearch(30, starts=3)}
BOUNDS: dict[str, Bound] = OTHER_BOUNDS | EXACT


def suited(name: str, problem: Problem) -> Problem:
    """Return a problem that a method supports: with one column if it must be."""
    return Problem(problem.X[:, :1], problem.k) if name in ONE_COLUMN else problem


def supports(stage: object, problem: Problem) -> bool:
    """Check whether a stage supports a problem."""
    return not hasattr(stage, "supports") or bool(stage.supports(problem))


def run_method(name: str, problem: Problem, random_state: int = 0, run: Run | None = None) -> Solution:
    """Solve a problem by a method's name."""
    return run_pipeline(pipeline(name), problem, random_state, run or Run())


def optimum(problem: Problem) -> float:
    """Return the least sse of any partition of a small problem, by brute force."""
    return _optimum(problem.X.tobytes(), problem.X.shape, problem.k)


@functools.cache
def _optimum(numbers: bytes, shape: tuple[int, int], k: int) -> float:
    return float(naive.best_sse(np.frombuffer(numbers).reshape(shape), k))
