"""The command line, in this process or in one of its own."""

import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import pytest

from microagg import cli
from patience import PATIENCE


class Printed(NamedTuple):
    """Exit code of a command, and what it printed."""

    code: object
    out: str
    err: str


WITHOUT_NAMES = ("--identifiers", "company")
"""Options for examples/companies.csv: the column of names is left out."""

RunCommand = Callable[..., Printed]
"""Run a command in this process, in an empty folder."""


def run_here(arguments: Iterable[object]) -> object:
    """Run a command in this process, and return its exit code."""
    with pytest.raises(SystemExit) as stopped:
        cli.main([str(argument) for argument in arguments])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    return stopped.value.code


def start(arguments: list[object], **options: Any) -> "subprocess.Popen[Any]":
    """Start a command."""
    return subprocess.Popen([sys.executable, "-m", "microagg", *map(str, arguments)], **options)


class CommandOnTerminal:
    """Command whose stderr is a terminal; it is killed at the end of the block, if it has not ended.

    A thread reads the terminal all the time: a terminal that nobody reads is full after some kilobytes, and then the
    command waits for ever.

    Parameters
    ----------
    arguments
        The arguments of the command.
    """

    def __init__(self, arguments: list[object]) -> None:
        self._terminal, stderr = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}  # others may show no progress
        self._process = start(arguments, stdout=subprocess.PIPE, stderr=stderr, env=environment)
        os.close(stderr)
        self._shown = b""
        self._is_closed = False
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def __enter__(self) -> "CommandOnTerminal":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._reader.join()
        os.close(self._terminal)

    def _read(self) -> None:
        """Read what the terminal shows until the command closes it."""
        with suppress(OSError):  # so Linux tells that it is closed
            while piece := os.read(self._terminal, 4096):
                with self._news:
                    self._shown += piece
                    self._news.notify_all()
        with self._news:
            self._is_closed = True
            self._news.notify_all()

    def wait_for(self, text: str) -> None:
        """Wait until the terminal has shown some text."""
        with self._news:
            self._news.wait_for(lambda: text.encode() in self._shown or self._is_closed, PATIENCE)
            assert text.encode() in self._shown, f"{text!r} was never shown, but: {self._shown.decode()}"

    def ended(self, number: int) -> tuple[int, str]:
        """End the command by a signal; return its exit code and what it printed."""
        self._process.send_signal(number)
        try:
            out = self._process.communicate(timeout=PATIENCE)[0]
        except subprocess.TimeoutExpired:
            pytest.fail(f"the command did not end; the terminal showed: {self._shown.decode()}")
        return self._process.returncode, out.decode()
