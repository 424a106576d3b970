"""Commands on Spark take the options of a plan that a cluster can carry out, and say what is wrong with others."""

import argparse

import pytest

from microagg.arguments import given, make_parser
from microagg.arguments.cluster_arguments import REFUSALS
from microagg.cli.commands import COMMANDS
from microagg.model.plan import PLAN_OPTIONS

PROTECT = ["spark", "protect", "people/", "-o", "safe/"]
EVERY_OPTION = [
    *["-k", "3", "--columns", "a,b", "--drop", "d", "--identifiers", "name", "--confidential", "c"],
    *["--weight", "w", "--unit", "h", "--scale", "a=range", "--transform", "a=log", "--nominal", "b"],
    *["--ordinal", "e=x<y", "--aggregate", "median", "--strata", "r", "--small-strata", "merge"],
    *["--missing", "pattern", "--missing-values", "a=-9,99", "--l-diversity", "2", "--entropy-l-diversity", "1.5"],
    *["--dominance", "1,0.8", "--p-percent", "a=10", "--method", "mdav", "--effort", "quick", "--block-size", "40"],
    *["--rounds", "3", "--no-standardise", "--random-state", "7", "--iterations", "4", "--weighted-loss"],
    *["--keep-integers", "--allow-k1"],
]
ONE_MACHINE_ONLY = {
    *("sets", "exclude", "renumber", "t_closeness", "bound", "rounding", "shuffle", "time_limit", "target_gap"),
    *("delimiter", "decimal", "encoding", "header", "table_name"),
}


def test_every_option_that_a_cluster_can_carry_out_can_be_given() -> None:
    options = given(make_parser(COMMANDS).parse_args([*PROTECT, *EVERY_OPTION]), PLAN_OPTIONS)
    assert set(options) == set(PLAN_OPTIONS) - ONE_MACHINE_ONLY


@pytest.mark.parametrize("command", ["protect", "verify", "measure", "inspect"])
def test_options_of_one_machine_are_taken_or_refused_with_a_reason(command: str) -> None:
    on_one_machine = _options_of(command)
    on_cluster = _options_of("spark", command)
    refused = set(REFUSALS[f"spark {command}"])
    assert on_one_machine - on_cluster == refused
    assert not refused & on_cluster


def _options_of(*command: str) -> set[str]:
    parser: argparse.ArgumentParser = make_parser(COMMANDS)
    for word in command:
        groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        parser = groups[0].choices[word]
    return set(parser._option_string_actions)


def test_nothing_is_passed_on_that_was_not_given() -> None:
    assert given(make_parser(COMMANDS).parse_args(PROTECT), PLAN_OPTIONS) == {}


def test_settings_of_spark_are_pairs() -> None:
    conf = ["--conf", "spark.executor.memory=8g", "--conf", "spark.driver.extraJavaOptions=-Da=b"]
    options = make_parser(COMMANDS).parse_args([*PROTECT, *conf])
    assert options.conf == [("spark.executor.memory", "8g"), ("spark.driver.extraJavaOptions", "-Da=b")]
    assert (options.master, options.row_id, options.staging) == (None, None, None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*PROTECT, "--conf", "spark.executor.memory"], "--conf: must be KEY=VALUE"),
        ([*PROTECT, "--conf", "=8g"], "--conf: must be KEY=VALUE"),
        ([*PROTECT, "--shuffle"], "--shuffle is given, but a random order of all records is made in one place"),
        ([*PROTECT, "--bound"], "--bound is given, but a bound over all records is proved in one place"),
        ([*PROTECT, "--time-limit=60"], "limit the work by effort, rounds or iterations"),
        (["spark", "verify", "safe/", "--original", "people/"], "microagg spark verify ORIGINAL RELEASED"),
        ([*PROTECT, "--colums", "a"], "did you mean --columns?"),
        (["spark", "protect", "people/"], "the following arguments are required: -o/--output"),
        (["spark", "protect", "-", "-o", "safe/"], "must be a folder or file of Parquet, or table:NAME, found '-'"),
        (["spark", "protect", "people/", "-o", "table:"], "must be a folder or file of Parquet"),
        (["spark", "protct", "people/"], "did you mean 'protect'?"),
        (["sprk"], "did you mean 'spark'?"),
    ],
)
def test_bad_arguments_get_one_sentence(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        make_parser(COMMANDS).parse_args(arguments)
    assert stopped.value.code == 2
    printed = capsys.readouterr().err
    assert words in printed
    assert printed.count("\n") == 1
