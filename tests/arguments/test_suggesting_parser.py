"""A misspelt option, choice or command is answered by the one that was probably meant."""

import pytest

from microagg.arguments import make_parser
from microagg.cli.commands import COMMANDS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["protct"], "argument COMMAND: invalid choice: 'protct': did you mean 'protect'? (see microagg --help)"),
        (
            ["bound", "in.csv", "-k", "3", "--colums", "x"],
            "unrecognized arguments: --colums x: did you mean --columns? (see microagg bound --help)",
        ),
        (
            ["bound", "in.csv", "-k", "3", "--colums=x"],
            "unrecognized arguments: --colums=x: did you mean --columns? (see microagg bound --help)",
        ),
        (
            ["bound", "in.csv", "-k", "3", "--drop", "x"],  # an option of another command is not suggested
            "unrecognized arguments: --drop x (see microagg bound --help)",
        ),
        (
            ["bound", "in.csv", "-k", "3", "--col", "x"],  # no abbreviations: a later option could make them ambiguous
            "unrecognized arguments: --col x: did you mean --columns? (see microagg bound --help)",
        ),
        (
            ["methods", "--format", "jsn"],
            "argument --format: invalid choice: 'jsn': did you mean 'json'? (see microagg methods --help)",
        ),
        (
            ["methods", "--format", "xml"],
            "argument --format: invalid choice: 'xml': known are 'text', 'json' (see microagg methods --help)",
        ),
    ],
)
def test_error_is_one_sentence_with_a_suggestion(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        make_parser(COMMANDS).parse_args(arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr() == ("", f"error: {message}\n")
