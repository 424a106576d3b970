"""Plan that is settled by the schema of a DataFrame alone: on a cluster nothing is guessed from values."""

import shlex
from collections.abc import Mapping, Sequence
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
from microagg.model.one_machine_options import NOT_ON_CLUSTER
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.model.treatment import Level
from microagg.protect import settled_plan
from microagg.read import read
from microagg.run_pipeline import check_limits
from microagg.spark.arrow_types import empty_arrow_table
from microagg.spark.batch_tables import BatchReader
from microagg.spark.cluster_parts import COARSER_PARTS

_WHOLE_GROUPS = (
    "cells that are filled in or blanked for whole groups are priced by all records in one place: choose "
    "missing='pattern' (--missing) with small_strata='suppress' (--small-strata), or missing='drop', or use one machine"
)
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
    return settle_columns(plan, read(empty_arrow_table(frame)), limits)


def settle_columns(plan: Plan, columns: Table, limits: Limits) -> SettledSchema:
    """Settle a plan by the names and kinds of columns, as `settle_schema` does.

    Parameters
    ----------
    plan
        The plan.
    columns
        The columns, without records.
    limits
        Limits of the run.
    """
    limits = limits.joined(plan.limits)
    check_plan(plan, limits)
    empty = columns.with_missing_values(plan.missing_policy.missing_values)
    settled = settled_plan(plan, empty, limits)
    kinds: dict[str, Kind] = {name: empty.kind(name) for name in empty.names}
    check_marks(settled.missing_policy.missing_values, kinds)
    levels = tuple(_levels(one, empty) for one in settled.sets)
    _check_text(settled, levels, kinds)
    return SettledSchema(settled, BatchReader(kinds, settled.missing_policy.missing_values), levels)


def check_plan(plan: Plan, limits: Limits) -> None:
    """Refuse a plan that a cluster cannot carry out, as far as that is known without the records.

    Parameters
    ----------
    plan
        The plan.
    limits
        Limits of plan and run together.

    Raises
    ------
    InputError
        If an option is not for a cluster: a sentence says why, and what to do instead.
    """
    for one in plan.sets:
        _check_set(one)
        check_limits(set_pipeline(one), limits)
    if limits.time_limit is not None or limits.target_gap is not None:
        raise InputError(f"a time_limit or target_gap is given, but {NOT_ON_CLUSTER['time_limit']}")
    for option, is_given in (
        ("shuffle", plan.shuffle),
        ("renumber", bool(plan.roles.renumber)),
        ("t_closeness", "t_closeness" in plan.privacy.given),
    ):
        if is_given:
            raise InputError(f"the plan has {option}, but {NOT_ON_CLUSTER[option]}")
    if plan.reading.given:
        raise InputError(f"the plan has {listing(plan.reading.given)}, but a DataFrame is read by Spark: leave it out")
    policy = plan.missing_policy
    if policy.missing in ("fill", "blank"):
        raise InputError(f"the plan has missing={policy.missing!r}, but {_WHOLE_GROUPS}")
    if policy.missing == "pattern" and policy.small_strata == "merge":
        raise InputError(f"the plan merges patterns of missing values, but {_WHOLE_GROUPS}")
    if policy.small_strata != "error" and plan.roles.unit is not None:
        raise InputError(
            "the plan has small_strata and a unit, but on a cluster small strata are counted in records: leave "
            f"small_strata (--small-strata) out, {COARSER_PARTS}, or use one machine"
        )


def _check_set(one: ColumnSet) -> None:
    if one.columns is None:
        raise InputError(
            "name the columns to protect, as in columns=['income', 'age'] (--columns income,age): on a cluster none is "
            "guessed"
        )
    if one.bound:
        raise InputError(f"the plan has bound, but {NOT_ON_CLUSTER['bound']}")
    if one.rounding == "total":
        raise InputError(f"the plan has rounding='total', but {NOT_ON_CLUSTER['rounding']}")
    if isinstance(one.method, str) and individual_ranking(one.method) is not None:
        raise MethodError(
            "individual-ranking sorts each column as a whole, which on a cluster cannot be: choose 'auto' "
            "(--method auto), or use one machine"
        )
    if not isinstance(one.method, str):
        raise MethodError("a method of your own stages cannot be sent to a cluster: name one of methods()")


def _levels(one: ColumnSet, empty: Table) -> dict[str, Level]:
    """Return the level of each column of a set; refuse scales that need all values."""
    treatment = one.treatment
    levels = {name: treatment.level(name, empty.kind(name)) for name in one.columns or ()}
    treatment.check(levels)
    for name, level in levels.items():
        for word in (treatment.scale_of(name, level), treatment.transform_of(name, level)):
            if word in _NEEDS_ALL_VALUES:
                raise InputError(
                    f"column {name!r} is to be scaled or transformed by {word!r}, which needs all values in one place: "
                    "choose scale 'deviation', 'range' or 'none' (--scale), and transform 'log' or 'none' (--transform)"
                )
    return levels


def _check_text(plan: Plan, levels: Sequence[Mapping[str, Level]], kinds: Mapping[str, Kind]) -> None:
    """Refuse columns of text, all of them at once, that no option names as categories."""
    guessed = [
        name
        for one, of_set in zip(plan.sets, levels, strict=True)
        for name, level in of_set.items()
        if kinds[name] == "text" and level == "nominal" and name not in one.treatment.nominal
    ]
    if not guessed:
        return
    many = len(guessed) > 1
    raise InputError(
        f"column{'s' * many} {listing(guessed)} {'are no numbers' if many else 'is no number'}: on a cluster nothing "
        f"is guessed, so name {'them' if many else 'it'} in nominal or ordinal, as in nominal={guessed!r} "
        f"(--nominal {shlex.quote(','.join(guessed))})"
    )


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
    for name, kind in kinds.items():
        marks = missing_values.of(name) or ()
        if kind == "text" and any(isinstance(mark, str) for mark in marks):
            raise InputError(
                f"missing_values names texts of column {name!r}, whose other values may or may not be numbers: replace "
                "them in the DataFrame by null"
            )
