"""Command line: parse the arguments, run one command, exit with its code."""

import logging
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from io import TextIOWrapper
from typing import NoReturn

from microagg.arguments import make_parser
from microagg.cli.commands import COMMANDS
from microagg.cli.exit_codes import BAD_INPUT, FAILED, SUCCESS
from microagg.cli.printing import discard_stdout, flush_stdout, print_sentence
from microagg.cli.typed_options import in_command_syntax
from microagg.model.errors import CancelledError, DoubtError, InputError, MicroaggError
from microagg.model.names import listing
from microagg.terminal import INTERRUPTION, NOTICES

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit.

    The exit code is 0 for success, 1 for a release or a certificate that failed, 2 for bad input, 74 for a result
    that cannot be printed, and 130 for an interruption.

    Parameters
    ----------
    arguments
        The arguments, without the name of the program; None for those of the process.
    """
    logging.getLogger("microagg").addHandler(NOTICES)
    _replace_unknown_characters()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = _parse(given)
        INTERRUPTION.install()
        code = options.run(options)
        INTERRUPTION.ignore()
        sys.exit(code)
    except (CancelledError, KeyboardInterrupt):
        INTERRUPTION.exit()
    except DoubtError as error:
        print_sentence(f"error: {in_command_syntax(error.finding, given)}: {_remedy(error, given)}")
        sys.exit(BAD_INPUT)
    except MicroaggError as error:
        print_sentence(f"error: {in_command_syntax(error.message, given)}")
        sys.exit(BAD_INPUT if isinstance(error, InputError) else FAILED)


def _replace_unknown_characters() -> None:
    """Print "?" for characters that the terminal's encoding lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _parse(given: Sequence[str]) -> Namespace:
    """Parse the arguments; print the help, or that of a group of commands, if no command is named."""
    parser = make_parser(COMMANDS)
    try:
        options = parser.parse_args(given)
        if not hasattr(options, "run"):
            getattr(options, "command", parser).print_help()
            sys.stdout.flush()
            sys.exit(SUCCESS)
    except BrokenPipeError:  # the reader of the help or of a completion script closed the pipe
        discard_stdout()
        sys.exit(SUCCESS)
    except SystemExit:
        flush_stdout()
        raise
    NOTICES.setLevel(logging.ERROR if options.quiet else logging.NOTSET)
    options.typed = tuple(given)
    return options


def _remedy(error: DoubtError, given: Sequence[str]) -> str:
    """Return how to go on: the same command, with the columns filled in."""
    if not error.doubts:
        return "add --header if it names the columns, or --no-header if it is a record"
    if not error.plain and not error.identifiers:
        return "name the columns: --columns are protected, --identifiers left out, --exclude and --weight unchanged"
    options = [
        argument
        for option, names in (("--columns", error.plain), ("--identifiers", error.identifiers))
        for argument in _named(option, names)
    ]
    unchanged = f"{listing(error.unchanged)} would be released unchanged; " if error.unchanged else ""
    left = f" ({unchanged}--exclude names columns that are to be released unchanged)"
    if "--plan" in given:
        return f"name the columns in the plan{left}, as by {shlex.join(options)}"
    return f"name the columns{left}, as in: {shlex.join(['microagg', *given, *options])}"


def _named(option: str, names: Sequence[str]) -> list[str]:
    """Return an option that names columns, as it is typed."""
    if any("," in name for name in names):
        return [argument for name in names for argument in (option, name)]
    return [option, ",".join(names)] if names else []
