"""The arguments of the command line."""

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import shtab

from microagg.model.names import nearest
from microagg.refine.search import EFFORTS
from microagg.version import __version__

Command = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """Parser that says what is wrong in one sentence, and which option was probably meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        self.exit(2, f"error: {message} (see {self.prog} --help)\n")

    def parse_args(self, args: Any = None, namespace: Any = None) -> argparse.Namespace:  # type: ignore[override]
        """Parse; where an option is unknown, say which one was probably meant."""
        parsed: argparse.Namespace
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            command: Parser = getattr(parsed, "command", self)
            meant = nearest(unknown[0].partition("=")[0], command._option_string_actions)
            hint = f": did you mean {meant}?" if meant and unknown[0].startswith("-") else ""
            command.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        return parsed


def parser(commands: dict[str, Command]) -> Parser:
    """Make the parser.

    Parameters
    ----------
    commands
        What runs each command, by its name.
    """
    made = Parser(prog="microagg", description="Protect microdata by microaggregation.", epilog=_EXAMPLES["microagg"])
    made.add_argument("--version", action="version", version=f"microagg {__version__}")
    shtab.add_argument_to(made, "--print-completion", help="print the completion script of a shell")
    named = made.add_subparsers(title="commands", metavar="COMMAND")
    for name, (add, text) in _COMMANDS.items():
        command = named.add_parser(name, help=text, description=_sentence(text), epilog=_EXAMPLES[name])
        command.set_defaults(run=commands[name], command=command)
        add(command)
        _add_printing(command)
    return made


def given(options: argparse.Namespace, names: tuple[str, ...]) -> dict[str, Any]:
    """Give the options that were said, of some names."""
    return {name: getattr(options, name) for name in names if hasattr(options, name)}


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _add_protect(command: Parser) -> None:
    _file(command, "input", help="the file to protect: CSV, Parquet or Arrow; - is standard input")
    _file(command, "-o", "--output", required=True, help="the released file, its ending tells its kind; - is stdout")
    command.add_argument("-k", type=whole, default=argparse.SUPPRESS, metavar="K", help="the smallest group allowed")
    _file(command, "--plan", help="what is to be done, as TOML: options here may say more of it, but nothing else")
    columns = command.add_argument_group("which columns")
    _columns(columns, "--columns", "the columns to protect (default: every numeric one, if none is doubtful)")
    _columns(columns, "--exclude", "numeric columns that are released as they came")
    _columns(columns, "--drop", "columns that are left out of the release")
    _add_grouping(command)
    _switch(command, "--bound", "prove how little any grouping must lose, too")
    release = command.add_argument_group("the release")
    _switch(release, "--keep-integers", "round the means of whole-number columns")
    _switch(release, "--shuffle", "release the records in a random order")
    _switch(release, "--allow-k1", "allow k = 1, which protects nothing")
    _file(release, "--report", help="write the report here too: .txt or .json")
    _add_force(release)
    _add_reading(command)


def _add_bound(command: Parser) -> None:
    _file(command, "input", help="the file: CSV, Parquet or Arrow; no data are written")
    _k(command)
    columns = command.add_argument_group("which columns")
    _columns(columns, "--columns", "the columns to group by (default: every numeric one, if none is doubtful)")
    _columns(columns, "--exclude", "numeric columns that do not count")
    _add_grouping(command)
    _add_force(command)
    _add_reading(command)


def _add_verify(command: Parser) -> None:
    text = "the file to check; or the file before and the file to check"
    files = command.add_argument("files", type=Path, nargs="+", metavar="[ORIGINAL] RELEASED", help=text)
    files.complete = shtab.FILE  # type: ignore[attr-defined]
    _k(command)
    _columns(command, "--columns", "the columns that are k-anonymous together", required=True)
    _file(command, "--original", help="the file before, to compare with")
    _add_reading(command)


def _add_certify(command: Parser) -> None:
    _file(command, "certificate", help="the certificate: JSON")
    _file(command, "data", help="the file that it is about: CSV, Parquet or Arrow")
    command.add_argument("--time-limit", type=float, metavar="SECONDS", help="give the check up after so long")
    _add_reading(command)


def _add_measure(command: Parser) -> None:
    _file(command, "original", help="the file before")
    _file(command, "released", help="the file after, its records in the same order")
    _columns(command, "--columns", "the columns to measure (default: every numeric one that was changed)")
    _add_scale(command)
    _add_reading(command)


def _add_methods(command: Parser) -> None:
    """Add nothing: the list of methods has no options of its own."""


def _add_grouping(command: Parser) -> None:
    """Add the options that say how to group."""
    group = command.add_argument_group("how to group")
    unsaid = argparse.SUPPRESS
    group.add_argument("--method", default=unsaid, help="see 'microagg methods' (default: auto)")
    group.add_argument(
        "--effort", default=unsaid, choices=tuple(EFFORTS), help="of the search (default: standard, or the limits)"
    )
    _add_scale(group)
    group.add_argument(
        "--random-state", default=unsaid, type=whole, metavar="N", help="same number, same groups (default: 0)"
    )
    group.add_argument("--time-limit", default=unsaid, type=float, metavar="SECONDS", help="that solving may take")
    group.add_argument(
        "--iterations", default=unsaid, type=whole, metavar="N", help="stop refining after so many rounds or trials"
    )
    group.add_argument(
        "--target-gap", default=unsaid, type=float, metavar="GAP", help="end the bound at such a gap, e.g. 0.01"
    )
    group.add_argument("--workers", type=whole, metavar="N", help="threads to use (default: one for each processor)")
    _file(group, "--certificate", help="with --method exact: write the proof here, for 'microagg certify'")


def _add_scale(command: Any) -> None:
    command.add_argument(
        "--no-standardise",
        dest="standardise",
        default=argparse.SUPPRESS,
        action="store_false",
        help="take the columns on their own scales",
    )


def _add_reading(command: Parser) -> None:
    """Add the options that say how a text file is to be read."""
    group = command.add_argument_group("how a text file is read (all of it is found out unless it is said)")
    unsaid = argparse.SUPPRESS
    group.add_argument("--delimiter", default=unsaid, metavar="SIGN", help="between two fields; \\t is a tab")
    group.add_argument("--decimal", default=unsaid, choices=(".", ","), help="the decimal sign")
    group.add_argument("--encoding", default=unsaid, metavar="NAME", help="such as utf-8 or cp1252")
    group.add_argument(
        "--header",
        default=unsaid,
        action=argparse.BooleanOptionalAction,
        help="whether the first line names the columns",
    )


def _add_printing(command: Parser) -> None:
    command.add_argument(
        "--format", choices=["text", "json"], default="text", help="of what is printed (default: text)"
    )
    loud = command.add_mutually_exclusive_group()
    loud.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    loud.add_argument("-v", "--verbose", action="store_true", help="say what was found out and how the loss fell")


def _add_force(command: Any) -> None:
    command.add_argument("-f", "--force", action="store_true", help="replace files that are there")


def _switch(command: Any, name: str, text: str) -> None:
    command.add_argument(name, action="store_true", default=argparse.SUPPRESS, help=text)


def _k(command: Parser) -> None:
    command.add_argument("-k", required=True, type=whole, metavar="K", help="the smallest group allowed")


def _file(command: Any, *names: str, help: str, required: bool | None = None) -> None:  # noqa: A002
    action = command.add_argument(*names, type=Path, metavar=names[-1].strip("-").upper(), help=help)
    action.required = required if required is not None else action.required
    action.complete = shtab.FILE


def _columns(command: Any, name: str, text: str, required: bool = False) -> None:
    text += "; commas between them, may be repeated"
    command.add_argument(
        name, action="append", required=required, default=argparse.SUPPRESS, metavar="NAMES", help=text
    )


def whole(text: str) -> int:
    """Read a whole number."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise argparse.ArgumentTypeError(f"must be a whole number, found {text!r}")
    return int(text)


_COMMANDS: dict[str, tuple[Callable[[Parser], None], str]] = {
    "protect": (_add_protect, "protect a file"),
    "bound": (_add_bound, "prove how little any grouping must lose"),
    "verify": (_add_verify, "check any tool's release: PASS or FAIL"),
    "certify": (_add_certify, "check a proof of what any grouping must lose"),
    "measure": (_add_measure, "measure what a release lost"),
    "methods": (_add_methods, "list the methods"),
}

_EXAMPLES = {
    "microagg": """examples:
  microagg protect people.csv -k 5 -o safe.csv --columns income,assets --report report.json
  microagg verify people.csv safe.csv -k 5 --columns income,assets
  microagg protect --help""",
    "protect": """examples:
  microagg protect people.csv -k 5 -o safe.csv --columns income,assets
  microagg protect people.csv -k 5 -o safe.parquet --exclude id,weight --drop name --bound --report report.json
  microagg protect people.csv --plan release.toml -o safe.csv
  microagg protect - -k 3 -o - --columns 'income,net wealth' < people.csv > safe.csv
  microagg protect people.csv -k 3 -o best.csv --columns income,assets --method exact --certificate proof.json""",
    "bound": """examples:
  microagg bound people.csv -k 5 --columns income,assets --time-limit 600
  microagg bound people.csv -k 3 --columns income,assets --method exact --certificate proof.json""",
    "verify": """examples:
  microagg verify safe.csv -k 5 --columns income,assets
  microagg verify people.csv safe.csv -k 5 --columns income,assets""",
    "certify": """examples:
  microagg certify proof.json people.csv""",
    "measure": """examples:
  microagg measure people.csv safe.csv
  microagg measure people.csv safe.csv --columns income,assets --format json""",
    "methods": """examples:
  microagg methods
  microagg methods --format json""",
}
