"""Facts about an inspection: unlike all others, they show ranges and frequent values of the original data."""

from dataclasses import asdict
from typing import Any

from microagg.model.inspection import ColumnInspection, Inspection


def inspection_facts(inspection: Inspection) -> dict[str, Any]:
    """Return what was found out about a table, column by column.

    Parameters
    ----------
    inspection
        What the table looks like.

    Returns
    -------
    dict
        Facts by name, as JSON can hold them.
    """
    return {
        "file": inspection.file,
        "read_as": dict(inspection.read_as),
        "n_records": inspection.n_records,
        "n_inspected": inspection.n_inspected,
        "header_doubt": inspection.header_doubt,
        "columns": [_column_facts(column, inspection.n_records) for column in inspection.columns],
        "singling_out": [asdict(one) | {"columns": list(one.columns)} for one in inspection.singling_out],
    }


def _column_facts(column: ColumnInspection, n_records: int) -> dict[str, Any]:
    values = asdict(column.values)
    return {
        "name": column.name,
        "label": column.label,
        **values,
        "missing_share": column.values.n_missing / n_records,
        "frequent": list(column.values.frequent),
        "sentinels": list(column.sentinels),
        "looks": [look._asdict() for look in column.looks],
        **asdict(column.proposal),
    }
