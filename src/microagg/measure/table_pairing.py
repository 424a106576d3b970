"""Pair an original with its release: read both, and check that their records correspond."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from microagg.column_comparison import MATCHED_BY_INDEX, changed, is_constant, matched_by_index, reordered
from microagg.divide import kept_records
from microagg.encode import fit_encoding
from microagg.measure.compared_tables import ComparedTables
from microagg.model.column import NUMERIC
from microagg.model.errors import InputError
from microagg.model.names import listing, quantity
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.model.treatment import Treatment
from microagg.model.treatment_options import checked_option
from microagg.read import read
from microagg.select import refuse_doubtful_header, select


def pair_tables(
    original: Any,
    released: Any,
    columns: Iterable[Hashable] | None = None,
    *,
    k: int | None = None,
    standardise: bool = True,
    nominal: Iterable[Hashable] | None = None,
    ordinal: Iterable[Hashable] | Mapping[Any, Iterable[Any]] | None = None,
) -> ComparedTables:
    """Pair an original with its release, whichever tool made it.

    Parameters
    ----------
    original, released
        Paths, dataframes or arrays, with the same records in the same order.
    columns
        Names of the columns; None for every numeric one that the release has changed.
    k
        Smallest group that was wanted, if it is known.
    standardise
        Whether all columns weigh alike.
    nominal, ordinal
        Which of the columns hold codes.

    Returns
    -------
    ComparedTables
        Both tables, and how the columns are measured.

    Raises
    ------
    InputError
        If the two cannot be compared.
    """
    before = read(original)
    after = read(released)
    check_counts(before, after)
    before, remarks = _matched(before, after)
    if columns is None:
        _check_widths(before, after)
        names = _changed_columns(before, after)
        lacking = [name for name in before.names if before.kind(name) in NUMERIC and name not in after.names]
        remarks += [f"not measured, as the release lacks them: {listing(lacking)}"] if lacking else []
    else:
        names = select(before, columns)
    _check_rows(before, after, names)
    treatment = replace(
        Treatment.plain(standardise),
        nominal=checked_option("nominal", nominal) or (),
        ordinal=checked_option("ordinal", ordinal) or (),
    )
    encoding = fit_encoding(before, names, treatment, " of the original")
    return ComparedTables(before, after, encoding, k, remarks=tuple(remarks))


def pair_by_plan(original: Any, released: Any, plan: Plan) -> ComparedTables:
    """Pair an original with its release by the plan of the release: all protected columns together.

    Parameters
    ----------
    original, released
        Paths, dataframes or arrays; records that the plan leaves out are left out of the original.
    plan
        The plan.

    Returns
    -------
    ComparedTables
        Both tables, and how the columns are measured.

    Raises
    ------
    InputError
        If the two cannot be compared, as when the plan shuffles the records, or if the plan names no columns.
    """
    if not isinstance(plan, Plan):
        raise InputError(f"plan must be a microagg.Plan, found {plan!r}: read a file by Plan.from_toml")
    if plan.shuffle:
        raise InputError(
            "the plan shuffles the records, so that those of the release correspond to none of the original by their "
            "place: measure while protecting, by measures='all' (--measures all)"
        )
    marks = plan.missing_policy.missing_values
    names = tuple(name for one in plan.sets for name in one.columns or ())
    if not names:
        raise InputError("the plan names no columns: measure by the plan of the release, release.plan, which does")
    before = read(original, plan.reading).with_missing_values(marks)
    records = kept_records(before, plan)
    before = before if len(records) == before.n_records else before.in_order(records)
    after = read(released)
    after = after.with_missing_values(marks.among(after.names))
    check_counts(before, after)
    before, remarks = _matched(before, after)
    _check_rows(before, after, names)
    return replace(planned_tables(before, after, plan), remarks=tuple(remarks))


def planned_tables(before: Table, after: Table, plan: Plan) -> ComparedTables:
    """Return tables that are already read, as a plan says that all protected columns are measured together.

    Parameters
    ----------
    before, after
        The original without the records that are left out, and the release, records in the same order.
    plan
        The plan, its columns settled.

    Returns
    -------
    ComparedTables
        Both tables; each column is scaled to variance 1.
    """
    names = tuple(name for one in plan.sets for name in one.columns or ())
    encoding = fit_encoding(before, names, plan.codes, " of the original")
    return ComparedTables(before, after, encoding, min(one.k for one in plan.sets), plan)


def check_counts(original: Table, released: Table) -> None:
    """Refuse tables that do not have the same number of records, or none."""
    if original.n_records != released.n_records:
        raise InputError(
            f"the original has {original.n_records} records, the release {released.n_records}: "
            "they can only be compared row by row"
        )
    if not original.n_records:
        raise InputError("the original has no records: there is nothing to measure")


def _matched(before: Table, after: Table) -> tuple[Table, list[str]]:
    """Return the original in the order of the release, and what is to be said of that."""
    in_order = matched_by_index(before, after)
    return (before, []) if in_order is None else (in_order, [MATCHED_BY_INDEX])


def _check_widths(before: Table, after: Table) -> None:
    """Refuse arrays that have another number of columns: nothing but their places says which ones correspond."""
    widths = len(before.names), len(after.names)
    if widths[0] != widths[1] and not (before.source.may_hold_identifiers and after.source.may_hold_identifiers):
        raise InputError(
            f"the original has {quantity(widths[0], 'column')}, the release {widths[1]}, and columns of arrays have no "
            "names: give both the same columns, or name those to measure, as in columns=[0, 1]"
        )


def _check_rows(before: Table, after: Table, names: Sequence[str]) -> None:
    """Refuse a release that lacks columns, or whose other columns show that the records are in another order."""
    for name in names:
        after.check_name(name)
    others = [name for name in before.names if name in after.names and name not in names]
    moved = reordered(before, after, others)
    if moved and not _any_in_place(before, after, [name for name in others if name not in moved]):
        raise InputError(
            f"the records of the release are in another order: column {moved[0]!r} holds the same values in other "
            "rows; put them in the order of the original first, as they are compared row by row"
        )


def _any_in_place(before: Table, after: Table, names: Sequence[str]) -> bool:
    """Check whether some column that is not constant has its values where they were: then no record has moved."""
    return any(not is_constant(before, name) and not changed(before, after, [name]) for name in names)


def _changed_columns(before: Table, after: Table) -> tuple[str, ...]:
    """Return the numeric columns that the release has changed; all of them where it has changed none."""
    for table in (before, after):
        refuse_doubtful_header(table)
    numeric = [name for name in before.names if before.kind(name) in NUMERIC and name in after.names]
    if not numeric:
        raise InputError("the two tables share no column of numbers: there is nothing to measure")
    return tuple(changed(before, after, numeric) or numeric)
