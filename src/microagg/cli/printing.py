"""Printing of results and messages, to readers that may have closed the pipe."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable
from typing import Any, TextIO

from microagg.cli.exit_codes import CANNOT_PRINT
from microagg.model.names import shown_on_terminal
from microagg.model.solution import Solution
from microagg.terminal import INTERRUPTION

_MAX_COLUMNS = 30  # lines of a table of columns


def print_report(options: Namespace, text: str, stream: TextIO | None = None) -> None:
    """Print a report, to stdout by default; exit if it cannot be printed.

    A reader that closes the pipe early is no error.
    """
    if options.quiet:
        return
    try:
        print(shown_on_terminal(text, lines=True), flush=True, file=sys.stdout if stream is None else stream)
    except OSError as error:
        discard_stdout()
        if not isinstance(error, BrokenPipeError):
            print_sentence(f"error: cannot print the result: {error.strerror}; {INTERRUPTION.outcome}")
            sys.exit(CANNOT_PRINT)


def printed_columns(options: Namespace) -> int | None:
    """Return how many lines of a table of columns are printed; None for all."""
    return None if options.verbose else _MAX_COLUMNS


def print_message(options: Namespace, text: str) -> None:
    """Print a message to stderr, unless only errors are wanted."""
    if not options.quiet:
        print_sentence(text)


def print_sentence(text: str) -> None:
    """Print an error or a message, which is one line whatever the names in it are, to stderr."""
    print(shown_on_terminal(text), file=sys.stderr)


def print_verdict(options: Namespace, release: Any) -> None:
    """Print the verdict on a release, however it was made, to stderr: its headline, and what was counted first."""
    verdict = release.verdict
    print_message(options, f"{verdict.headline}: {verdict.sentences[0]}")


def print_warnings(options: Namespace, release: Any) -> None:
    """Print every warning about a release, a line each, to stderr."""
    for one in release.verdict.warnings:
        print_message(options, f"warning: {one.sentence}")


def print_history(options: Namespace, solutions: Iterable[Solution]) -> None:
    """Print how the loss decreased, if details are wanted."""
    if not options.verbose:
        return
    for solution in solutions:
        for step in solution.history:
            loss = 100.0 * step.sse / solution.sst if solution.sst else 0.0
            print(f"{step.seconds:9.2f} s  iteration {step.iteration}: loss {loss:.4f} %", file=sys.stderr)


def flush_stdout() -> None:
    """Flush stdout, if anybody still reads it."""
    try:
        sys.stdout.flush()
    except OSError:
        discard_stdout()


def discard_stdout() -> None:
    """Discard what is still to be printed, so that Python does not fail on it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
