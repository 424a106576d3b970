"""A text of a page is never taken for the path of a file."""

from pathlib import Path

import pytest

from microagg.app.plan_text import parsed_plan
from microagg.model.errors import InputError
from microagg.model.plan import Plan


def test_a_text_is_a_plan() -> None:
    assert parsed_plan("k = 7") == Plan(k=7)


def test_a_path_is_no_plan(tmp_path: Path) -> None:
    plan = tmp_path / "k=7.toml"
    plan.write_text("k = 7\n")
    for given in (str(plan), str(tmp_path / "missing.toml")):
        with pytest.raises(InputError, match="the plan is not valid TOML"):
            parsed_plan(given)


def test_a_text_that_is_endless_or_nested_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="at most 1000000 characters, found 1000001"):
        parsed_plan("#" * 1_000_001)
    for brackets in ("[" * 5000, "{a=" * 5000):
        with pytest.raises(InputError, match="nested too deeply"):
            parsed_plan(f"k = {brackets}")
