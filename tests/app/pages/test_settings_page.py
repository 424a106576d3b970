"""The page on which columns get their roles, and the plan its settings."""

from typing import Any

import polars as pl
import pytest

import microagg
from checked_pages import CheckedPage, checked_page
from microagg import Plan
from microagg.app.form_state import ROLE_OPTIONS
from microagg.app.pages.page_frame import Frame
from microagg.app.pages.settings_page import settings_page
from microagg.app.plan_form import form_of
from microagg.app.settings_words import AGGREGATES, EFFORTS, FIELDS, MISSING, ROLES, SCALES, SMALL_STRATA, TRANSFORMS
from microagg.model.missing_policy import MISSING_POLICIES
from microagg.model.missing_policy import SMALL_STRATA as POLICIES_OF_STRATA
from microagg.model.treatment_options import AGGREGATES as KNOWN_AGGREGATES
from microagg.model.treatment_options import SCALES as KNOWN_SCALES
from microagg.model.treatment_options import TRANSFORMS as KNOWN_TRANSFORMS
from microagg.refine.search import EFFORTS as KNOWN_EFFORTS
from microagg.report.inspection_facts import inspection_facts

FRAME = Frame("settings", "token", "people.csv", frozenset({"open", "inspect", "settings"}))
HOSTILE = "\"><script>alert('x')</script>"
TABLE = pl.DataFrame({"age": [20, 30, 40], "sex": ["f", "m", "f"], "income": [1.5, 2.5, 9.0], HOSTILE: [1.0, 2.0, 4.0]})


def result_of(table: pl.DataFrame) -> dict[str, Any]:
    return {"inspection": inspection_facts(microagg.inspect(table)), "histograms": {}}


def shown(plan: Plan, toml: str = "", problem: str = "", table: pl.DataFrame = TABLE) -> CheckedPage:
    kinds = {column["name"]: column["kind"] for column in result_of(table)["inspection"]["columns"]}
    form = form_of(plan, list(kinds), kinds)
    return checked_page(settings_page(FRAME, result_of(table), form, toml, problem))


def chosen(found: CheckedPage, key: str) -> str:
    """Return the value that is selected in a list of words."""
    place = next(place for place, (_, given) in enumerate(found.elements) if given.get("id") == key)
    for tag, given in found.elements[place + 1 :]:
        if tag == "option" and "selected" in given:
            return given["value"]
    raise AssertionError(f"nothing is selected in {key}")


def test_the_form_shows_what_the_plan_says() -> None:
    plan = Plan(
        k=7, columns=["age", "sex"], nominal=["age"], drop=["income"], missing="drop", effort="quick", shuffle=True
    )
    found = shown(plan)
    assert [chosen(found, f"role-{place}") for place in range(4)] == ["protect", "protect", "drop", "as-it-came"]
    assert [chosen(found, f"level-{place}") for place in range(2)] == ["nominal", "plain"]
    assert found.with_id("k-1")["value"] == "7"
    assert (chosen(found, "method-1"), chosen(found, "effort-1"), chosen(found, "missing")) == ("auto", "quick", "drop")
    assert "checked" in found.with_id("shuffle")
    assert "checked" not in found.with_id("bound-1")


def test_choices_that_mean_nothing_for_a_role_rest() -> None:
    found = shown(Plan(k=3, columns=["age"], confidential=["income"]))
    resting = [given["id"] for given in found.of("select") if "disabled" in given]
    assert resting == ["set-1", "level-1", "set-2", "set-3", "level-3"]


def test_rows_carry_the_names_and_kinds_that_the_script_sends_back() -> None:
    found = shown(Plan(k=3, columns=["age"]))
    rows = [(given["data-name"], given["data-kind"]) for given in found.of("tr") if "data-name" in given]
    assert rows == [("age", "integer"), ("sex", "text"), ("income", "number"), (HOSTILE, "number")]
    assert not [given for given in found.of("script") if "src" not in given]


def test_a_column_without_a_name_has_a_row_that_the_script_finds() -> None:
    found = shown(Plan(k=3, columns=["age"]), table=pl.DataFrame({"": [1, 2, 3], "age": [20, 30, 40]}))
    assert found.with_id("column-0")["data-name"] == ""
    assert "(no name)" in found.words


def test_each_of_several_sets_has_fields_of_its_own() -> None:
    found = shown(Plan(sets=[{"k": 3, "columns": ["age"]}, {"k": 4, "columns": ["income"]}]))
    assert [given["data-set"] for given in found.of("fieldset")] == ["1", "2"]
    assert [found.with_id(f"k-{number}")["value"] for number in (1, 2)] == ["3", "4"]
    assert [chosen(found, "set-0"), chosen(found, "set-2")] == ["1", "2"]
    assert "not on those of several sets together" in found.words


def test_a_method_that_the_catalogue_lacks_is_kept_as_a_choice() -> None:
    found = shown(Plan(k=3, columns=["age"], method="mdav+recut"))
    assert chosen(found, "method-1") == "mdav+recut"
    assert "As it is written in the plan." in found.words
    names = [given["value"] for given in found.of("option")]
    known = [method.name for method in microagg.methods() if not method.name.startswith("+")]
    assert all(names.count(name) >= 1 for name in known)


def test_what_a_plan_gives_by_column_is_a_choice() -> None:
    plan = Plan(
        k=3, columns=["age", "income"], transform={"income": "log"}, confidential=["sex"], l_diversity={"sex": 2}
    )
    found = shown(plan)
    assert chosen(found, "transform-1") == "by column"
    assert found.with_id("l_diversity")["value"] == "by column"


def test_the_text_stands_as_it_was_typed_with_its_problem_beside_it() -> None:
    toml = '\n# <why> & "how"\nk = 5\n</textarea><script>alert(1)</script>'
    found = shown(Plan(k=5), toml, "k is <odd>")
    assert toml.replace("\r", "") in found.words
    assert "k is <odd>" in found.words
    assert "hidden" not in found.with_id("plan-problem")
    assert found.with_id("plan-text")["aria-invalid"] == "true"
    assert "hidden" in shown(Plan(k=5), "k = 5").with_id("plan-problem")


def test_columns_that_only_the_plan_names_and_options_that_the_form_lacks_are_told() -> None:
    found = shown(Plan(k=3, columns=["age", "gone"], target_gap=0.1))
    assert "The file has no such column." in found.words
    assert "Also in the plan, and kept: target_gap" in found.words
    assert "hidden" in shown(Plan(k=3, columns=["age"])).with_id("plan-others")


def test_every_field_is_explained_in_a_sentence() -> None:
    found = shown(Plan(k=3, columns=["age"]))
    for name, words in FIELDS.items():
        assert words.label in found.words
        assert words.hint in found.words
        assert words.hint.endswith((".", "…")) or name == "method"
    assert set(ROLES) == set(ROLE_OPTIONS)


@pytest.mark.parametrize(
    ("offered", "known"),
    [
        (AGGREGATES, KNOWN_AGGREGATES),
        (EFFORTS, KNOWN_EFFORTS),
        (MISSING, MISSING_POLICIES),
        (SCALES, {*KNOWN_SCALES} - {"deviation"}),
        (SMALL_STRATA, POLICIES_OF_STRATA),
        (TRANSFORMS, KNOWN_TRANSFORMS),
    ],
)
def test_every_word_that_a_plan_knows_is_offered(offered: dict[str, str], known: Any) -> None:
    assert set(offered) - {""} == set(known)


def test_a_file_of_hundreds_of_columns_has_a_row_for_each() -> None:
    wide = pl.DataFrame({f"c{number}": [1.5, 2.5, 9.0] for number in range(200)})
    found = shown(Plan(k=3), table=wide)
    assert len([given for given in found.of("tr") if "data-name" in given]) == 200
