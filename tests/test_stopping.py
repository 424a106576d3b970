"""Stages that are stopped out of any kernel, as when a run ends while it is compiled; and compiling that is ended."""

import importlib
import os
import pickle
import pkgutil
import subprocess
import sys
import threading

import numpy as np
import pytest

from microagg import Partition, Problem, Run, kernels
from microagg.bound import BOUNDS
from microagg.bound.automatic import Automatic
from microagg.bound.column_generation import ColumnGeneration
from microagg.construct import CONSTRUCTORS
from microagg.construct.fixed_size import FixedSize
from microagg.construct.kmeans import nearest_random_means
from microagg.construct.v_mdav import VMdav
from microagg.control.stopping import StoppedError
from microagg.control.workers import Workers
from microagg.exact import EXACT
from microagg.methods import SYSTEMS
from microagg.refine import REFINERS
from microagg.refine.icsm import Icsm
from microagg.refine.proving import Proving
from microagg.refine.reorder import RepOrder

REFINING = REFINERS | {
    "icsm, starts": Icsm(starts=3, perturb="best"),
    "reporder": RepOrder(nearest_random_means, starts=3),
    "proving": Proving(SYSTEMS["exact"].bound),
}
BOUNDING = (
    BOUNDS
    | EXACT
    | {
        "exact, searched": SYSTEMS["exact"].bound,
        "paper": SYSTEMS["column-generation"].bound,
        "relaxed": ColumnGeneration("relaxed"),
        "exact, automatic": Automatic(SYSTEMS["exact"].bound),
    }
)


def _problem(one_column=False):
    X = np.random.default_rng(3).normal(size=(40, 1 if one_column else 2))
    return Problem(X - X.mean(axis=0), 3)


def _start(problem):
    return Partition(problem, np.arange(problem.n) // 4)


class _Kernels:
    """All compiled functions as Python calls them; a call of one of them may end a run."""

    def __init__(self, monkeypatch):
        self.called = {}
        self.fatal = None, 0
        for info in pkgutil.walk_packages(kernels.__path__, "microagg.kernels."):
            module = importlib.import_module(info.name)
            for name, value in list(vars(module).items()):
                if hasattr(value, "py_func"):
                    monkeypatch.setattr(module, name, self._watched(value))

    def _watched(self, kernel):
        def call(*arguments):
            name = kernel.py_func.__qualname__
            self.called[name] = self.called.get(name, 0) + 1
            if name == self.fatal[0] and self.called[name] >= self.fatal[1]:
                self.run.cancel()
                self.run.check()
            return kernel(*arguments)

        return call

    def calls(self, work):
        """Say which kernels some work calls: of each, the first call and one half way."""
        self.called.clear()
        work(Run())
        assert self.called
        return [(name, call) for name, count in list(self.called.items()) for call in {1, 1 + count // 2}]

    def ended(self, fatal):
        """Give a run that is cancelled out of a kernel, at some call of it."""
        self.fatal = fatal
        self.called.clear()
        self.run = Run()
        return self.run


@pytest.fixture(name="watch")
def _watch(monkeypatch):
    def watch(work):
        """Compile what some work needs, before numba would meet a kernel that is none."""
        work(Run())
        return _Kernels(monkeypatch)

    return watch


@pytest.mark.parametrize("name", CONSTRUCTORS)
def test_constructors_end_by_the_error_or_in_haste(name, watch):
    problem = _problem(one_column=name == "univariate")
    stage = CONSTRUCTORS[name]

    def work(run):
        return stage(problem, np.random.default_rng(0), run)

    watched = watch(work)
    for fatal in watched.calls(work):
        run = watched.ended(fatal)
        if isinstance(stage, FixedSize | VMdav):
            assert work(run).sizes.min() >= 3
        else:
            with pytest.raises(StoppedError, match="cancelled"):
                work(run)
        assert run.log.ended_by == "cancelled"


@pytest.mark.parametrize("name", REFINING)
def test_refiners_end_with_the_best_so_far(name, watch):
    start = _start(_problem())

    def work(run):
        return REFINING[name](start, np.random.default_rng(0), run)

    watched = watch(work)
    for fatal in watched.calls(work):
        run = watched.ended(fatal)
        refined = work(run)
        assert refined.sse <= start.sse
        assert refined.sizes.min() >= 3
        assert run.log.ended_by == "cancelled"


@pytest.mark.parametrize("name", BOUNDING)
def test_bounds_end_with_what_is_proved(name, watch):
    problem = _problem(one_column=name == "sorted-cut")
    start = _start(problem)

    def work(run):
        return BOUNDING[name](problem, start, run)

    watched = watch(work)
    optimum = work(Run())[1].sse
    for fatal in watched.calls(work):
        bound, partition = work(watched.ended(fatal))
        assert bound.ended_by == "cancelled"
        assert not bound.converged
        assert partition.sse <= start.sse
        assert bound.sse <= optimum * (1 + 1e-12)


@pytest.mark.parametrize("stage", [*REFINING.values(), *BOUNDING.values()], ids=[*REFINING, *BOUNDING])
def test_stages_pickle(stage):
    assert pickle.loads(pickle.dumps(stage)) == stage


def test_workers_wait_for_calls_that_have_begun_when_another_fails():
    begun, released, done = threading.Event(), threading.Event(), []

    def call(number):
        if number == 0:
            begun.wait(60)
            threading.Timer(0.05, released.set).start()
            raise StoppedError("cancelled")
        begun.set()
        released.wait(60)
        done.append(number)

    with pytest.raises(StoppedError):
        Workers(2).map(call, range(2))
    assert done == [1]


COLD = """
import numpy as np
from microagg import Problem, Run
from microagg.construct import CONSTRUCTORS
from microagg.control.stopping import StoppedError
from microagg.kernels.geometry.record_blocks import pack
from microagg.kernels.compile_hook import before_compiling

BOUNDS = OTHER_BOUNDS | EXACT

problem = Problem(np.random.default_rng(0).normal(size=(40, 2)), 3)

def ended(at, work):
    '''Do some work that is cancelled before the compilation of that number.'''
    run = Run()
    compiled = []

    def check():
        compiled.append(at)
        if len(compiled) == at:
            run.cancel()
        run.check()

    token = before_compiling.set(check)
    try:
        return run, work(run)
    finally:
        before_compiling.reset(token)
        print(len(compiled), end=" ")

try:
    ended(1, lambda run: pack(problem.X))
except StoppedError as stopped:
    print(stopped.ending)
for at in (2, 4):
    run, partition = ended(at, lambda run: CONSTRUCTORS["mdav"](problem, None, run))
    print(run.log.ended_by, run.log.fallback_share, partition.sizes.min() >= 3)
run, partition = ended(10**9, lambda run: CONSTRUCTORS["mdav"](problem, None, run))
print(run.log.ended_by, run.log.fallback_share)
print(*partition.labels)
"""


def test_compiling_ends_between_two_kernels_and_leaves_them_sound(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    told = subprocess.run([sys.executable, "-c", COLD], env=environment, capture_output=True, text=True, check=False)
    problem = Problem(np.random.default_rng(0).normal(size=(40, 2)), 3)
    labels = CONSTRUCTORS["mdav"](problem, None, Run()).labels
    *ended, compiled, found = told.stdout.splitlines()
    assert ended == ["1 cancelled", "2 cancelled 1.0 True", "4 cancelled 1.0 True"], told.stderr
    assert compiled.endswith(" None 0.0")
    assert int(compiled.split()[0]) > 0
    assert found == " ".join(map(str, labels))
