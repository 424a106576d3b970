"""Every option of a plan can be given on the command line, and only what is given is passed on."""

from pathlib import Path

import pytest

from microagg.arguments import given, make_parser
from microagg.cli.commands import COMMANDS
from microagg.model.plan import PLAN_OPTIONS
from microagg.solve import SolveOptions

ONLY_IN_A_PLAN = {"sets"}
PROTECT = ["protect", "in.csv", "-o", "out.csv"]
BOUND = ["bound", "in.csv", "-k", "3"]
EVERY_OPTION = [
    *["--columns", "a,b", "--exclude", "c", "--method", "mdav", "--effort", "quick", "--no-standardise"],
    *["--block-size", "40", "--rounds", "3"],
    *["--random-state", "7", "--time-limit", "1.5", "--iterations", "4", "--target-gap", "0.01"],
    *["--scale", "mad", "--transform", "a=log", "--nominal", "b", "--ordinal", "e=x<y"],
]
ONLY_PROTECT = [
    *["--identifiers", "name", "--renumber", "h", "--confidential", "c", "--weight", "w", "--unit", "h"],
    *["--strata", "r", "--small-strata", "merge", "--missing", "pattern", "--missing-values", "a=-9,99"],
    *[
        "--aggregate",
        "median",
        "--rounding",
        "total",
        "--weighted-loss",
        "--l-diversity",
        "2",
        "--entropy-l-diversity",
        "1.5",
    ],
    *["--t-closeness", "0.2", "--dominance", "1,0.8", "--p-percent", "a=10"],
    *["-k", "3", "--drop", "d", "--bound", "--keep-integers", "--shuffle", "--allow-k1", "--strict"],
    *["--delimiter", r"\t", "--decimal", ",", "--encoding", "cp1252", "--no-header"],
    *["--table-name", "people"],
]


def test_nothing_is_passed_on_that_was_not_given() -> None:
    options = make_parser(COMMANDS).parse_args(PROTECT)
    assert given(options, PLAN_OPTIONS) == {}


def test_every_option_of_a_plan_can_be_given() -> None:
    options = given(make_parser(COMMANDS).parse_args([*PROTECT, *EVERY_OPTION, *ONLY_PROTECT]), PLAN_OPTIONS)
    assert set(options) == set(PLAN_OPTIONS) - ONLY_IN_A_PLAN
    assert options["columns"] == ["a,b"]
    assert (options["standardise"], options["bound"], options["header"]) == (False, True, False)
    assert (options["time_limit"], options["iterations"], options["random_state"]) == (1.5, 4, 7)
    assert options["delimiter"] == "\t"


def test_every_option_of_solving_can_be_given() -> None:
    names = tuple(SolveOptions.__annotations__)
    options = given(make_parser(COMMANDS).parse_args([*BOUND, *EVERY_OPTION]), names)
    assert set(options) == set(names) - {"bound"}, "the command itself asks for the bound"


def test_files_are_paths() -> None:
    options = make_parser(COMMANDS).parse_args([*PROTECT, "--report", "r.json", "--certificate", "c.json"])
    assert (options.input, options.output) == (Path("in.csv"), Path("out.csv"))
    assert (options.report, options.certificate, options.plan) == (Path("r.json"), Path("c.json"), None)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_function_and_a_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        make_parser(COMMANDS).parse_args([*command.split(), "--help"])
    assert stopped.value.code == 0
    assert "(default: None)" not in capsys.readouterr().out
