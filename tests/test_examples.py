"""The walk-throughs of examples/ are true: each of their commands runs, and prints what they show."""

import re
import shutil
from pathlib import Path

import pytest

from walk_throughs import commands_in, run_code, run_command

EXAMPLES = Path(__file__).parents[1] / "examples"
RECORDS = {"survey": 600, "business": 1500}  # fewer than in the walk-through, for speed


def _label(line: str) -> str:
    """Return the first words of a line, which are the same whatever the data are."""
    return re.split(r":|  |\d|…", line.strip(" *"))[0].strip()


@pytest.mark.parametrize("example", RECORDS)
def test_walk_through(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / example
    shutil.copytree(EXAMPLES / example, folder, ignore=shutil.ignore_patterns("*.csv", "*.json"))
    monkeypatch.chdir(folder)
    programs = []
    text = (EXAMPLES / example / "README.md").read_text(encoding="utf-8")
    for words, shown in commands_in(text):
        if words[0] == "python":
            words += ["--records", str(RECORDS[example])]
        assert run_command(words) == 0, capsys.readouterr().err
        printed = capsys.readouterr()
        for line in shown:
            assert _label(line) in printed.out + printed.err, line
        programs.append(words[1])
    if "```python" in text:
        run_code(text)
    assert programs[:4] == [f"make_{example}.py", "inspect", "protect", "verify"]


@pytest.mark.parametrize("example", RECORDS)
def test_generator_makes_the_same_file_each_time(example: str, tmp_path: Path) -> None:
    made = []
    for name in ("a.csv", "b.csv"):
        words = ["python", str(EXAMPLES / example / f"make_{example}.py")]
        assert run_command([*words, "--records", "300", "--output", str(tmp_path / name)]) == 0
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    assert made[0].count(b"\n") == 301


@pytest.mark.parametrize("example", RECORDS)
def test_data_of_examples_are_not_committed(example: str) -> None:
    assert "/examples/*/*.csv" in (EXAMPLES.parent / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {path.suffix for path in (EXAMPLES / example).iterdir()} <= {".py", ".toml", ".md", ".csv", ".json"}
