"""Arguments of the command line."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import shtab

from microagg.arguments.cluster_arguments import CLUSTER_COMMANDS, GROUPS, REFUSALS
from microagg.arguments.command_arguments import COMMANDS
from microagg.arguments.option_groups import ASSESSMENT_OPTIONS
from microagg.arguments.suggesting_parser import SuggestingParser
from microagg.arguments.value_types import frame_name, table_location
from microagg.arguments.web_arguments import WEB_COMMANDS
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
        The function that runs each command, by the command's name; that of a command of a group is two words.
    """
    parser = SuggestingParser(prog="microagg", description="Protect microdata by microaggregation.", epilog=_EXAMPLES)
    parser.add_argument("--version", action="version", version=f"microagg {__version__}")
    shtab.add_argument_to(parser, "--print-completion", help="print the completion script of a shell")
    parents = {"": parser.add_subparsers(title="commands", metavar="COMMAND")}
    for name, (summary, examples) in GROUPS.items():
        parents[name] = _add_group(parents[""], name, summary, examples)
    for name, described in {**COMMANDS, **WEB_COMMANDS, **CLUSTER_COMMANDS}.items():
        group, _, last_word = name.rpartition(" ")
        command = parents[group].add_parser(
            last_word,
            help=described.summary,
            usage=f"%(prog)s {described.usage}",
            description=_sentence(described.summary),
            epilog=described.examples,
        )
        command.set_defaults(run=commands[name], command=command)
        described.add_arguments(command)
        command.refusals |= REFUSALS.get(name, {})
        _complete_files(command)
    return parser


def given(options: argparse.Namespace, names: tuple[str, ...]) -> dict[str, Any]:
    """Return those of the named options that were given."""
    return {name: getattr(options, name) for name in names if hasattr(options, name)}


def _add_group(parent: Any, name: str, summary: str, examples: str) -> Any:
    """Add a group of commands, and return what its commands are added to."""
    prog = f"microagg {name}"
    group = parent.add_parser(
        name, help=summary, usage=f"{prog} COMMAND [options]", description=_sentence(summary), epilog=examples
    )
    group.set_defaults(command=group)
    return group.add_subparsers(title="commands", metavar="COMMAND", prog=prog)


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def _complete_files(command: argparse.ArgumentParser) -> None:
    """Let the completion scripts complete the names of files."""
    for action in command._actions:
        if action.type in (Path, table_location, frame_name):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
