"""The page about comparisons shows what the command really prints, and what Python really returns."""

import doctest
import re
from pathlib import Path

import pytest

from command_line import RunCommand

PAGE = Path(__file__).parents[2] / "docs" / "compare.md"
COMMAND = re.compile(r"`microagg (compare people.csv [^`]+)` prints:")


def _block(language: str) -> str:
    """Return the one block of a language in the page."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def _without_seconds(text: str) -> str:
    """Return a report without the seconds, which are before the last column of the table."""
    return re.sub(r" +\d+\.\d\d(?=  (front|recommended)$)| +\d+\.\d\d$| +seconds", "", text, flags=re.MULTILINE)


@pytest.fixture
def _people(run: RunCommand) -> None:
    exec(_block("python"), {})


@pytest.mark.usefixtures("_people")
def test_transcript_is_what_is_printed(run: RunCommand) -> None:
    found = COMMAND.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    code, out, _ = run(*found[1].split())
    assert code == 0
    assert _without_seconds(out) == _without_seconds(_block("text"))


@pytest.mark.usefixtures("_people")
def test_python_session_is_true() -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(_block("pycon"), {}, PAGE.name, None, None))
    assert runner.summarize(verbose=False).failed == 0


def test_seconds_are_all_that_may_differ() -> None:
    assert _without_seconds("a  3  mdav  4.83  0.01  front\n") == "a  3  mdav  4.83  front\n"
    assert _without_seconds("a  3  mdav  4.83  0.01\n") == "a  3  mdav  4.83\n"
