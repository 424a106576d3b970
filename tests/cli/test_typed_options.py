"""Options as they are typed: names, and values by column."""

import polars as pl
import pytest

from microagg import InputError, read
from microagg.cli.typed_options import typed_options

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
        ("missing_values", ["income=-99,-98, x=-9,a,b=-1,x=y=?"], {"income": [-99, -98], "x": [-9], "a,b": [-1], "x=y": ["?"]}),
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
