"""Predict how much work each candidate of a comparison is, to begin with the longest and to tell how much is done."""

from collections.abc import Sequence

from microagg.candidate_plans import candidate_plan
from microagg.methods import set_pipeline
from microagg.model.column import NUMERIC
from microagg.model.column_set import MethodLike
from microagg.model.errors import MicroaggError
from microagg.model.limits import Limits
from microagg.model.plan import Plan
from microagg.model.problem_shape import Shape
from microagg.model.table import Table
from microagg.pipeline_times import pipeline_work

_SECONDS_OF_MEASURING = 5e-7  # for each record and column, roughly


def candidate_works(
    candidates: Sequence[tuple[int, MethodLike]], plan: Plan, table: Table, limits: Limits
) -> list[float]:
    """Predict the work of each candidate.

    Parameters
    ----------
    candidates
        k and method of each.
    plan
        What is done otherwise.
    table
        The table.
    limits
        The limits of the run.

    Returns
    -------
    list of float
        Seconds on the machine of reference. What cannot be predicted counts as the longest that can.
    """
    names = [name for one in plan.sets for name in one.columns or ()]
    n_columns = len(names) or sum(table.kind(name) in NUMERIC for name in table.names)
    seconds = [_seconds(plan, k, method, Shape(table.n_records, n_columns, k), limits) for k, method in candidates]
    longest = max((one for one in seconds if one is not None), default=1.0)
    least = _SECONDS_OF_MEASURING * (1 + table.n_records * n_columns)
    return [least + (longest if one is None else one) for one in seconds]


def _seconds(plan: Plan, k: int, method: MethodLike, shape: Shape, limits: Limits) -> float | None:
    """Return the seconds of a candidate; None where they cannot be predicted, 0 where it cannot be made."""
    try:
        chosen = set_pipeline(candidate_plan(plan, k, method).sets[0])
    except MicroaggError:
        return 0.0
    works = pipeline_work(chosen, shape, limits)
    return None if works is None else sum(one.seconds for one in works)
