"""Output files of a command: release, report and certificate, written all together or not at all."""

import shlex
from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from microagg.cli.printing import discard_stdout, print_message, print_report, print_sentence
from microagg.cli.report_files import check_edition, command_of, comparison_provenance, report_text
from microagg.methods.resolution import certifies
from microagg.model.column_set import MethodLike
from microagg.model.comparison import Comparison
from microagg.model.errors import InputError
from microagg.model.location import DatabaseTable, Location
from microagg.model.plan import Plan
from microagg.model.release import Release
from microagg.model.solution import Solution
from microagg.model.table import Table
from microagg.read import read
from microagg.report import OutputFile, Provenance, format_of, report
from microagg.report.certificate import as_certificate
from microagg.terminal import INTERRUPTION
from microagg.write import (
    STANDARD_OUTPUT,
    FileWriter,
    check_file,
    check_target,
    file_sha256,
    replace_files,
    same_file,
    table_writer,
    write_to_stdout,
)
from microagg.written_file import checked_writer


def check_release_files(options: Namespace, table: Table, plan: Plan) -> None:
    """Raise `InputError` if a release or what comes with it cannot be written, before any work is done."""
    if options.output is not None:
        check_target(table, options.output, force=options.force)
    if options.certificate is not None and len(plan.sets) > 1:
        raise InputError("a certificate is about one column set, found several in the plan: leave --certificate out")
    check_output_files(options, plan.sets[0].method, plan.sets[0].bound)


def check_output_files(options: Namespace, method: MethodLike, bound: Any) -> None:
    """Raise `InputError` if a report or a certificate cannot be written, before any work is done."""
    taken = [options.input, *filter(None, [getattr(options, "output", None)])]
    for what in ("report", "save_plan", "certificate"):
        path = getattr(options, what, None)
        if path is not None:
            check_output_file(what.replace("save_", ""), path, taken, force=options.force)
            taken.append(path)
    if hasattr(options, "report"):
        check_edition(options)
    if options.certificate is not None and not certifies(method, bound):
        raise InputError(
            f"method {method!r} writes no certificate: add --method exact or --bound exact, or leave --certificate out"
        )


def check_comparison_files(options: Namespace) -> None:
    """Raise `InputError` if what comes of a comparison cannot be written, before any work is done."""
    taken = [options.input]
    files = {"output": options.output, "report": options.report, "plan": options.save_plan}
    for what, path in files.items():
        if path is not None:
            check_output_file(what, path, taken, force=options.force)
            taken.append(path)
    if options.checkpoint is not None:
        check_output_file("checkpoint", options.checkpoint, taken, force=True)
    if options.report is not None:
        format_of(options.report)
    if options.output is not None:
        check_target(read([[0.0]]), options.output, force=options.force)


def check_report(options: Namespace, taken: Sequence[Location | None]) -> None:
    """Raise `InputError` if a report cannot be written, or is a file that is read, before any work is done."""
    if options.report is None and options.force:
        raise InputError("--force replaces an existing report, found no --report: name one, or leave --force out")
    if options.report is not None:
        check_output_file("report", options.report, [path for path in taken if path is not None], force=options.force)
    check_edition(options)


def check_output_file(what: str, path: Path, taken: Sequence[Location], *, force: bool) -> None:
    """Raise `InputError` if a file cannot be written, or is one of those that are read or written besides it."""
    if path == STANDARD_OUTPUT:
        raise InputError(f"the {what} must be a file, found -: name one")
    check_file(path, force=force)
    for other in taken:
        if same_file(path, other):
            raise InputError(f"the {what} {path} is the file {other} itself: choose another name")


def write_release(release: Release, options: Namespace, certificate: str | None) -> str:
    """Write the release, its report and its certificate, all of them or none; return what was written."""
    output: Location = options.output
    fills: dict[Location, FileWriter] = {}
    written = [f"written: {output}"]
    if output != STANDARD_OUTPUT:
        fills[output] = checked_writer(release, output)
    if options.report is not None:
        fills[options.report] = partial(_fill_report, release, options)
        written.append(f"report {options.report}")
    if options.save_plan is not None:
        fills[options.save_plan] = partial(_fill_text, release.plan.to_toml().rstrip("\n"))
        written.append(f"plan {options.save_plan}")
    if certificate is not None:
        fills[options.certificate] = partial(_fill_text, certificate)
        written.append(f"certificate {options.certificate}")
    replace_files(fills, force=options.force)
    if output == STANDARD_OUTPUT:
        try:
            write_to_stdout(checked_writer(release, output))
        except BrokenPipeError:  # the reader has all that it wanted
            discard_stdout()
    return ", ".join(written)


def write_comparison(comparison: Comparison, table: Table, options: Namespace) -> str:
    """Write the table of candidates, the report and the recommended plan, all of them or none; return what was."""
    fills: dict[Location, FileWriter] = {}
    if options.output is not None:
        fills[options.output] = table_writer(read(comparison.to_frame()), options.output)
    if options.report is not None:
        provenance = comparison_provenance(options, table, comparison.plan)
        text = report(comparison, format_of(options.report), provenance=provenance)
        fills[options.report] = partial(_fill_text, text)
    plan = comparison.plan
    if options.save_plan is not None and plan is not None:
        fills[options.save_plan] = partial(_fill_text, plan.to_toml().removesuffix("\n"))
    replace_files(fills, force=options.force)
    written = [f"written: {', '.join(map(str, fills))}"] if fills else []
    if options.save_plan is not None and plan is None:
        written.append("no plan is written, as nothing is recommended")
    elif options.save_plan is not None:
        command = ["microagg", "protect", str(options.input), "--plan", str(options.save_plan), "-o", "safe.csv"]
        written.append(f"to protect so, run: {shlex.join(command)}")
    return "; ".join(written)


def write_report(result: object, options: Namespace, provenance: Provenance) -> str:
    """Write a report alone; return what was written."""
    text = report_text(result, options, provenance)
    replace_files({options.report: partial(_fill_text, text)}, force=options.force)
    return f"written: report {options.report}"


def deliver_report(result: object, options: Namespace, provenance: Provenance) -> None:
    """Print a report, and write one to a file if that is wanted."""
    if options.report is not None:
        INTERRUPTION.outcome = write_report(result, options, provenance)
    print_report(options, report(result, options.format))
    if options.report is not None:
        print_message(options, INTERRUPTION.outcome)


def write_cluster_files(plan: Plan, report_of_release: str | None, options: Namespace) -> str:
    """Write what comes with a release that Spark has written: report and plan; return what was written."""
    fills: dict[Location, FileWriter] = {}
    written = [f"written: {options.output}"]
    if report_of_release is not None:
        fills[options.report] = partial(_fill_text, report_of_release)
        written.append(f"report {options.report}")
    if options.save_plan is not None:
        fills[options.save_plan] = partial(_fill_text, plan.to_toml().rstrip("\n"))
        written.append(f"plan {options.save_plan}")
    replace_files(fills, force=options.force)
    return ", ".join(written)


def write_certificate(certificate: str, options: Namespace) -> str:
    """Write a certificate alone; return what was written."""
    replace_files({options.certificate: partial(_fill_text, certificate)}, force=options.force)
    return f"written: certificate {options.certificate}"


def write_plan(plan: str, options: Namespace, command: Sequence[str]) -> str:
    """Write a starter plan; return what was written, and the command to go on with."""
    replace_files({options.plan: partial(_fill_text, plan.removesuffix("\n"))}, force=options.force)
    return f"written: plan {options.plan}; answer its questions, then run: {shlex.join(command)}"


def certificate_text(options: Namespace, result: Solution | Release) -> str | None:
    """Return the text of the certificate; None if none was requested, or, after an error message, if there is none."""
    if options.certificate is None:
        return None
    try:
        return as_certificate(result)
    except InputError as error:  # the work is done, and its other results are still to be written
        print_sentence(f"error: {error}")
        return None


def _fill_report(release: Release, options: Namespace, temporary: Path, finished: Mapping[Location, Path]) -> None:
    """Write the report, with the checksum of the output, which is written before it."""
    written = finished.get(options.output)
    file = None if written is None else output_file(options.output, written)
    _fill_text(report_text(release, options, command_of(options), file), temporary, finished)


def output_file(target: Location, written: Path | None = None) -> OutputFile:
    """Return the name of what is written to a target and, unless it is a table of a database, its checksum.

    Parameters
    ----------
    target
        The file, or the table of a database, which has no checksum of its own.
    written
        Where the file is until it is put in its place; None: it is there.
    """
    if isinstance(target, DatabaseTable):
        return OutputFile(f"{target.path.name}, table {target.table}", None)
    place = written or target
    return OutputFile(target.name, file_sha256(place), place)


def _fill_text(text: str, temporary: Path, finished: Mapping[Location, Path]) -> None:
    temporary.write_text(f"{text}\n", encoding="utf-8")
