"""The page about inspections shows what the command really prints and writes."""

import re
from collections import Counter
from pathlib import Path

from command_line import RunCommand

PAGE = Path(__file__).parents[2] / "docs" / "inspect.md"


def _block(language: str) -> str:
    """Return the one block of a language in the page."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def test_transcript_is_what_is_printed(run: RunCommand) -> None:
    Path("people.csv").write_text(_block("csv"), encoding="utf-8")
    code, out, _ = run("inspect", "people.csv", "--plan", "release.toml")
    assert code == 0
    assert out == _block("text")
    assert Path("release.toml").read_text(encoding="utf-8") == _block("toml")


def test_the_plan_runs_as_it_is_and_keeps_k_for_all_that_others_may_know(run: RunCommand) -> None:
    Path("people.csv").write_text(_block("csv"), encoding="utf-8")
    Path("release.toml").write_text(_block("toml"), encoding="utf-8")
    assert run("protect", "people.csv", "--plan", "release.toml", "-o", "safe.csv", "--method", "mdav").code == 0
    header, *records = Path("safe.csv").read_text(encoding="utf-8").splitlines()
    assert header == "region,sex,age,income,weight"
    assert min(Counter(record.rpartition(",")[0] for record in records).values()) >= 5, "all but the weight"
