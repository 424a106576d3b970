"""Facts are enough to make a release again, and hold nothing of the data."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from microagg import Plan, Release, __version__, protect
from microagg.report import OutputFile, report
from microagg.report.facts import facts


@pytest.fixture
def release(companies: Path) -> Release:
    return protect(companies, 3, exclude=["company"], random_state=7, effort="quick")


def test_facts_about_a_release_are_enough_to_make_it_again(release: Release, companies: Path) -> None:
    known = json.loads(report(release, "json", OutputFile("safe.csv", "abc")))
    assert known["facts"] == "release"
    assert (known["schema"], known["program"], known["version"]) == (2, "microagg", __version__)
    assert known["input"] == {
        "file": "companies.csv",
        "kind": "CSV",
        "table": None,
        "sha256": hashlib.sha256(companies.read_bytes()).hexdigest(),
        "n_records": 11,
        "read_as": {"delimiter": "','", "decimal sign": "'.'", "encoding": "UTF-8"},
    }
    assert known["output"] == {"file": "safe.csv", "sha256": "abc"}
    assert known["random_state"] == 7
    assert known["made"].startswith("20")
    assert known["made"].endswith("+00:00")
    plan = known["plan"]
    again = protect(companies, plan=Plan(**{name: value for name, value in plan.items() if value not in (None, [])}))
    np.testing.assert_array_equal(again.labels, release.labels)
    assert known["sets"][0]["standardise"] is True
    assert known["sets"][0]["verified"] is True


def test_plan_tells_every_option_and_shows_a_stage_by_its_repr() -> None:
    def stage(*arguments: object) -> None:
        """Stand for a user's own stage."""

    known = facts(Plan(k=3, columns=["x"], method=["mdav", stage]))
    (one,) = known["sets"]
    assert one == {
        "k": 3,
        "columns": ["x"],
        "method": ["mdav", repr(stage)],
        "effort": None,
        "block_size": None,
        "rounds": None,
        "standardise": True,
        "bound": False,
        "keep_integers": False,
        "weighted_loss": False,
        "scale": None,
        "transform": None,
        "nominal": None,
        "ordinal": None,
        "aggregate": None,
        "rounding": None,
    }
    assert (known["shuffle"], known["time_limit"], known["delimiter"]) == (False, None, None)


def test_there_are_no_facts_about_other_objects() -> None:
    with pytest.raises(TypeError, match="no facts about an object of type int"):
        facts(5)


def test_facts_hold_no_value_of_the_data() -> None:
    frame = pd.DataFrame({"x": [1.03125, 2.0625, 8.4375, 9.53125], "who": ["Ann", "Bob", "Cid", "Dan"]})
    released = protect(frame, 2, method="mdav")
    known = json.dumps(facts(released)) + json.dumps(facts(released.solution))
    for value in (*frame["x"], *frame["who"]):
        assert str(value) not in known
