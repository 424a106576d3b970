"""Commands on Spark take the options of a plan that a cluster can carry out, and say what is wrong with others."""

import pytest

from microagg.arguments import given, make_parser
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
        ([*PROTECT, "--shuffle"], "unrecognized arguments: --shuffle"),
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
