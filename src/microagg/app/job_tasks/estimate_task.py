"""Estimate the time and the memory of a run.

Options: `source` (path), `plan` (text), `memory` (optional). Result: estimate.json, with the `columns` of the table
that would be run: the sheet, the separator and the header are those of the plan.
"""

from microagg.app.job_tasks.task_context import TaskContext
from microagg.app.job_tasks.task_files import write_json
from microagg.app.plan_text import parsed_plan
from microagg.data_size import first_records
from microagg.estimate import estimate
from microagg.report.facts import facts

RESULT = "estimate.json"
"""File of the result."""


def estimate_run(context: TaskContext) -> None:
    """Estimate the run of a job, and write what is expected."""
    context.progress("estimate", None)
    plan = parsed_plan(context.option("plan"))
    with context.file() as source:
        columns = first_records(source, plan.reading).table.names
        expected = estimate(source, plan=plan, memory=context.option("memory"))
    write_json(context.folder / RESULT, {**facts(expected), "columns": list(columns)})
    context.tell("done")
