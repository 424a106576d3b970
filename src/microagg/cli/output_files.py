"""Output files of a command: release, report and certificate, written all together or not at all."""

import shlex
import sys
from argparse import Namespace
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from microagg.methods.resolution import certifies
from microagg.model.column_set import MethodLike
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.release import Release
from microagg.model.solution import Solution
from microagg.model.table import Table
from microagg.report import OutputFile, format_of, report
from microagg.report.certificate import as_certificate
from microagg.write import (
    STANDARD_OUTPUT,
    FileWriter,
    check_file,
    check_target,
    file_sha256,
    replace_files,
    same_file,
    write_to_stdout,
)
from microagg.written_file import checked_writer


def check_release_files(options: Namespace, table: Table, plan: Plan) -> None:
    """Raise `InputError` if a release or what comes with it cannot be written, before any work is done."""
    if options.output is not None:
        check_target(table, options.output, force=options.force)
    if options.certificate is not None and len(plan.sets) > 1:
        raise InputError("a certificate is about one column set, found several in the plan: leave --certificate out")
    check_output_files(options, plan.sets[0].method)


def check_output_files(options: Namespace, method: MethodLike) -> None:
    """Raise `InputError` if a report or a certificate cannot be written, before any work is done."""
    taken = [options.input, *filter(None, [getattr(options, "output", None)])]
    for what in ("report", "save_plan", "certificate"):
        path = getattr(options, what, None)
        if path is not None:
            check_output_file(what.replace("save_", ""), path, taken, force=options.force)
            taken.append(path)
    if getattr(options, "report", None) is not None:
        format_of(options.report)
    if options.certificate is not None and not certifies(method):
        raise InputError(f"method {method!r} writes no certificate: add --method exact, or leave --certificate out")


def check_output_file(what: str, path: Path, taken: list[Path], *, force: bool) -> None:
    """Raise `InputError` if a file cannot be written, or is one of those that are read or written besides it."""
    if path == STANDARD_OUTPUT:
        raise InputError(f"the {what} must be a file, found -: name one")
    check_file(path, force=force)
    for other in taken:
        if same_file(path, other):
            raise InputError(f"the {what} {path} is the file {other} itself: choose another name")


def write_release(release: Release, options: Namespace, certificate: str | None) -> str:
    """Write the release, its report and its certificate, all of them or none; return what was written."""
    output: Path = options.output
    fills: dict[Path, FileWriter] = {}
    written = [f"written: {output}"]
    if output != STANDARD_OUTPUT:
        fills[output] = checked_writer(release, output)
    if options.report is not None:
        fills[options.report] = partial(_fill_report, release, output, options.report)
        written.append(f"report {options.report}")
    if options.save_plan is not None:
        fills[options.save_plan] = partial(_fill_text, release.plan.to_toml().rstrip("\n"))
        written.append(f"plan {options.save_plan}")
    if certificate is not None:
        fills[options.certificate] = partial(_fill_text, certificate)
        written.append(f"certificate {options.certificate}")
    replace_files(fills, force=options.force)
    if output == STANDARD_OUTPUT:
        write_to_stdout(checked_writer(release, output))
    return ", ".join(written)


def write_certificate(certificate: str, options: Namespace) -> str:
    """Write a certificate alone; return what was written."""
    replace_files({options.certificate: partial(_fill_text, certificate)}, force=options.force)
    return f"written: certificate {options.certificate}"


def write_plan(plan: str, options: Namespace) -> str:
    """Write a starter plan; return what was written, and how to go on."""
    replace_files({options.plan: partial(_fill_text, plan.removesuffix("\n"))}, force=options.force)
    command = ["microagg", "protect", str(options.input), "--plan", str(options.plan), "-o", "safe.csv"]
    return f"written: plan {options.plan}; answer its questions, then run: {shlex.join(command)}"


def certificate_text(options: Namespace, result: Solution | Release) -> str | None:
    """Return the text of the certificate; None if none was requested, or, after an error message, if there is none."""
    if options.certificate is None:
        return None
    try:
        return as_certificate(result)
    except InputError as error:  # the work is done, and its other results are still to be written
        print(f"error: {error}", file=sys.stderr)
        return None


def _fill_report(release: Release, output: Path, path: Path, temporary: Path, finished: Mapping[Path, Path]) -> None:
    """Write the report, with the checksum of the output, which is written before it."""
    written = finished.get(output)
    file = None if written is None else OutputFile(output.name, file_sha256(written))
    _fill_text(report(release, format_of(path), file), temporary, finished)


def _fill_text(text: str, temporary: Path, finished: Mapping[Path, Path]) -> None:
    temporary.write_text(f"{text}\n", encoding="utf-8")
