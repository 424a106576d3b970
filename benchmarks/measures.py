"""Time of each measure of utility and risk on a large table and a release that is made cheaply.

Prints a table as Markdown: seconds of each, the first use of kernels included.
"""

import argparse
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from microagg import Run, read
from microagg.control.resident_memory import resident_bytes
from microagg.encode import fit_encoding
from microagg.measure import measure_tables
from microagg.measure.attribute_disclosure import measure_attributes
from microagg.measure.compared_columns import ComparedColumns, read_columns
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.distance_linkage import link_by_distance
from microagg.measure.interval_disclosure import measure_intervals
from microagg.measure.number_comparison import NumberComparison, compare_numbers
from microagg.measure.part_anonymity import measure_anonymity
from microagg.measure.probabilistic_linkage import link_by_probability
from microagg.measure.propensity import measure_propensity
from microagg.measure.regression import compare_regression
from microagg.measure.regression_formula import parse_formula
from microagg.measure.reidentification import measure_reidentification
from microagg.measure.relation_figures import relations_of
from microagg.measure.released_classes import ReleasedClasses
from microagg.measure.unchanged_columns import measure_uniqueness
from microagg.model.arrays import FloatArray

_K = 5
_SKEWED = 3  # columns that are amounts; the others are normal


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=10)
    given = parser.parse_args()
    before = _data(given.records, given.columns)
    tables = _compared(before, _released(before))
    print("| measure | seconds |\n|---|---|")
    for name, function in _measures(tables).items():
        start = time.perf_counter()
        function()
        print(f"| {name} | {time.perf_counter() - start:.1f} |", flush=True)
    print(f"\n{given.records} × {given.columns}, resident {(resident_bytes() or 0) / 2**30:.1f} GiB at the end")


def _data(n: int, d: int) -> FloatArray:
    """Return correlated columns, some of them skewed amounts with zeros, the last one a code."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=(n, 1))
    X = 0.6 * common + rng.normal(size=(n, d))
    X[:, :_SKEWED] = np.where(rng.random((n, _SKEWED)) < 0.3, 0.0, np.exp(X[:, :_SKEWED]).round(2))
    return np.column_stack([X, rng.integers(0, 16, n)])


def _released(before: FloatArray) -> FloatArray:
    """Return means of groups of k along a sorted sum of standardised columns: cheap, and lossy."""
    X = before[:, :-1]
    order = np.argsort(((X - X.mean(axis=0)) / X.std(axis=0)).sum(axis=1), kind="stable")
    groups = np.minimum(np.arange(len(X)) // _K, len(X) // _K - 1)
    sizes = np.bincount(groups)
    after = before.copy()
    for column in range(X.shape[1]):
        means = np.bincount(groups, weights=X[order, column]) / sizes
        after[order, column] = means[groups]
    return after


def _compared(before: FloatArray, after: FloatArray) -> ComparedTables:
    original = read(before)
    names = original.names[:-1]
    return ComparedTables(original, read(after), fit_encoding(original, names), _K)


def _measures(tables: ComparedTables) -> dict[str, Callable[[], Any]]:
    """Return what is measured, in order; what several need is made by the first."""
    run = Run()

    @cache
    def columns() -> ComparedColumns:
        return read_columns(tables, run)

    @cache
    def compared() -> list[NumberComparison]:
        return [compare_numbers(one) for one in columns().numbers]

    @cache
    def classes() -> ReleasedClasses:
        return ReleasedClasses.of(tables)

    formula = parse_formula("`0` ~ `1` + `2` + `10`") if len(tables.before.names) > 10 else parse_formula("`0` ~ `1`")
    return {
        "information loss, k (`measure`)": lambda: measure_tables(tables.before, tables.after, tables.encoding),
        "utility: reading of the columns": columns,
        "utility: distributions, IL1s, IL1, PIL of columns": compared,
        "utility: covariances, correlations, eigenvalues, PIL of pairs": lambda: relations_of(
            columns().numbers, compared(), run
        ),
        "utility: propensity score": lambda: measure_propensity(columns(), tables.n_records),
        "utility: a regression of three terms": lambda: compare_regression(tables, formula, None, run),
        "risk: classes of equal records": classes,
        "risk: re-identification": lambda: measure_reidentification(tables, classes(), 0.1),
        "risk: k by stratum": lambda: measure_anonymity(tables),
        "risk: uniqueness": lambda: measure_uniqueness(tables, classes(), run),
        "risk: attribute disclosure": lambda: measure_attributes(tables, run),
        "risk: interval disclosure": lambda: measure_intervals(tables, run),
        "risk: record linkage by distance": lambda: link_by_distance(tables, classes(), run),
        "risk: probabilistic record linkage": lambda: link_by_probability(tables, classes(), run),
    }


if __name__ == "__main__":
    main()
