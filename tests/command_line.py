"""The command line in a process of its own."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any, NamedTuple


class Printed(NamedTuple):
    """Exit code of a command, and what it printed."""

    code: object
    out: str
    err: str


RunCommand = Callable[..., Printed]
"""Run a command in this process, in an empty folder."""


def start(arguments: list[object], **options: Any) -> "subprocess.Popen[Any]":
    """Start a command."""
    return subprocess.Popen([sys.executable, "-m", "microagg", *map(str, arguments)], **options)
