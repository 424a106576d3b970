"""Weighted totals of columns by domain, before and after."""

from collections.abc import Sequence

import numpy as np

from microagg.control.run import Run
from microagg.measure.common_categories import CommonCategories
from microagg.measure.compared_columns import ComparedNumbers
from microagg.measure.compared_tables import ComparedTables
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.assessment import DomainTotal
from microagg.model.errors import InputError
from microagg.model.names import listing
from microagg.model.pair_codes import pair_codes
from microagg.model.row_slices import row_slices

MAX_DOMAINS = 10_000
"""Domains that totals may be asked for."""


def domain_totals(
    tables: ComparedTables,
    columns: Sequence[ComparedNumbers],
    names: Sequence[str],
    weights: FloatArray | None,
    run: Run,
) -> tuple[DomainTotal, ...]:
    """Sum columns by domain in both tables.

    A record counts in the domain that its table puts it in: where a column of the domains is protected, too, records
    may move between them.

    Parameters
    ----------
    tables
        The tables.
    columns
        Columns to sum; dates are left out, and missing values.
    names
        Columns whose combinations of values are the domains.
    weights
        Sampling weights, of shape (n,); None where there are none.
    run
        The run.

    Returns
    -------
    tuple of DomainTotal
        Each column in each domain; those that neither table has are left out.

    Raises
    ------
    InputError
        If a column is not there, or if there are too many domains.
    """
    before, after, texts = _domains(tables, names)
    counts = np.bincount(before, minlength=len(texts))
    found = []
    for place, column in enumerate(columns):
        run.tick("totals", place / len(columns))
        if column.unit is None:
            old = _totals(column.before, before, len(texts), weights)
            new = _totals(column.after, after, len(texts), weights)
            totals = zip(texts, counts.tolist(), old.tolist(), new.tolist(), strict=True)
            found += [DomainTotal(text, column.name, n_records, *both) for text, n_records, *both in totals]
    return tuple(found)


def _domains(tables: ComparedTables, names: Sequence[str]) -> tuple[IntArray, IntArray, list[str]]:
    """Return the domain of each record before and after, and what the domains are."""
    n = tables.n_records
    codes = np.zeros(2 * n, dtype=np.int64)
    texts = [""]
    for name in names:
        common = CommonCategories.of(tables.before.column(name), tables.after.column(name))
        values = [*common.texts, "missing"]
        stacked = np.concatenate([common.before, common.after])
        stacked[stacked < 0] = len(common.texts)
        pairs = pair_codes(codes, stacked)
        kept, codes = np.unique(pairs, return_inverse=True)
        width = int(stacked.max()) + 1
        if len(kept) > MAX_DOMAINS:
            raise InputError(
                f"the columns {listing(names)} make more than {MAX_DOMAINS} domains: name fewer, or coarser ones"
            )
        texts = [
            ", ".join(filter(None, (texts[pair // width], f"{name} = {values[pair % width]}")))
            for pair in kept.tolist()
        ]
    return codes[:n], codes[n:], texts


def _totals(numbers: FloatArray, domains: IntArray, n_domains: int, weights: FloatArray | None) -> FloatArray:
    """Return the weighted sum of numbers in each domain, slice by slice."""
    totals = np.zeros(n_domains)
    for rows in row_slices(len(numbers)):
        amounts = np.nan_to_num(numbers[rows])
        if weights is not None:
            amounts = amounts * weights[rows]
        totals += np.bincount(domains[rows], weights=amounts, minlength=n_domains)
    return totals
