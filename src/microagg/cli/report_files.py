"""Reports for files: their formats and editions, and what led to them: the command, the plan and the files."""

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.report import OutputFile, Provenance, ReportedFile, format_of, report
from microagg.write import file_sha256

_PROGRAM = "microagg"


def check_edition(options: Namespace) -> None:
    """Raise `InputError` if the format of the report is not known, or an edition is asked for, but no document."""
    if not wants_document(options) and options.edition is not None:
        found = "no --report" if options.report is None else options.report
        raise InputError(f"--edition is about a report that ends in .html, found {found}: name one, or leave it out")


def wants_document(options: Namespace) -> bool:
    """Check whether the report is a document, for which everything is measured."""
    return options.report is not None and format_of(options.report) == "html"


def report_text(
    result: Any, options: Namespace, provenance: Provenance | None, output: OutputFile | None = None
) -> str:
    """Return the text of the report that is to be written."""
    return report(result, format_of(options.report), output, edition=options.edition, provenance=provenance)


def command_of(options: Namespace) -> Provenance | None:
    """Return the command that a document is made by; None where the report is none."""
    return Provenance((_PROGRAM, *options.typed)) if wants_document(options) else None


def comparison_provenance(options: Namespace, table: Table, plan: Plan | None) -> Provenance | None:
    """Return what led to a comparison: the command, the recommended plan, and the file; None where no document is."""
    if not wants_document(options):
        return None
    return Provenance((_PROGRAM, *options.typed), plan, (_file("original", table),))


def provenance_of(options: Namespace, original: Table | None, released: Table, plan: Plan | None = None) -> Provenance:
    """Return what led to a verdict on files: the command, the plan, and the files with their checksums."""
    files = [] if original is None else [_file("original", original)]
    files.append(_file("release", released))
    if options.plan is not None:
        files.append(ReportedFile("plan", options.plan.name, file_sha256(options.plan)))
    return Provenance((_PROGRAM, *options.typed), plan, tuple(files))


def cluster_provenance(options: Namespace, frames: Mapping[str, str], plan: Plan | None) -> Provenance:
    """Return what led to a verdict on records of Spark: the command, the plan, and the names of the records."""
    files = [ReportedFile(role, name, None) for role, name in sorted(frames.items())]
    if options.plan is not None:
        files.append(ReportedFile("plan", options.plan.name, file_sha256(options.plan)))
    return Provenance((_PROGRAM, *options.typed), plan, tuple(files))


def _file(role: str, table: Table) -> ReportedFile:
    return ReportedFile(role, "" if table.path is None else table.path.name, table.source.sha256)
