"""`microagg certify` on the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

from certificate_cases import Branched
from command_line import Printed, RunCommand, run_here


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, branched: Branched
) -> RunCommand:
    """Run the command in a folder with data and a certificate: exit code, what it printed, and what it said."""
    monkeypatch.chdir(tmp_path)
    certificate = {**branched.certificate, "columns": ["a", "b"]}
    np.savetxt("data.csv", branched.data, delimiter=",", header="a,b", comments="", fmt="%.3f")
    (tmp_path / "proof.json").write_text(json.dumps(certificate))
    (tmp_path / "false.json").write_text(json.dumps({**certificate, "sse": 1.0}))

    def run(*arguments: object) -> Printed:
        return Printed(run_here(["certify", *arguments]), *capsys.readouterr())

    return run


def test_command_certifies(command: RunCommand) -> None:
    code, out, err = command("proof.json", "data.csv")
    assert (code, err) == (0, "")
    assert out.startswith("CERTIFIED: no partition loses less than ")
    code, out, _ = command("proof.json", "data.csv", "--format", "json")
    facts = json.loads(out)
    assert (code, facts["passed"], facts["optimal"], facts["k"]) == (0, True, True, 2)
    assert facts["findings"][-1]["check"] == "leaves"


def test_command_refuses(command: RunCommand, tmp_path: Path) -> None:
    code, out, _ = command("false.json", "data.csv")
    assert (code, out.splitlines()[0]) == (1, "NOT CERTIFIED")
    code, out, _ = command("false.json", "data.csv", "--format", "json")
    assert (code, json.loads(out)["passed"]) == (1, False)
    code, _, err = command("data.csv", "data.csv")
    assert code == 2
    assert err.startswith("error: data.csv is not a certificate: expected JSON")
    code, _, err = command("none.json", "data.csv")
    assert (code, err) == (2, "error: cannot read none.json: No such file or directory\n")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    assert command("deep.json", "data.csv")[0] == 2
    (tmp_path / "list.json").write_text("[]")
    assert command("list.json", "data.csv")[2] == "error: the certificate must be an object with entries, found []\n"
