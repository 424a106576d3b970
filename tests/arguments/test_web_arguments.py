"""The command that serves pages takes what its help says, and says what is wrong with anything else."""

import pytest

from microagg.arguments import make_parser
from microagg.cli.commands import COMMANDS


def test_sizes_are_read_as_people_write_them() -> None:
    parser = make_parser(COMMANDS)
    sizes = {"2G": 2_000_000_000, "500M": 500_000_000, "1.5GB": 1_500_000_000, "12": 12}
    for text, n_bytes in sizes.items():
        assert parser.parse_args(["web", "--max-upload", text]).max_upload == n_bytes


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--max-upload", "much"], "must be a size such as 2G or 500M, found 'much'"),
        (["--max-upload", "0"], "must be a size such as 2G or 500M, found '0'"),
        (["--port", "any"], "must be a whole number, found 'any'"),
        (["--idle-minutes", "long"], "must be a number, found 'long'"),
        (["--hots", "x"], "--host"),
    ],
)
def test_other_values_are_refused(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        make_parser(COMMANDS).parse_args(["web", *arguments])
    assert stopped.value.code == 2
    assert sentence in capsys.readouterr().err


def test_the_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        make_parser(COMMANDS).parse_args(["web", "--help"])
    printed = capsys.readouterr().out
    options = (
        "FILE",
        "--port",
        "--no-browser",
        "--data-dir",
        "--max-upload",
        "--idle-minutes",
        "--host",
        "--allow-remote",
    )
    assert [option for option in options if option not in printed] == []
