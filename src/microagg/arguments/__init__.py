"""Arguments of the command line."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import shtab

from microagg.arguments.command_arguments import COMMANDS
from microagg.arguments.option_groups import ASSESSMENT_OPTIONS
from microagg.arguments.suggesting_parser import SuggestingParser
from microagg.arguments.value_types import table_location
from microagg.version import __version__

__all__ = ["ASSESSMENT_OPTIONS", "Command", "given", "make_parser"]

Command = Callable[[argparse.Namespace], int]
"""Function that runs a command and returns its exit code."""

_EXAMPLES = """examples:
  microagg inspect people.csv --plan release.toml
  microagg protect people.csv -k 5 -o safe.csv --columns income,assets --report report.json
  microagg verify people.csv safe.csv -k 5 --columns income,assets
  microagg protect --help"""


def make_parser(commands: Mapping[str, Command]) -> SuggestingParser:
    """Return the parser of the command line.

    Parameters
    ----------
    commands
        The function that runs each command, by the command's name.
    """
    parser = SuggestingParser(prog="microagg", description="Protect microdata by microaggregation.", epilog=_EXAMPLES)
    parser.add_argument("--version", action="version", version=f"microagg {__version__}")
    shtab.add_argument_to(parser, "--print-completion", help="print the completion script of a shell")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, described in COMMANDS.items():
        command = subparsers.add_parser(
            name,
            help=described.summary,
            usage=f"%(prog)s {described.usage}",
            description=f"{described.summary[0].upper()}{described.summary[1:]}.",
            epilog=described.examples,
        )
        command.set_defaults(run=commands[name], command=command)
        described.add_arguments(command)
        _complete_files(command)
    return parser


def given(options: argparse.Namespace, names: tuple[str, ...]) -> dict[str, Any]:
    """Return those of the named options that were given."""
    return {name: getattr(options, name) for name in names if hasattr(options, name)}


def _complete_files(command: argparse.ArgumentParser) -> None:
    """Let the completion scripts complete the names of files."""
    for action in command._actions:
        if action.type in (Path, table_location):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
