"""Data sets that this repository makes itself, and the figures of every method on them.

The numbers come from the raw stream of PCG64, which numpy keeps for ever, by integer arithmetic. There are 32, 128
or 256 records, so that means of columns are exact, and no sum depends on its order: every platform sees the same bits.

`python tests/synthetic.py > tests/golden/synthetic.csv` stores the figures of the `microagg` that Python finds;
`test_golden.py` compares. Store them anew only where results are meant to change, and say so in CHANGELOG.md.
"""

import csv
import hashlib
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from microagg import Solution, solve
from microagg.bound import BOUNDS
from microagg.construct import CONSTRUCTORS
from microagg.model.arrays import FloatArray, IntArray
from microagg.refine import REFINERS

FIELDS = ("dataset", "k", "method", "information_loss", "lower_bound", "labels")
ONE_COLUMN = "univariate"
OTHER_LIBRARIES = ("kmeans", "reporder", "exact")  # whose groups may change with scikit-learn or HiGHS: no digest
QUICK = "search(effort=quick)"


class Case(NamedTuple):
    """One figure: a method on a data set."""

    dataset: str
    k: int
    method: str


def draw(seed: int, n: int, d: int, high: int) -> IntArray:
    """Draw whole numbers from 0 to high − 1, where high is a power of 2, of shape (n, d)."""
    raw = np.random.PCG64(seed).random_raw(n * d)
    return (raw >> np.uint64(32)).astype(np.int64).reshape(n, d) % high


def ties() -> IntArray:
    """Return a grid with many equal rows and distances."""
    return draw(1, 128, 3, 8)


def outliers() -> IntArray:
    """Return even numbers with a few records that lie far away."""
    X = draw(2, 128, 4, 256)
    X[::19] *= 40
    return X


def skewed() -> IntArray:
    """Return amounts: many small ones, few large ones, with related columns."""
    base = draw(3, 256, 1, 1024)
    return base * draw(4, 256, 3, 64) * draw(5, 256, 3, 64) // 1024


def clustered() -> IntArray:
    """Return twelve clusters of records, of different spread."""
    centres = draw(6, 12, 5, 4096)
    which = draw(7, 256, 1, 4096)[:, 0] % 12
    return centres[which] + draw(8, 256, 5, 256) * (1 + which[:, None]) // 4


def few() -> IntArray:
    """Return so few records that the search and the proof of the optimum run without compiled kernels, too."""
    return draw(11, 32, 2, 64)


def column() -> IntArray:
    """Return one column of amounts."""
    return draw(9, 256, 1, 1024) * draw(10, 256, 1, 1024) // 256


DATASETS = {
    "ties": ties,
    "outliers": outliers,
    "skewed": skewed,
    "clustered": clustered,
    "few": few,
    "column": column,
}
SIZES = {"ties": 3, "outliers": 4, "skewed": 5, "clustered": 3, "few": 3, "column": 4}


def cases() -> Iterator[Case]:
    """List all figures: every constructor, refiner and bound on each data set of several columns."""
    for dataset, k in SIZES.items():
        for method in methods_for(dataset):
            yield Case(dataset, k, method)


def methods_for(dataset: str) -> list[str]:
    """List the methods whose figures on a data set are stored."""
    if dataset == "column":
        return [ONE_COLUMN, "mdav", "bound automatic"]
    if dataset == "few":
        return [QUICK, "exact"]
    constructors = [method for method in CONSTRUCTORS if method != ONE_COLUMN]
    refined = [f"mdav+{refiner}" for refiner in REFINERS if refiner != "search"]
    bounds = [f"bound {bound}" for bound in BOUNDS if bound not in ("sorted-cut", "automatic", "exact")]
    exact = ["exact"] if dataset == "ties" else []  # seconds on the others
    return [*constructors, *refined, QUICK, "reporder(starts=3)", *bounds, *exact]


def solve_case(case: Case) -> Solution:
    """Solve a data set: by a method, or by `mdav` with a bound; ties are kept by leaving the scale as it is."""
    X: FloatArray = DATASETS[case.dataset]().astype(np.float64)
    options: dict[str, Any] = {"random_state": 0, "standardise": case.dataset != "ties"}
    if case.method.startswith("bound "):
        bounded = solve(X, case.k, method="mdav", bound=BOUNDS[case.method.removeprefix("bound ")], **options)
        return bounded.improved or bounded
    return solve(X, case.k, method=case.method, **options)


def figures(solution: Solution, method: str) -> tuple[str, str, str]:
    """Return the loss in percent, the lower bound where there is one, and a digest of the labels."""
    bound = "" if solution.bound is None else f"{solution.lower_bound:.5f}"
    digest = hashlib.sha256(solution.labels.astype("<i8").tobytes()).hexdigest()[:12]
    return f"{solution.information_loss:.6f}", bound, "" if method.startswith(OTHER_LIBRARIES) else digest


def main() -> None:
    """Print the figures of all cases."""
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(FIELDS)
    for case in cases():
        rows.writerow([*case, *figures(solve_case(case), case.method)])


if __name__ == "__main__":
    main()
