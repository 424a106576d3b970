"""Verify a released file, whichever tool made it, and make the document of the verdict.

Options: `released` (path), `original` (path, optional), either `plan` (text) or `k` and `columns`, `released_name`,
`original_name` and `plan_name` (as the user knows them, optional), `memory` (optional). Results: verification.json,
verification.html.
"""

import hashlib
from pathlib import Path

from microagg.app.job_tasks.task_context import TaskContext
from microagg.app.job_tasks.task_files import write_json, write_text
from microagg.app.plan_text import parsed_plan
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.model.verification import Verification
from microagg.report import Provenance, ReportedFile
from microagg.report.document import as_document
from microagg.report.document_facts import document_facts
from microagg.verify import read_release, verify
from microagg.workspace import Workspace

RESULT = "verification.json"
"""File of the verdict."""

DOCUMENT = "verification.html"
"""File of the document."""

_PLAN = "release.toml"


def verify_release(context: TaskContext) -> None:
    """Verify the release of a job, and write the verdict and its document."""
    context.progress("read", None)
    text = context.option("plan")
    plan = None if text is None else parsed_plan(text)
    with Workspace(context.option("memory")) as workspace:
        before = _original(context, workspace, plan)
        with context.file("released") as released:
            after = workspace.read(released) if plan is None else read_release(released, plan.reading, workspace.read)
        context.progress("verify", None)
        verification = _verdict(context, before, after, plan)
        facts = document_facts(verification, provenance=_provenance(context, before, after, plan))
    write_json(context.folder / RESULT, facts)
    write_text(context.folder / DOCUMENT, as_document(facts))
    context.tell("done")


def _original(context: TaskContext, workspace: Workspace, plan: Plan | None) -> Table | None:
    if context.option("original") is None:
        return None
    with context.file("original") as source:
        return workspace.read(source, None if plan is None else plan.reading)


def _verdict(context: TaskContext, before: Table | None, after: Table, plan: Plan | None) -> Verification:
    k = context.option("k")
    columns = context.option("columns")
    if plan is None and (k is None or not columns):
        missing = "k" if k is None else "the columns that must be k-anonymous together"
        raise InputError(f"expected a plan, or k and columns, found no plan, and not {missing}: name them")
    return verify(before, after, k, columns, plan=plan)


def _provenance(context: TaskContext, before: Table | None, after: Table, plan: Plan | None) -> Provenance:
    """Return what led to the verdict: the same command, and the files with their checksums."""
    files = [] if before is None else [_file(context, "original", before)]
    files.append(_file(context, "release", after))
    command = ["microagg", "verify", *(one.name for one in files)]
    if plan is None:
        command += ["-k", str(context.option("k"))]
        for name in context.option("columns"):
            command += ["--columns", name]
    else:
        plan_file = context.option("plan_name", _PLAN)
        checksum = hashlib.sha256(context.option("plan").encode()).hexdigest()
        files.append(ReportedFile("plan", plan_file, checksum))
        command += ["--plan", plan_file]
    return Provenance(command, plan, tuple(files))


def _file(context: TaskContext, role: str, table: Table) -> ReportedFile:
    option = "released" if role == "release" else role
    name = context.option(f"{option}_name") or Path(context.option(option)).name
    return ReportedFile(role, name, table.source.sha256)
