"""The page about inspections shows what the command really prints and writes."""

import re
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


def test_the_plan_stops_with_the_question_that_it_asks_and_runs_when_it_is_answered(run: RunCommand) -> None:
    Path("people.csv").write_text(_block("csv"), encoding="utf-8")
    Path("release.toml").write_text(_block("toml"), encoding="utf-8")
    options = ["--plan", "release.toml", "-o", "safe.csv", "--method", "mdav"]
    code, _, err = run("protect", "people.csv", *options)
    assert (code, "small_strata='merge'" in err) == (2, True)
    answered = _block("toml").replace("# small_strata", "small_strata")
    Path("release.toml").write_text(answered, encoding="utf-8")
    assert run("protect", "people.csv", *options).code == 0
    assert Path("safe.csv").read_text(encoding="utf-8").startswith("household,region,sex,age,income,weight\n")
