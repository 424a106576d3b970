"""Read the names of a file's columns, and nothing else of it.

Options: `source` (path), `name` (of the file, as the user knows it), `memory` (optional). Result: columns.json.
"""

from microagg.app.job_tasks.task_context import TaskContext
from microagg.app.job_tasks.task_files import write_json
from microagg.workspace import Workspace

RESULT = "columns.json"
"""File of the result: a list."""


def name_columns(context: TaskContext) -> None:
    """Write the names of the columns of a job's file."""
    context.progress("read", None)
    with Workspace(context.option("memory")) as workspace, context.file() as source:
        names = workspace.read(source).names
    write_json(context.folder / RESULT, list(names))
    context.tell("done")
