"""Time of many small strata beside that of the same records without strata, at the same effort.

Prints a table as Markdown: seconds of both, compiled kernels, and their ratio.
"""

import argparse
import time

import numpy as np

from microagg import protect

_METHODS = ("mdav", "mdav+descent", "search(effort=quick)")
_K = 5
_STRATUM = 40  # records


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strata", type=int, default=250, help="number of strata of 40 records each")
    parser.add_argument("--methods", default=",".join(_METHODS), help="methods, separated by commas")
    given = parser.parse_args()
    print("| method | records | strata | with strata, s | without, s | ratio |\n|---|---|---|---|---|---|")
    for method in given.methods.split(","):
        print(_row(method, given.strata), flush=True)


def _row(method: str, n_strata: int) -> str:
    rng = np.random.default_rng(0)
    data = np.column_stack([np.arange(_STRATUM * n_strata) % n_strata, rng.normal(size=(_STRATUM * n_strata, 5))])
    columns = ["1", "2", "3", "4", "5"]
    small = data[: 2 * n_strata]
    protect(small, 2, columns=columns, strata=["0"], method=method)  # compiles
    protect(small, 2, columns=columns, method=method)
    start = time.perf_counter()
    protect(data, _K, columns=columns, strata=["0"], method=method)
    with_strata = time.perf_counter() - start
    start = time.perf_counter()
    protect(data, _K, columns=columns, method=method)
    without = time.perf_counter() - start
    return f"| {method} | {len(data)} | {n_strata} | {with_strata:.2f} | {without:.2f} | {with_strata / without:.2f} |"


if __name__ == "__main__":
    main()
