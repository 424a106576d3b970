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


def print_message(options: Namespace, text: str) -> None:
    """Print a message to stderr, unless only errors are wanted."""
    if not options.quiet:
        print_sentence(text)


def print_sentence(text: str) -> None:
    """Print an error or a message, which is one line whatever the names in it are, to stderr."""
    print(shown_on_terminal(text), file=sys.stderr)


def print_verdict(options: Namespace, release: Any) -> None:
    """Print which k every group of a release has, however it was made, to stderr."""
    unit = release.plan.roles.unit
    counted = "records" if unit is None else f"different values of {unit}"
    for one in release.sets:
        where = "" if len(release.sets) == 1 else f"on {', '.join(one.columns)} alone, "
        print_message(options, f"verified: {where}every group has at least {one.k} {counted}")


def warn_of_sets(options: Namespace, release: Any) -> None:
    """Warn of column sets that are k-anonymous each on its own, but not together."""
    k = min(one.k for one in release.sets)
    together = release.together
    if together is not None and together.k_reached < k:
        print_message(
            options,
            f"warning: the release is not {k}-anonymous on the protected columns together, where it reaches "
            f"k = {together.k_reached}; each of its {len(release.sets)} column sets is k-anonymous on its own only",
        )


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
