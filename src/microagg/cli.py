"""The command line: a short reading of the line."""

import argparse
import json
import logging
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

import shtab

from microagg import __version__
from microagg.certify import certify
from microagg.errors import InputError, MicroaggError
from microagg.measure import measure
from microagg.methods import certifies, methods
from microagg.protect import protect
from microagg.read import read
from microagg.refine.search import EFFORTS
from microagg.report import FORMATS, format_of
from microagg.report.certificate import as_certificate
from microagg.report.json import solution_facts
from microagg.report.text import columns_table, solution_text
from microagg.solution import Solution
from microagg.solve import solve
from microagg.table import Table
from microagg.terminal import INTERRUPTION, NOTICES, ProgressLine
from microagg.verify import verify
from microagg.write import check_file, check_target, replace_files, same_file, write


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command.

    0 is success, 1 a release or a certificate that failed, 2 bad input, 74 a result that cannot be printed, 130 an
    interruption.
    """
    logging.getLogger("microagg").addHandler(NOTICES)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a sign that the terminal does not know is no reason to fail
    options = _parser().parse_args(arguments)
    try:
        INTERRUPTION.listen()
        code = options.run(options)
        INTERRUPTION.ignore()
        sys.exit(code)
    except MicroaggError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, InputError) else 1)
    except KeyboardInterrupt:
        INTERRUPTION.leave()


def _protect(options: argparse.Namespace) -> int:
    table = read(options.input)
    check_target(table, options.output)
    _check_others(options)
    with ProgressLine() as progress:
        release = protect(
            table,
            options.k,
            columns=_chosen(table, options.columns),
            keep_integers=options.keep_integers,
            shuffle=options.shuffle,
            bound=options.bound,
            progress=progress,
            **_grouping(options),
        )
    INTERRUPTION.check()
    others = _certificate(options, release.solution, release.columns)
    if options.report:
        others[options.report] = FORMATS[format_of(options.report)](release) + "\n"
    write(release.table, options.output, others)
    named = [f"{what} {path}" for what in ("report", "certificate") if (path := getattr(options, what)) in others]
    INTERRUPTION.outcome = ", ".join([f"written: {options.output}", *named])
    _print(FORMATS[options.format](release))
    print(f"verified: every group has at least {release.k} records", file=sys.stderr)
    print(INTERRUPTION.outcome, file=sys.stderr)
    return 0 if options.certificate in (None, *others) else 1


def _bound(options: argparse.Namespace) -> int:
    table = read(options.input)
    _check_others(options)
    with ProgressLine() as progress:
        columns = table.select(_chosen(table, options.columns))
        solution = solve(table, options.k, columns=columns, bound=True, progress=progress, **_grouping(options))
    INTERRUPTION.check()
    certificate = _certificate(options, solution, columns)
    replace_files({path: partial(Path.write_text, data=text, encoding="utf-8") for path, text in certificate.items()})
    if options.format == "json":
        _print_json(solution_facts(solution))
    else:
        _print(solution_text(solution))
    return 0 if options.certificate in (None, *certificate) else 1


def _grouping(options: argparse.Namespace) -> dict[str, Any]:
    """Give the options that say how to group."""
    names = ("method", "effort", "standardise", "random_state", "time_limit", "iterations", "target_gap")
    return {name: getattr(options, name) for name in names}


def _check_others(options: argparse.Namespace) -> None:
    """Refuse a report or a certificate that cannot be written, before any work is done."""
    taken = [options.input, *filter(None, [getattr(options, "output", None)])]
    for what in ("report", "certificate"):
        path = getattr(options, what, None)
        if path is not None:
            check_file(path)
            for other in taken:
                if same_file(path, other):
                    raise InputError(f"the {what} {path} is the file {other} itself: choose another name")
            taken.append(path)
    if getattr(options, "report", None) is not None:
        format_of(options.report)
    if options.certificate is not None and not certifies(options.method):
        raise InputError(f"method {options.method!r} writes no certificate: add --method exact, or leave it out")


def _certificate(options: argparse.Namespace, solution: Solution, columns: Sequence[str]) -> dict[Path, str]:
    """Give the text of the certificate, by its path, if one was asked for and there is one."""
    if options.certificate is None:
        return {}
    try:
        return {options.certificate: as_certificate(solution, columns, options.standardise) + "\n"}
    except InputError as error:  # the work is done: it is not to be lost
        print(f"error: {error}", file=sys.stderr)
        return {}


def _verify(options: argparse.Namespace) -> int:
    released = read(options.released)
    verification = verify(options.original, released, options.k, _chosen(released, options.columns))
    if options.format == "json":
        _print_json({"passed": verification.passed, **asdict(verification)})
    else:
        _print(verification.summary())
    return 0 if verification.passed else 1


def _certify(options: argparse.Namespace) -> int:
    with ProgressLine() as progress:
        certification = certify(options.certificate, options.data, progress)
    INTERRUPTION.check()
    if options.format == "json":
        verdict = {name: getattr(certification, name) for name in ("passed", "optimal", "gap")}
        _print_json({**verdict, **asdict(certification)})
    else:
        _print(certification.summary())
    return 0 if certification.passed else 1


def _measure(options: argparse.Namespace) -> int:
    original = read(options.original)
    columns = _chosen(original, options.columns)
    measures = measure(original, options.released, columns, standardise=options.standardise)
    if options.format == "json":
        _print_json(asdict(measures))
    else:
        _print(
            f"information loss: {measures.information_loss:.4f} %\n"
            f"k reached:        {measures.k_reached} ({measures.n_patterns} groups of {measures.n_records} records)\n\n"
            f"{columns_table(measures)}"
        )
    return 0


def _methods(options: argparse.Namespace) -> int:
    if options.format == "json":
        _print_json([method._asdict() for method in methods()])
        return 0
    width = max(len(method.name) for method in methods())
    for method in methods():
        parameters = f" Parameters: {', '.join(method.parameters)}." if method.parameters else ""
        _print(f"{method.name:<{width}}  {method.summary}{parameters} [{method.reference}]")
    return 0


def _print_json(facts: object) -> None:
    _print(json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False))


def _print(text: str) -> None:
    """Print the result; a reader that has had enough of it is no error."""
    try:
        print(text, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"error: cannot print the result: {error.strerror}; {INTERRUPTION.outcome}", file=sys.stderr)
            sys.exit(74)


def _chosen(table: Table, given: list[str] | None) -> list[str] | None:
    """Split what was given at its commas, but where it is a column's whole name; blanks around a name do not count."""
    if given is None:
        return None
    names = [name for text in given for name in ([text] if text in table.names else text.split(","))]
    return [name if name in table.names else name.strip() for name in names]


class _Parser(argparse.ArgumentParser):
    """Say what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {message} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="microagg", description="Protect microdata by microaggregation.")
    parser.add_argument("--version", action="version", version=f"microagg {__version__}")
    shtab.add_argument_to(parser, "--print-completion", help="print the completion script of a shell")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    k, scale, grouping, output = (_Parser(add_help=False) for _ in range(4))
    k.add_argument("-k", required=True, type=_whole, metavar="K", help="the smallest group allowed")
    scale.add_argument(
        "--no-standardise", dest="standardise", action="store_false", help="take the columns on their own scales"
    )
    output.add_argument("--format", choices=["text", "json"], default="text", help="of what is printed (default: text)")

    grouping.add_argument("--method", default="auto", help="how to group, see 'microagg methods' (default: auto)")
    grouping.add_argument(
        "--effort",
        choices=tuple(EFFORTS),
        help="of the search (default: standard, or the limits below)",
    )
    grouping.add_argument(
        "--random-state", type=_whole, default=0, metavar="N", help="same number, same groups (default: 0)"
    )
    grouping.add_argument("--time-limit", type=float, metavar="SECONDS", help="end the work so long after the start")
    grouping.add_argument("--iterations", type=_whole, metavar="N", help="stop refining after so many rounds or trials")
    grouping.add_argument("--target-gap", type=float, metavar="GAP", help="end the bound at such a gap, e.g. 0.01")
    _file(grouping, "--certificate", help="with --method exact: write the proof here, for 'microagg certify'")

    command = commands.add_parser("protect", help="protect a file", parents=[k, scale, grouping, output])
    command.set_defaults(run=_protect)
    _file(command, "input", help="the file to protect: CSV, Parquet or Arrow")
    _file(command, "-o", "--output", required=True, help="the released file, of the same kind")
    _columns(command, "the columns to protect (default: every numeric one)")
    command.add_argument("--keep-integers", action="store_true", help="round the means of whole-number columns")
    command.add_argument("--shuffle", action="store_true", help="release the records in a random order")
    command.add_argument("--bound", action="store_true", help="prove how little any grouping must lose, too")
    _file(command, "--report", help="write the report here too: .txt or .json")

    command = commands.add_parser(
        "bound", help="prove how little any grouping must lose", parents=[k, scale, grouping, output]
    )
    command.set_defaults(run=_bound)
    _file(command, "input", help="the file: CSV, Parquet or Arrow; no data are written")
    _columns(command, "the columns to group by (default: every numeric one)")

    command = commands.add_parser("verify", help="check any tool's release: PASS or FAIL", parents=[k, output])
    command.set_defaults(run=_verify)
    _file(command, "released", help="the file to check")
    _columns(command, "the columns that are k-anonymous together", required=True)
    _file(command, "--original", help="the file before, to compare with")

    command = commands.add_parser("certify", help="check a proof of what any grouping must lose", parents=[output])
    command.set_defaults(run=_certify)
    _file(command, "certificate", help="the certificate: JSON")
    _file(command, "data", help="the file that it is about: CSV, Parquet or Arrow")

    command = commands.add_parser("measure", help="measure what a release lost", parents=[scale, output])
    command.set_defaults(run=_measure)
    _file(command, "original", help="the file before")
    _file(command, "released", help="the file after, its records in the same order")
    _columns(command, "the columns to measure (default: every numeric one of the original)")

    command = commands.add_parser("methods", help="list the methods", parents=[output])
    command.set_defaults(run=_methods)
    return parser


def _file(command: argparse.ArgumentParser, *names: str, help: str, required: bool | None = None) -> None:  # noqa: A002
    action = command.add_argument(*names, type=Path, metavar=names[-1].strip("-").upper(), help=help)
    action.required = required if required is not None else action.required
    action.complete = shtab.FILE  # type: ignore[attr-defined]


def _columns(command: argparse.ArgumentParser, text: str, required: bool = False) -> None:
    text += "; commas between them, may be repeated"
    command.add_argument("--columns", action="append", required=required, metavar="NAMES", help=text)


def _whole(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise argparse.ArgumentTypeError(f"must be a whole number, found {text!r}")
    return int(text)
