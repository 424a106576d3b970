"""The command line, run in this process."""

import signal
from pathlib import Path

import pytest

from command_line import Printed, RunCommand
from microagg import cli


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunCommand:
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Printed:
        with pytest.raises(SystemExit) as stopped:
            cli.main([str(argument) for argument in arguments])
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        printed = capsys.readouterr()
        return Printed(stopped.value.code, printed.out, printed.err)

    return command
