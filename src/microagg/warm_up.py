"""Compilation of all kernels ahead of their first use, for containers, clusters and servers."""

import json
import logging
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np

from microagg.available import solve_available
from microagg.bound import BOUNDS
from microagg.certify import certify
from microagg.constrain import constrain
from microagg.construct.kmeans import KMeans
from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.methods import INDIVIDUAL_RANKING, methods, pipeline
from microagg.model.arrays import FloatArray
from microagg.model.errors import CancelledError, InputError
from microagg.model.group_rules import DistinctUnits, GroupRules
from microagg.model.problem import Problem
from microagg.report.certificate import as_certificate
from microagg.run_pipeline import run_pipeline
from microagg.solve import solve

DEFAULT_METHODS = ("mdav", "auto(effort=quick)", "search(effort=quick)")
"""Methods that together call the kernels of the default one."""

_N_RECORDS = 60  # enough for every kernel to be called, few enough for none to take long
_N_EQUAL = 7  # of these records: `imhm` seldom meets a centroid that is nearest to more than 2k − 1, but does here
_N_PRICED = 18  # as the paper's pricings take long
_K = 3
_QUICK = {  # the same kernels in less time
    "auto": "auto(effort=quick)",
    "icsm": "icsm(starts=2, perturb=best)",
    "ls": "ls(max_iterations=5, starts=2)",
    "ona": "ona(starts=2)",
    "reporder": "reporder(starts=2)",
    "search": "search(effort=quick)",
}
_RULES = GroupRules((DistinctUnits(np.arange(_N_RECORDS) // 4, _K),))  # the same kernels enforce every rule
_WEIGHTED = ("univariate", "search(effort=quick)")  # kernels have another version for records that have weights
_PRICINGS = ("enumeration", "ilp", "branch-and-bound", "relaxed")
_log = logging.getLogger("microagg")


def warm_up(*, run: Run | None = None, progress: Progress | None = None) -> None:
    """Compile every kernel and keep the machine code on disk, so that no later run has to.

    It takes about a minute on one processor; several processes may do it at once. Methods that need scikit-learn are
    left out where it is not installed; the log says so.

    Parameters
    ----------
    run
        Progress callback, and the way to cancel from another thread.
    progress
        Progress callback, if no run is given: it gets the stage, the share done, and the method that is next.

    Raises
    ------
    InputError
        If the run has limits: compiling all kernels takes as long as it takes.
    CancelledError
        If the run was cancelled; what was compiled by then is kept.

    Examples
    --------
    >>> import microagg
    >>> microagg.warm_up()  # doctest: +SKIP
    """
    methods = warmed_methods()
    whole = run_of(run, progress)
    if whole.limits.given:
        raise InputError(f"a warm-up has nothing that {' or '.join(whole.limits.given)} could limit: leave it out")
    for number, method in enumerate(methods):
        if whole.cancelled:
            raise CancelledError(f"cancelled: {number} of {len(methods)} methods are compiled")
        whole.report("warm-up", number / len(methods), method)
        compile_method(method)
    whole.report("warm-up", 1.0)


def warmed_methods() -> tuple[str, ...]:
    """Return methods that together call every kernel, those first that the default method consists of.

    Those that need scikit-learn are left out where it is not installed; the log says so.
    """
    found = list(_methods())
    if find_spec("sklearn") is None:
        need_it = [method for method in found if isinstance(pipeline(method).construct, KMeans)]
        names = ", ".join(dict.fromkeys(method.partition("(")[0] for method in need_it))
        _log.warning("not compiled: %s, which need scikit-learn: pip install 'microagg[sklearn]'", names)
        found = [method for method in found if method not in need_it]
    return tuple(sorted(found, key=lambda method: method not in DEFAULT_METHODS))


def compile_method(method: str) -> None:
    """Compile the kernels of one method, and those that are called with it.

    Parameters
    ----------
    method
        One of `warmed_methods`.
    """
    X = np.random.default_rng(0).normal(size=(_N_RECORDS, 2))
    X[-_N_EQUAL:] = 0.0
    records = X[:, :1] if method == "univariate" else X[:_N_PRICED] if "pricing" in method else X
    solution = solve(records, _K, method=method, random_state=0)
    if method == "mdav":
        constrain(solution.partition, _RULES, Run())
        solve(records, _K, method=method, block_size=_N_RECORDS // 2)
        solve(records, _K, method=method, bound=BOUNDS["dual-ascent"])
        _link(X)
        _blank(X)
    if method == "exact":
        certify(json.loads(as_certificate(solution)), records)
    if method in _WEIGHTED:
        weighted = Problem(records, _K, weights=np.linspace(1.0, 2.0, _N_RECORDS))
        run_pipeline(pipeline(method), weighted, 0, Run())


def _link(X: FloatArray) -> None:
    """Call the kernel of record linkage, which no method needs."""
    from microagg.kernels.geometry.nearer_points import count_nearer

    count_nearer(X, X[:_K].copy(), np.ones(_K, dtype=np.int64), np.zeros(len(X), dtype=np.int64))


def _blank(X: FloatArray) -> None:
    """Call the kernels of missing cells that are blank for whole groups."""
    missing = np.zeros(X.shape, dtype=np.bool_)
    missing[::_K, 0] = True
    solve_available(pipeline("mdav"), Problem(X, _K, missing=missing).with_prices(), 0, Run())


def _methods() -> Iterator[str]:
    """Yield methods that together call every kernel."""
    for method in methods():
        if method.name == INDIVIDUAL_RANKING:  # whose columns are grouped by other methods
            continue
        name = method.name.removeprefix("+")
        name = _QUICK.get(name, name)
        yield f"mdav+{name}" if method.name.startswith("+") else name
    for pricing in _PRICINGS:
        yield f"column-generation(pricing={pricing})"
    yield "mdav+icsm(cycles=first)"
    yield "kmeans(means=15)"  # some means have too few records
    yield "mf-tsp(path=nearest,improve=2-opt)"
    yield "mf-tsp(path=farthest-insertion)"
    yield "mf-tsp(path=cheapest-insertion)"
