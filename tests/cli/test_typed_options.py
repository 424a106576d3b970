"""Options as they are typed: names, and values by column."""

import pickle

import polars as pl
import pytest

from microagg import InputError, read
from microagg.cli.typed_options import in_command_syntax, typed_options

TABLE = read(pl.DataFrame({"income": [1], "a,b": [2], "x=y": [3], "x": [4]}))


@pytest.mark.parametrize(
    ("option", "typed", "expected"),
    [
        ("columns", ["income, x"], ["income", "x"]),
        ("columns", ["a,b", "x"], ["a,b", "x"]),
        ("scale", ["mad"], "mad"),
        ("scale", ["income=mad", "x=2.5"], {"income": "mad", "x": 2.5}),
        ("scale", ["x=y=range"], {"x=y": "range"}),
        ("scale", ["unknown=range"], {"unknown": "range"}),
        ("l_diversity", ["2"], 2),
        ("missing_values", ["income=-9,999.5,NA"], {"income": [-9, 999.5, "NA"]}),
        ("missing_values", ["income=-99,x=-9"], {"income": [-99], "x": [-9]}),
        (
            "missing_values",
            ["income=-99,-98, x=-9,a,b=-1,x=y=?"],
            {"income": [-99, -98], "x": [-9], "a,b": [-1], "x=y": ["?"]},
        ),
        ("missing_values", ["income=-99,incme=-9"], {"income": [-99], "incme": [-9]}),
        ("missing_values", ["-99,007,?"], [-99, "007", "?"]),
        ("dominance", ["1,0.8"], [1, 0.8]),
        ("dominance", ["income=2,0.9"], {"income": [2, 0.9]}),
        ("ordinal", ["income,x"], ["income", "x"]),
        ("ordinal", ["income=low<mid<high"], {"income": ["low", "mid", "high"]}),
        ("method", "mdav", "mdav"),
    ],
)
def test_options_become_what_a_plan_takes(option: str, typed: object, expected: object) -> None:
    assert typed_options(TABLE, {option: typed}) == {option: expected}


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["mad", "x=range"], "--scale has a value for all columns and one for 'x'"),
        (["mad", "range"], "--scale is given 2 times: repeat it by column only"),
    ],
)
def test_a_value_for_all_columns_stands_alone(typed: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        typed_options(TABLE, {"scale": typed})


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("say it, as in missing_values={'job': ['?']}; if", "say it, as in --missing-values 'job=?'; if"),
        ("as in missing_values={'a b': [-9, -8]}", "as in --missing-values 'a b=-9,-8'"),
        ("or allow it, as in allow_k1=True (--allow-k1)", "or allow it, as in --allow-k1"),
        (
            "as in missing='pattern', 'available' or 'drop' (--missing); or",
            "as in --missing pattern, 'available' or 'drop'; or",
        ),
        ("(header=False, --no-header) or (header=True, --header)", "(--no-header) or (--header)"),
        ("sign (decimal='.' or ',', --decimal), or", "sign (--decimal . or ','), or"),
        ("as in columns=['a', 'b'] (--columns a,b): on", "as in --columns a,b: on"),
        ("as in ordinal={'x': [lowest, …, highest]}", "as in --ordinal 'x=lowest<…<highest'"),
        ("leave small_strata (--small-strata) out", "leave --small-strata out"),
        ("add confidential=[…] (--confidential)", "add --confidential …"),
        ("has no -9, which missing_values names", "has no -9, which --missing-values names"),
        ("column 'missing_values' has no k=3", "column 'missing_values' has no -k 3"),
        ("a file columns=['a", "a file columns=['a"),
        ("coarser strata (--strata)", "coarser strata (--strata)"),
    ],
)
def test_messages_are_in_the_syntax_of_the_command_line(message: str, expected: str) -> None:
    assert in_command_syntax(message, ["protect", "--missing-values=-9"]) == expected


def test_python_shows_the_syntax_of_python_alone() -> None:
    error = InputError("allow it, as in allow_k1=True (--allow-k1), or say (header=False, --no-header)")
    assert str(error) == "allow it, as in allow_k1=True, or say (header=False)"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert pickle.loads(pickle.dumps(error)).message == error.message
