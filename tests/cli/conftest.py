"""The command line, run in this process."""

from pathlib import Path

import pytest

from command_line import Printed, RunCommand, run_here


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunCommand:
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Printed:
        return Printed(run_here(arguments), *capsys.readouterr())

    return command
