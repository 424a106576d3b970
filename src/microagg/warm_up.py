"""Compilation of all kernels ahead of their first use, for containers, clusters and servers."""

import json
from collections.abc import Iterator

import numpy as np

from microagg.certify import certify
from microagg.control.progress import Progress, silent
from microagg.methods import methods
from microagg.report.certificate import as_certificate
from microagg.solve import solve

_N_RECORDS = 60  # enough for every kernel to be called, few enough for each to take no time
_K = 3
_QUICK = {  # the same kernels in less time
    "auto": "auto(effort=quick)",
    "icsm": "icsm(starts=2, perturb=best)",
    "reporder": "reporder(starts=2)",
    "search": "search(effort=quick)",
}
_PRICINGS = ("paper", "enumeration", "ilp", "branch-and-bound", "relaxed")


def warm_up(progress: Progress = silent) -> None:
    """Compile every kernel and keep the machine code on disk, so that no later run has to.

    Several processes may do this at once.

    Parameters
    ----------
    progress
        Progress callback: it is called before each method with its name and the share that is done.

    Examples
    --------
    >>> import microagg
    >>> microagg.warm_up()  # doctest: +SKIP
    """
    tasks = list(_tasks())
    X = np.random.default_rng(0).normal(size=(_N_RECORDS, 2))
    for number, (method, bound) in enumerate(tasks):
        progress("warm-up", number / len(tasks), method)
        records = X[:, :1] if method == "univariate" else X
        solution = solve(records, _K, method=method, bound=bound, random_state=0)
        if method == "exact":
            certify(json.loads(as_certificate(solution)), records)
    progress("warm-up", 1.0)


def _tasks() -> Iterator[tuple[str, bool]]:
    """Yield methods, each with or without a bound, that together call every kernel."""
    for method in methods():
        name = method.name.removeprefix("+")
        name = _QUICK.get(name, name)
        yield f"mdav+{name}" if method.name.startswith("+") else name, False
    for pricing in _PRICINGS:
        yield f"column-generation(pricing={pricing})", False
    yield "mdav", True
