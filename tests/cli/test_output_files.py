"""Release, report and certificate are written all together or not at all, and replace nothing unasked."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from command_line import WITHOUT_NAMES, RunCommand, start
from microagg import InputError, Plan
from microagg.cli import output_files


def test_report_names_the_output_and_its_checksum(run: RunCommand, companies: Path) -> None:
    code, out, _ = run(
        "protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "safe.csv", "--format", "json", "--report", "report.json"
    )
    assert code == 0
    output = {"file": "safe.csv", "sha256": hashlib.sha256(Path("safe.csv").read_bytes()).hexdigest()}
    written = json.loads(Path("report.json").read_text())
    assert written["output"] == output
    assert written["sets"][0]["measures"]["k_reached"] == 3
    assert json.loads(out) == written


def test_text_report(run: RunCommand, companies: Path) -> None:
    run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "safe.csv", "--report", "report.txt")
    assert "surface        595.455     595.455" in Path("report.txt").read_text()


def test_existing_output_is_not_replaced_unasked(run: RunCommand, companies: Path) -> None:
    Path("safe.csv").write_text("mine")
    code, _, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "safe.csv")
    assert (code, "--force" in err) == (2, True)
    assert Path("safe.csv").read_text() == "mine"
    Path("report.json").write_text("mine")
    code, _, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "new.csv", "--report", "report.json")
    assert (code, "--force" in err) == (2, True)
    assert not Path("new.csv").exists()
    assert (
        run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "safe.csv", "--report", "report.json", "--force").code
        == 0
    )
    assert Path("safe.csv").read_text() != "mine"
    assert Path("report.json").read_text() != "mine"


def test_existing_certificate_is_not_replaced_unasked(run: RunCommand, companies: Path) -> None:
    Path("proof.json").write_text("mine")
    exact = ["-k", 3, "--method", "exact", "--certificate", "proof.json"]
    for command in (["protect", companies, *WITHOUT_NAMES, "-o", "safe.csv"], ["bound", companies]):
        code, _, err = run(*command, *exact)
        assert (code, "--force" in err) == (2, True)
        assert Path("proof.json").read_text() == "mine"
    assert not Path("safe.csv").exists()


def test_release_stands_if_nothing_was_proved_that_a_certificate_could_hold(
    run: RunCommand, companies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(result: object) -> None:
        raise InputError("there is no certificate")

    monkeypatch.setattr(output_files, "as_certificate", fail)
    exact = [
        "-k",
        3,
        "--columns",
        "surface",
        "--exclude",
        "employees",
        "--method",
        "exact",
        "--certificate",
        "proof.json",
    ]
    code, _, err = run("protect", companies, *WITHOUT_NAMES, "-o", "safe.csv", *exact)
    assert (code, err.splitlines()[0]) == (1, "error: there is no certificate")
    assert [path.name for path in Path().iterdir()] == ["safe.csv"]
    assert run("bound", companies, *exact).code == 1


@pytest.mark.parametrize("target", ["in.csv", "./in.csv"])
def test_output_equal_to_the_input_is_refused_even_by_force(run: RunCommand, companies: Path, target: str) -> None:
    shutil.copy(companies, "in.csv")
    code, _, err = run("protect", "in.csv", "-k", 3, "-o", target, "--force")
    assert code == 2
    assert "is the input itself" in err
    assert Path("in.csv").read_text() == companies.read_text()


def test_report_and_certificate_may_not_be_one_file(run: RunCommand, companies: Path) -> None:
    options = ["--method", "exact", "--report", "both.json", "--certificate", "both.json"]
    code, _, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "safe.csv", *options)
    assert (code, "is the file both.json itself" in err) == (2, True)
    assert list(Path().iterdir()) == []


def test_links_in_a_circle(run: RunCommand, companies: Path) -> None:
    Path("loop.csv").symlink_to("loop.csv")
    code, _, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "loop.csv")
    assert (code, err.count("\n")) == (2, 1)


def test_report_that_cannot_be_written_holds_back_the_release(run: RunCommand, companies: Path) -> None:
    code, _, err = run("protect", companies, *WITHOUT_NAMES, "-k", 3, "-o", "safe.csv", "--report", "r" * 300 + ".json")
    assert (code, err.count("\n")) == (2, 1)
    assert "File name too long" in err
    assert list(Path().iterdir()) == []


def test_standard_input_and_output(companies: Path, tmp_path: Path) -> None:
    arguments = ["protect", "-", *WITHOUT_NAMES, "-k", 3, "-o", "-", "--method", "mdav"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = start(arguments, cwd=tmp_path, **pipes)
    out, err = process.communicate(companies.read_bytes())
    assert process.returncode == 0
    assert out.decode().splitlines()[0] == "surface,employees"
    assert len(out.decode().splitlines()) == 12
    assert b"information loss" in err
    assert list(tmp_path.iterdir()) == []


def test_the_plan_that_was_carried_out_can_be_saved_and_verified(run: RunCommand) -> None:
    Path("in.csv").write_text("x,s\n" + "".join(f"{number},{'a' if number < 5 else 'b'}\n" for number in range(9)))
    options = ["-k", 2, "--columns", "x", "--strata", "s", "--method", "mdav", "--save-plan", "done.toml"]
    assert run("protect", "in.csv", "-o", "out.csv", *options).code == 0
    assert Plan.from_toml("done.toml").roles.strata == ("s",)
    assert run("verify", "out.csv", "--plan", "done.toml", "--original", "in.csv").code == 0
