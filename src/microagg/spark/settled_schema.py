"""Plan that is settled by the schema of a DataFrame alone: on a cluster nothing is guessed from values."""

from dataclasses import dataclass
from typing import Any

from microagg.methods import set_pipeline
from microagg.methods.individual_ranking import individual_ranking
from microagg.model.by_column import ByColumn
from microagg.model.column import Kind
from microagg.model.column_set import ColumnSet
from microagg.model.errors import InputError, MethodError
from microagg.model.limits import Limits
from microagg.model.names import listing
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.model.treatment import Level
from microagg.protect import settled_plan
from microagg.read import read
from microagg.run_pipeline import check_limits
from microagg.spark.arrow_types import empty_arrow_table
from microagg.spark.batch_tables import BatchReader

_IN_MEMORY = "which on a cluster cannot be: use one machine, or leave it out"
_NEEDS_ALL_VALUES = ("mad", "iqr", "rank")


@dataclass(frozen=True)
class SettledSchema:
    """Plan whose columns are those of a DataFrame, and how the columns are read.

    Parameters
    ----------
    plan
        The plan, settled.
    reader
        Reads the records.
    levels
        Level of measurement of the columns of each set.
    """

    plan: Plan
    reader: BatchReader
    levels: tuple[dict[str, Level], ...]


def settle_schema(plan: Plan, frame: Any, limits: Limits) -> SettledSchema:
    """Settle a plan by the schema of a DataFrame; refuse what cannot be done on a cluster.

    Parameters
    ----------
    plan
        The plan.
    frame
        The DataFrame.
    limits
        Limits of the run.

    Returns
    -------
    SettledSchema
        The plan, with a known random state.

    Raises
    ------
    InputError
        If the plan does not name its columns, or has an option that a cluster cannot carry out.
    """
    limits = limits.joined(plan.limits)
    _check_options(plan, limits)
    empty = read(empty_arrow_table(frame)).with_missing_values(plan.missing_policy.missing_values)
    settled = settled_plan(plan, empty, limits)
    kinds: dict[str, Kind] = {name: empty.kind(name) for name in empty.names}
    check_marks(settled.missing_policy.missing_values, kinds)
    levels = tuple(_levels(one, empty) for one in settled.sets)
    return SettledSchema(settled, BatchReader(kinds, settled.missing_policy.missing_values), levels)


def _check_options(plan: Plan, limits: Limits) -> None:
    for one in plan.sets:
        _check_set(one)
        check_limits(set_pipeline(one), limits)
    if limits.time_limit is not None or limits.target_gap is not None:
        raise InputError(
            "a time_limit or target_gap is given, which would make the groups depend on the speed of the machines: "
            "limit the work by effort, rounds or iterations"
        )
    for option, is_given in (
        ("shuffle", plan.shuffle),
        ("renumber", bool(plan.roles.renumber)),
        ("t_closeness", "t_closeness" in plan.privacy.given),
        ("exclude", bool(plan.exclude)),
    ):
        if is_given:
            raise InputError(f"the plan has {option}, {_IN_MEMORY}")
    if plan.reading.given:
        raise InputError(f"the plan has {listing(plan.reading.given)}, but a DataFrame is read by Spark: leave it out")
    if plan.missing_policy.small_strata != "error" and plan.roles.unit is not None:
        raise InputError("the plan has small_strata and a unit: on a cluster small strata are counted in records only")


def _check_set(one: ColumnSet) -> None:
    if one.columns is None:
        raise InputError("name the columns to protect, as in columns=['income', 'age']: on a cluster none is guessed")
    if one.bound:
        raise InputError(f"the plan asks for a bound over all records, {_IN_MEMORY}")
    if one.rounding == "total":
        raise InputError(f"the plan has rounding='total', {_IN_MEMORY}")
    if isinstance(one.method, str) and individual_ranking(one.method) is not None:
        raise MethodError(
            "individual-ranking sorts each column as a whole, which on a cluster cannot be: use one machine"
        )
    if not isinstance(one.method, str):
        raise MethodError("a method of your own stages cannot be sent to a cluster: name one of methods()")


def _levels(one: ColumnSet, empty: Table) -> dict[str, Level]:
    """Return the level of each column of a set; refuse scales that need all values, and text that is only guessed."""
    treatment = one.treatment
    levels = {name: treatment.level(name, empty.kind(name)) for name in one.columns or ()}
    treatment.check(levels)
    for name, level in levels.items():
        if empty.kind(name) == "text" and level == "nominal" and name not in treatment.nominal:
            raise InputError(
                f"column {name!r} is no number: on a cluster nothing is guessed, so name it in nominal or ordinal, as "
                f"in nominal=[{name!r}]"
            )
        for word in (treatment.scale_of(name, level), treatment.transform_of(name, level)):
            if word in _NEEDS_ALL_VALUES:
                raise InputError(
                    f"column {name!r} is to be scaled or transformed by {word!r}, which needs all values in one place: "
                    "choose 'deviation', 'range', 'log' or 'none'"
                )
    return levels


def check_marks(missing_values: ByColumn[tuple[Any, ...]], kinds: dict[str, Kind]) -> None:
    """Refuse texts that stand for a missing value of a column of text: whether the rest are numbers is not known.

    Parameters
    ----------
    missing_values
        Values of columns that stand for a missing one.
    kinds
        Kind of each column.

    Raises
    ------
    InputError
        If texts of a column of text are among these.
    """
    for name, marks in missing_values.named:
        if kinds.get(name) == "text" and any(isinstance(mark, str) for mark in marks):
            raise InputError(
                f"missing_values names texts of column {name!r}, whose other values may or may not be numbers: replace "
                "them in the DataFrame by null"
            )
