"""Protect a table: the whole line on one page."""

from collections.abc import Hashable, Iterable
from contextlib import suppress
from operator import gt, lt
from typing import Any

import numpy as np

from microagg.aggregate import aggregate
from microagg.checks import flag
from microagg.errors import InputError, VerificationError
from microagg.measure import measure_tables
from microagg.methods import recipe
from microagg.prepare import prepare
from microagg.progress import Progress, silent
from microagg.read import read
from microagg.release import Release
from microagg.solve import run
from microagg.stop import Stop
from microagg.table import Table
from microagg.write import to_native

_TELLING = 6  # fewer records than this are often in order by chance


def protect(
    table: Any,
    k: int,
    *,
    columns: Iterable[Hashable] | None = None,
    method: str = "auto",
    effort: str | None = None,
    standardise: bool = True,
    keep_integers: bool = False,
    shuffle: bool = False,
    random_state: int | None = 0,
    time_limit: float | None = None,
    iterations: int | None = None,
    bound: bool = False,
    target_gap: float | None = None,
    progress: Progress = silent,
) -> Release:
    """Replace the chosen columns of each record by the means of its group of at least k records.

    Parameters
    ----------
    table
        A path, a dataframe or an array; see `read`. It is not changed.
    k
        The smallest group allowed.
    columns
        Which columns to protect; None: every numeric one. All others are released as they came.
    method
        A name from `methods()`, refiners joined by "+", parameters in parentheses: "v-mdav(gamma=1.1)+recut".
        "auto" is "search", our own; one column alone is cut optimally.
    effort
        How long "search" goes on: "quick", "standard" or "thorough"; see `solve`.
    standardise
        Whether each column is scaled to variance 1 for the grouping, so that all weigh alike.
    keep_integers
        Whether columns of whole numbers stay so: their means are rounded.
    shuffle
        Whether the released records are put in a random order. Its randomness is fresh from the operating system,
        never from `random_state`: an order that can be drawn again can be undone.
    random_state
        The same number gives the same groups; None takes fresh randomness.
    time_limit, iterations
        Limits of the work: seconds, rounds of the refiners. A method that has nothing to limit refuses them. Ctrl-C
        ends the work too, with the best so far.
    bound, target_gap
        Whether to prove how little any grouping must lose, and how small a gap is enough; see `solve`.
    progress
        Is told how far the work is.

    Returns
    -------
    Release
        The released data, the groups and the measures; checked to reach k before it is handed out.
    """
    flag("keep_integers", keep_integers)
    flag("shuffle", shuffle)
    chosen, stop = recipe(method, effort, bound), Stop(time_limit, iterations, target_gap)
    original = read(table)
    names = original.select(columns)
    problem = prepare(original, k, names, standardise=standardise)
    solution = run(chosen, problem, random_state, stop, progress)
    released = aggregate(original, solution.partition, names, keep_integers=keep_integers)
    data = to_native(released)
    measures = measure_tables(original, read(data), names, standardise)
    if measures.k_reached < problem.k:
        raise VerificationError(
            f"the release reaches only k = {measures.k_reached}, not {problem.k}: nothing is released"
        )
    if shuffle:
        released = _shuffled(released)
        data = to_native(released)
    return Release(data, released, solution, measures, names, keep_integers)


def _shuffled(released: Table) -> Table:
    """Put the records in a random order, unless a column that is released as it came would tell the old one."""
    n = released.n_records
    for name in released.names:
        if name not in released.changed and n >= _TELLING and _is_sorted(released, name):
            raise InputError(f"column {name!r} rises or falls all the way, it would undo the shuffling: drop it first")
    return released.in_order(np.random.default_rng().permutation(n))


def _is_sorted(table: Table, name: str) -> bool:
    """Say whether each value of a column is above the one before, or each below."""
    numeric = table.kind(name) in ("integer", "number")
    values = table.numbers(name).tolist() if numeric else table.values(name)
    with suppress(TypeError):  # values that have no order, or are missing
        return all(map(lt, values, values[1:])) or all(map(gt, values, values[1:]))
    return False
