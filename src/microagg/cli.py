"""The command line: a short reading of the line."""

import logging
import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from microagg.arguments import Command, given, parser
from microagg.certify import certify
from microagg.control.run import Run
from microagg.measure import measure
from microagg.methods import methods
from microagg.methods.resolution import certifies
from microagg.model.errors import DoubtError, InputError, MicroaggError
from microagg.model.plan import PLAN_OPTIONS, READING, MethodLike, Plan
from microagg.model.reading import Reading
from microagg.model.release import Release
from microagg.model.solution import Solution
from microagg.model.table import Table
from microagg.protect import protect
from microagg.read import read
from microagg.report import OutputFile, format_of, report
from microagg.report.certificate import as_certificate
from microagg.solve import SolveOptions, solve
from microagg.terminal import INTERRUPTION, NOTICES, ProgressLine
from microagg.verify import verify
from microagg.write import (
    STANDARD_OUTPUT,
    Fill,
    check_file,
    check_target,
    file_sha256,
    replace_files,
    same_file,
    table_fill,
    write,
)

_NAMES = ("columns", "exclude", "drop")


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command.

    0 is success, 1 a release or a certificate that failed, 2 bad input, 74 a result that cannot be printed, 130 an
    interruption.
    """
    logging.getLogger("microagg").addHandler(NOTICES)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a sign that the terminal does not know is no reason to fail
    said = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = _parsed(said)
        INTERRUPTION.listen()
        code = options.run(options)
        INTERRUPTION.ignore()
        sys.exit(code)
    except DoubtError as error:
        print(f"error: {error.finding}: {_advice(error, said)}", file=sys.stderr)
        sys.exit(2)
    except MicroaggError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, InputError) else 1)
    except KeyboardInterrupt:
        INTERRUPTION.leave()


def _parsed(said: Sequence[str]) -> Namespace:
    """Parse the arguments; print the help where there are none."""
    made = parser(_COMMANDS)
    try:
        options = made.parse_args(said)
        if not hasattr(options, "run"):
            made.print_help()
            sys.stdout.flush()
            sys.exit(0)
    except BrokenPipeError:  # a reader that has had enough of the help, or of a completion script
        _forget_stdout()
        sys.exit(0)
    except SystemExit:
        _flush()
        raise
    if options.quiet:
        NOTICES.setLevel(logging.ERROR)
    return options


def _advice(error: DoubtError, said: Sequence[str]) -> str:
    """Say how to go on: the same command, with the columns filled in."""
    if not error.doubts:
        return "add --header if it names the columns, or --no-header if it is a record"
    if not error.plain:
        return "name the columns to be protected by --columns, or leave some out by --exclude"
    columns = [part for name in error.plain for part in ("--columns", name)]
    if not any("," in name for name in error.plain):
        columns = ["--columns", ",".join(error.plain)]
    return f"name the columns, as in: {shlex.join(['microagg', *said, *columns])}"


def _protect(options: Namespace) -> int:
    plan = Plan.from_toml(options.plan) if options.plan is not None else None
    wanted = given(options, PLAN_OPTIONS)
    table = _read(options.input, options, plan)
    for name in _NAMES:
        if name in wanted:
            wanted[name] = _chosen(table, wanted[name])
    check_target(table, options.output, force=options.force)
    if options.certificate is not None and plan is not None and len(plan.sets) > 1:
        raise InputError("a certificate is about one column set, found several in the plan: leave it out")
    _check_others(options, wanted.get("method", "auto" if plan is None else plan.sets[0].method))
    with ProgressLine(options.quiet) as line:
        line.run = Run(progress=line, workers=options.workers)
        release = protect(table, plan=plan, run=line.run, **wanted)
    INTERRUPTION.check()
    certificate = _certificate(options, release)
    INTERRUPTION.outcome = _write(release, options, certificate)
    _say_more(options, table, [one.solution for one in release.sets])
    if options.output == STANDARD_OUTPUT:
        _print(options, report(release, options.format), sys.stderr)
    else:
        file = OutputFile(options.output.name, file_sha256(options.output))
        _print(options, report(release, options.format, file))
        for one in release.sets:
            _notice(options, f"verified: every group has at least {one.k} records")
        _notice(options, INTERRUPTION.outcome)
    return 0 if options.certificate is None or certificate else 1


def _write(release: Release, options: Namespace, certificate: str | None) -> str:
    """Write the release, its report and its certificate, all of them or none; say what was written."""
    output: Path = options.output
    fills: dict[Path, Fill] = {}
    written = [f"written: {output}"]
    if output != STANDARD_OUTPUT:
        fills[output] = table_fill(release.table, output)
    if options.report is not None:
        fills[options.report] = partial(_fill_report, release, output, options.report)
        written.append(f"report {options.report}")
    if certificate is not None:
        fills[options.certificate] = partial(_fill_text, certificate)
        written.append(f"certificate {options.certificate}")
    replace_files(fills, force=options.force)
    if output == STANDARD_OUTPUT:
        write(release, output)
    return ", ".join(written)


def _fill_report(release: Release, output: Path, path: Path, temporary: Path, finished: Mapping[Path, Path]) -> None:
    """Write the report, with the checksum of the output that is written before it."""
    there = finished.get(output)
    file = None if there is None else OutputFile(output.name, file_sha256(there))
    _fill_text(report(release, format_of(path), file), temporary, finished)


def _fill_text(text: str, temporary: Path, finished: Mapping[Path, Path]) -> None:
    temporary.write_text(f"{text}\n", encoding="utf-8")


def _bound(options: Namespace) -> int:
    table = _read(options.input, options)
    wanted = given(options, tuple(SolveOptions.__annotations__))
    for name in ("columns", "exclude"):
        if name in wanted:
            wanted[name] = _chosen(table, wanted[name])
    _check_others(options, wanted.get("method", "auto"))
    with ProgressLine(options.quiet) as line:
        line.run = Run(progress=line, workers=options.workers)
        solution = solve(table, options.k, bound=True, run=line.run, **wanted)
    INTERRUPTION.check()
    certificate = _certificate(options, solution)
    if certificate is not None:
        replace_files({options.certificate: partial(_fill_text, certificate)}, force=options.force)
    _say_more(options, table, [solution])
    _print(options, report(solution, options.format))
    return 0 if options.certificate is None or certificate else 1


def _read(path: Path, options: Namespace, plan: Plan | None = None) -> Table:
    """Read a file as the options, and the plan if there is one, say."""
    said = given(options, READING)
    if said.get("delimiter") == r"\t":
        said["delimiter"] = options.delimiter = "\t"
    if plan is not None:
        return read(path, plan.with_options(**said).reading)
    return read(path, Reading(**said))


def _check_others(options: Namespace, method: MethodLike) -> None:
    """Refuse a report or a certificate that cannot be written, before any work is done."""
    taken = [options.input, *filter(None, [getattr(options, "output", None)])]
    for what in ("report", "certificate"):
        path = getattr(options, what, None)
        if path is not None:
            if path == STANDARD_OUTPUT:
                raise InputError(f"the {what} must be a file, found -: name one")
            check_file(path, force=options.force)
            for other in taken:
                if same_file(path, other):
                    raise InputError(f"the {what} {path} is the file {other} itself: choose another name")
            taken.append(path)
    if getattr(options, "report", None) is not None:
        format_of(options.report)
    if options.certificate is not None and not certifies(method):
        raise InputError(f"method {method!r} writes no certificate: add --method exact, or leave it out")


def _certificate(options: Namespace, result: Solution | Release) -> str | None:
    """Give the text of the certificate, if one was asked for and there is one."""
    if options.certificate is None:
        return None
    try:
        return as_certificate(result)
    except InputError as error:  # the work is done: it is not to be lost
        print(f"error: {error}", file=sys.stderr)
        return None


def _verify(options: Namespace) -> int:
    *originals, released = options.files
    if len(originals) > 1 or (originals and options.original is not None):
        raise InputError("verify takes the file to check, and at most one file before: found more")
    original = next(iter(originals), options.original)
    before = None if original is None else _read(original, options)
    after = _read(released, options)
    verification = verify(before, after, options.k, _chosen(after, options.columns))
    _print(options, report(verification, options.format))
    return 0 if verification.passed else 1


def _certify(options: Namespace) -> int:
    data = _read(options.data, options)
    with ProgressLine(options.quiet) as line:
        line.run = Run(options.time_limit, progress=line)
        certification = certify(options.certificate, data, run=line.run)
    INTERRUPTION.check()
    _print(options, report(certification, options.format))
    return 0 if certification.passed else 1


def _measure(options: Namespace) -> int:
    original = _read(options.original, options)
    columns = _chosen(original, options.columns) if hasattr(options, "columns") else None
    released = _read(options.released, options)
    _print(options, report(measure(original, released, columns, **given(options, ("standardise",))), options.format))
    return 0


def _methods(options: Namespace) -> int:
    _print(options, report(methods(), options.format))
    return 0


def _chosen(table: Table, said: list[str]) -> list[str]:
    """Split what was said at its commas, but where it is a column's whole name; blanks around a name do not count."""
    names = [name for text in said for name in ([text] if text in table.names else text.split(","))]
    return [name if name in table.names else name.strip() for name in names]


def _say_more(options: Namespace, table: Table, solutions: Sequence[Solution]) -> None:
    """Say, where it was asked for, what was found out, and how the loss fell."""
    if not options.verbose:
        return
    print(f"read: {table!r}, {table.source!r}", file=sys.stderr)
    for solution in solutions:
        for step in solution.history:
            loss = 100.0 * step.sse / solution.sst if solution.sst else 0.0
            print(f"{step.seconds:9.2f} s  iteration {step.iteration}: loss {loss:.4f} %", file=sys.stderr)


def _notice(options: Namespace, text: str) -> None:
    if not options.quiet:
        print(text, file=sys.stderr)


def _print(options: Namespace, text: str, stream: Any = None) -> None:
    """Print the result; a reader that has had enough of it is no error."""
    if options.quiet:
        return
    try:
        print(text, flush=True, file=sys.stdout if stream is None else stream)
    except OSError as error:
        _forget_stdout()
        if not isinstance(error, BrokenPipeError):
            print(f"error: cannot print the result: {error.strerror}; {INTERRUPTION.outcome}", file=sys.stderr)
            sys.exit(74)


def _flush() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        _forget_stdout()


def _forget_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_COMMANDS: dict[str, Command] = {
    "protect": _protect,
    "bound": _bound,
    "verify": _verify,
    "certify": _certify,
    "measure": _measure,
    "methods": _methods,
}
