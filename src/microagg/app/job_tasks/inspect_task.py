"""Inspect a file: what its columns look like, their histograms, and a starter plan.

Options: `source` (path), `name` (of the file, as the user knows it), `memory` (optional). Result: inspection.json.
"""

from dataclasses import replace

from microagg.app.job_tasks.column_histograms import column_histogram
from microagg.app.job_tasks.task_context import TaskContext
from microagg.app.job_tasks.task_files import write_json
from microagg.control.run import Run
from microagg.inspect import inspect
from microagg.model.errors import CancelledError
from microagg.model.table import Table
from microagg.report.facts import Facts
from microagg.report.inspection_facts import inspection_facts
from microagg.workspace import Workspace

RESULT = "inspection.json"
"""File of the result."""


def inspect_file(context: TaskContext) -> None:
    """Inspect the file of a job, and write what was found."""
    context.progress("read", None)
    with Workspace(context.option("memory")) as workspace:
        with context.file() as source:
            table = workspace.read(source)
        with context.cancelling(Run(progress=context.progress)) as run:
            workspace.equip(run)
            inspection = replace(inspect(table, run=run), file=context.option("name"))
            facts = {
                "inspection": inspection_facts(inspection),
                "histograms": _histograms(table, run),
                "starter_plan": inspection.to_toml(),
                "kinds": {name: table.kind(name) for name in table.names},
            }
    write_json(context.folder / RESULT, facts)
    context.tell("done")


def _histograms(table: Table, run: Run) -> dict[str, Facts]:
    """Return the histograms of all columns that have one, one column after the other."""
    found = {}
    for number, name in enumerate(table.names):
        if run.cancelled:
            raise CancelledError("cancelled: the table is not inspected to its end, and nothing is reported")
        run.report("histograms", number / len(table.names), name)
        histogram = column_histogram(table, name)
        if histogram is not None:
            found[name] = histogram
    return found
