"""Protect a file as the command line does: release it, check its file, assess it, and make the reports.

Options: `source` (path), `name` (of the file, as the user knows it), `plan` (text), `memory` (optional). Results: the
release, release.json, release.toml, command.txt, script.py and history.json; after the check of the file, checks.json;
after the assessment, document.json, report.html and report_public.html.
"""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from microagg.app.job_tasks.assessment_thread import AssessmentThread
from microagg.app.job_tasks.taken_words import PLAN, command_words, script_text
from microagg.app.job_tasks.task_context import TaskContext
from microagg.app.job_tasks.task_files import released_name, write_json, write_text
from microagg.app.log_line import log_error
from microagg.app.plan_text import parsed_plan
from microagg.app.taken_files import CHECKS
from microagg.control.run import Run
from microagg.model.errors import CancelledError, MicroaggError, VerificationError
from microagg.model.release import Release
from microagg.protect import protect
from microagg.report import OutputFile, Provenance, ReportedFile
from microagg.report.document import as_document
from microagg.report.document_facts import document_facts, release_checks
from microagg.report.facts import Facts, facts
from microagg.workspace import Workspace
from microagg.write import file_sha256, replace_files
from microagg.written_file import checked_writer

RELEASE = "release.json"
"""File of the facts about the release."""

DOCUMENT = "document.json"
"""File of the facts that the reports show."""

REPORTS = {"internal": "report.html", "public": "report_public.html"}
"""File of each edition of the report."""

HISTORY = "history.json"
"""File of the loss and the bound over time."""

_STOPPED = "The run was stopped, and this is the best so far. The same plan, run to its end, gives other groups."
_WITHDRAWN = "The release is withdrawn: delete what was downloaded of it, and hand none of it over"
_NOT_CHECKED = "The released file could not be checked ({kind}), so it is not given away: run the plan again."
_NOT_ASSESSED = "The release was not assessed, as that was stopped."


class _Released(NamedTuple):
    """Release that was written, and its file."""

    release: Release
    file: OutputFile


def protect_file(context: TaskContext) -> None:
    """Protect the file of a job; tell when it is released, and again when it is assessed."""
    context.progress("read", None)
    plan = parsed_plan(context.option("plan"))
    with Workspace(context.option("memory"), context.folder / "safe") as workspace:
        with context.file() as source:
            table = workspace.read(source, plan.reading)
        target = context.folder / released_name(table, context.option("name"))
        run = Run(progress=context.progress)
        workspace.equip(run)
        with context.finishing():
            with context.cancelling(run):
                release = protect(table, plan=plan, run=run)
            released = _write_release(context, release, target)
            sentence = _STOPPED if run.cancelled else ""
            losses = _last_figures(release)
            context.tell("released", sentence=sentence, **losses)
            try:
                remarks = (_check(context, released), _report(context, released, workspace))
            except VerificationError as error:
                _withdraw(context, released.file)
                raise VerificationError(f"{error}. {_WITHDRAWN}") from None
    context.tell("done", sentence=" ".join(filter(None, (sentence, *remarks))), **losses)


def _write_release(context: TaskContext, release: Release, target: Path) -> _Released:
    """Write the release, and everything that is taken home with it."""
    context.progress("write", None)
    replace_files({target: checked_writer(release, target)})
    file = OutputFile(target.name, file_sha256(target), target)
    name = context.option("name")
    folder = context.folder
    write_text(folder / PLAN, release.plan.to_toml())
    write_text(folder / "command.txt", " ".join(command_words(name, target.name, quoted=True)))
    write_text(folder / "script.py", script_text(name, target.name))
    last = {"elapsed": round(context.elapsed, 3), **_last_figures(release)}
    write_json(folder / HISTORY, [*context.history, last] if last["loss"] is not None else context.history)
    write_json(folder / RELEASE, {"facts": _with_name(facts(release, file), name), "file": target.name})
    return _Released(release, file)


def _check(context: TaskContext, released: _Released) -> str:
    """Check the file by code that shares nothing with what made it: before, it is not given away; return remarks."""
    context.progress("verify", None)
    try:
        checks = release_checks(released.release, released.file.path)
    except VerificationError:
        raise
    except Exception as error:
        log_error(error)
        return _NOT_CHECKED.format(kind=type(error).__name__)
    write_json(context.folder / CHECKS, checks)
    return ""


def _report(context: TaskContext, released: _Released, workspace: Workspace) -> str:
    """Assess the release and make the reports; return what there is to remark."""
    try:
        release, remark = _assessed(context, released.release, workspace)
        context.progress("report", None)
        _write_reports(context, _Released(release, released.file))
    except VerificationError:
        raise
    except MicroaggError as error:
        return f"The reports could not be made: {error}."
    except Exception as error:  # the release is there all the same
        log_error(error)
        return f"The reports could not be made, because of an unexpected error ({type(error).__name__})."
    return remark


def _assessed(context: TaskContext, release: Release, workspace: Workspace) -> tuple[Release, str]:
    """Assess a release; where that is stopped or fails, return it as it is, and say so."""
    thread = AssessmentThread(release, workspace, context.progress)
    try:
        with context.cancelling(thread.run):
            return replace(release, assessment=thread.result()), ""
    except CancelledError:
        return release, _NOT_ASSESSED
    except VerificationError:
        raise
    except MicroaggError as error:
        return release, f"The release could not be assessed: {error}."
    except (MemoryError, ArithmeticError, ValueError) as error:
        log_error(error)
        return release, f"The release could not be assessed, because of an unexpected error ({type(error).__name__})."


def _write_reports(context: TaskContext, released: _Released) -> None:
    """Write the reports, with every check of the file that was written."""
    name = context.option("name")
    release, file = released
    files = (
        ReportedFile("original", name, release.table.source.sha256),
        ReportedFile("release", file.name, file.sha256),
    )
    provenance = Provenance(command_words(name, file.name), files=files)
    known = _with_name(document_facts(release, file, provenance), name)
    for edition, report in REPORTS.items():
        write_text(context.folder / report, as_document(known, "internal" if edition == "internal" else "public"))
    write_json(context.folder / DOCUMENT, known)


def _withdraw(context: TaskContext, file: OutputFile) -> None:
    """Remove a release that has failed a check."""
    for name in (CHECKS, file.name, RELEASE, PLAN, HISTORY, DOCUMENT, *REPORTS.values()):
        (context.folder / name).unlink(missing_ok=True)


def _with_name(known: Facts, name: str) -> Facts:
    """Return the facts with the name of the original as the user knows it."""
    return {**known, "input": {**known["input"], "file": name}}


def _last_figures(release: Release) -> dict[str, float | None]:
    """Return the loss and the proved bound in percent; None where there are several column sets."""
    if len(release.sets) > 1:
        return {"loss": None, "bound": None}
    solution = release.solution
    lower = solution.lower_bound
    bound = None if not lower or not solution.sst else 100 * lower / solution.sst
    return {"loss": solution.information_loss, "bound": bound}
