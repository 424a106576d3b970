"""Facts about changes: what differs between a table and its release, without any value of either."""

from dataclasses import asdict
from typing import Any

from microagg.model.change_report import ChangeReport, ColumnChange


def change_facts(changes: ChangeReport) -> dict[str, Any]:
    """Return everything that differs, column by column.

    Parameters
    ----------
    changes
        The change report.

    Returns
    -------
    dict
        Facts by name, as JSON can hold them.
    """
    return {
        "n_before": changes.n_before,
        "n_after": changes.n_after,
        "n_left_out": changes.n_left_out,
        "order": changes.order,
        "columns_in_order": changes.columns_in_order,
        "dropped": list(changes.dropped),
        "added": list(changes.added),
        "changed": list(changes.changed),
        "unplanned": list(changes.unplanned),
        "table": [asdict(one) for one in changes.table],
        "columns": [_column_facts(column) for column in changes.columns],
    }


def _column_facts(column: ColumnChange) -> dict[str, Any]:
    cells = None if column.cells is None else {"total": column.cells.total, **asdict(column.cells)}
    return asdict(column) | {
        "cells": cells,
        "metadata": [asdict(one) for one in column.metadata],
        "is_changed": column.is_changed,
        "is_unplanned": column.is_unplanned,
    }
