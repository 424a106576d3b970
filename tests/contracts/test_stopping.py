"""Stages that are stopped out of any kernel, as when a run ends while it is compiled; and compiling that is ended."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from microagg import LowerBound, Partition, Problem, Run
from microagg.bound.automatic import Automatic
from microagg.bound.column_generation import ColumnGeneration
from microagg.construct import CONSTRUCTORS
from microagg.construct.fixed_size import FixedSize
from microagg.construct.kmeans import nearest_random_means
from microagg.construct.v_mdav import VMdav
from microagg.control.stages import Bound, Refine
from microagg.control.stopping import StoppedError
from microagg.methods import SYSTEMS
from microagg.refine.icsm import Icsm
from microagg.refine.proving import Proving
from microagg.refine.reorder import RepOrder
from registered import BOUNDS, REFINERS, WITHOUT_KERNELS, suited
from watched_kernels import WatchedKernels

EXACT = SYSTEMS["exact"].bound
PAPER = SYSTEMS["column-generation"].bound
assert EXACT is not None
assert PAPER is not None
REFINING: dict[str, Refine] = REFINERS | {
    "icsm, starts": Icsm(starts=3, perturb="best"),
    "reporder": RepOrder(nearest_random_means, starts=3),
    "proving": Proving(EXACT),
}
BOUNDING: dict[str, Bound] = BOUNDS | {
    "exact, searched": EXACT,
    "paper": PAPER,
    "relaxed": ColumnGeneration("relaxed"),
    "exact, automatic": Automatic(EXACT),
}
K = 3
N_PROVING = 20  # records: enough to call every kernel of a proof


def _problem(n: int) -> Problem:
    X = np.random.default_rng(3).normal(size=(n, 2))
    return Problem(X - X.mean(axis=0), K)


def _start(problem: Problem) -> Partition:
    return Partition(problem, np.minimum(np.arange(problem.n) // 4, problem.n // 4 - 1))


Watch = Callable[[Callable[[Run], Any]], WatchedKernels]


@pytest.fixture(name="watch")
def _watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    def watch(work: Callable[[Run], Any]) -> WatchedKernels:
        """Compile what some work needs, which numba could not do with watched kernels."""
        work(Run())
        return WatchedKernels(monkeypatch)

    return watch


@pytest.mark.parametrize("name", [name for name in CONSTRUCTORS if name not in WITHOUT_KERNELS])
def test_constructors_raise_or_use_the_fallback(name: str, watch: Watch) -> None:
    problem = suited(name, _problem(40))
    stage = CONSTRUCTORS[name]

    def work(run: Run) -> Partition:
        return stage(problem, np.random.default_rng(0), run)

    watched = watch(work)
    for call in watched.calls_of(work):
        run = watched.run_ended_by(call)
        if isinstance(stage, FixedSize | VMdav):
            assert work(run).sizes.min() >= K
        else:
            with pytest.raises(StoppedError, match="cancelled"):
                work(run)
        assert run.log.ended_by == "cancelled"


@pytest.mark.parametrize("name", REFINING)
def test_refiners_return_the_best_so_far(name: str, watch: Watch) -> None:
    start = _start(_problem(N_PROVING if name == "proving" else 40))

    def work(run: Run) -> Partition:
        return REFINING[name](start, np.random.default_rng(0), run)

    watched = watch(work)
    for call in watched.calls_of(work):
        run = watched.run_ended_by(call)
        refined = work(run)
        assert refined.sse <= start.sse
        assert refined.sizes.min() >= K
        assert run.log.ended_by == "cancelled"


@pytest.mark.parametrize("name", BOUNDING)
def test_bounds_return_what_is_proved(name: str, watch: Watch) -> None:
    problem = _problem(N_PROVING)
    if name == "sorted-cut":
        problem = suited("univariate", problem)
    start = _start(problem)

    def work(run: Run) -> tuple[LowerBound, Partition]:
        return BOUNDING[name](problem, start, run)

    watched = watch(work)
    optimum = work(Run())[1].sse
    for call in watched.calls_of(work):
        bound, partition = work(watched.run_ended_by(call))
        assert bound.ended_by == "cancelled"
        assert not bound.converged
        assert partition.sse <= start.sse
        assert bound.sse <= optimum * (1 + 1e-12)


@pytest.mark.parametrize("stage", [*REFINING.values(), *BOUNDING.values()], ids=[*REFINING, *BOUNDING])
def test_stages_pickle(stage: object) -> None:
    assert pickle.loads(pickle.dumps(stage)) == stage


COLD = """
import numpy as np
from microagg import Problem, Run
from microagg.construct import CONSTRUCTORS
from microagg.control.stopping import StoppedError
from microagg.kernels.compile_hook import before_compiling
from microagg.kernels.geometry.record_blocks import pack

problem = Problem(np.random.default_rng(0).normal(size=(40, 2)), 3)

def ended(number, work):
    '''Do some work that is cancelled before the compilation of that number.'''
    run = Run()
    n_compiled = 0

    def check():
        nonlocal n_compiled
        n_compiled += 1
        if n_compiled == number:
            run.cancel()
        run.check()

    token = before_compiling.set(check)
    try:
        return run, work(run)
    finally:
        before_compiling.reset(token)
        print(n_compiled, end=" ")

try:
    ended(1, lambda run: pack(problem.X))
except StoppedError as stopped:
    print(stopped.ending)
for number in (2, 4):
    run, partition = ended(number, lambda run: CONSTRUCTORS["mdav"](problem, None, run))
    print(run.log.ended_by, run.log.fallback_share, partition.sizes.min() >= 3)
run, partition = ended(10**9, lambda run: CONSTRUCTORS["mdav"](problem, None, run))
print(run.log.ended_by, run.log.fallback_share)
print(*partition.labels)
"""


def test_compiling_ends_between_two_kernels_and_leaves_them_usable(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", COLD], env=environment, capture_output=True, text=True, check=False)
    problem = Problem(np.random.default_rng(0).normal(size=(40, 2)), 3)
    labels = CONSTRUCTORS["mdav"](problem, np.random.default_rng(0), Run()).labels
    *ended, compiled, found = done.stdout.splitlines()
    assert ended == ["1 cancelled", "2 cancelled 1.0 True", "4 cancelled 1.0 True"], done.stderr
    assert compiled.endswith(" None 0.0")
    assert int(compiled.split()[0]) > 0
    assert found == " ".join(map(str, labels))
