"""The form of the settings page and the plan."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from microagg import InputError, Plan
from microagg.app.form_state import ROLE_OPTIONS, FormState
from microagg.app.plan_form import form_of, form_of_text, form_to_text, plan_of, text_to_form
from microagg.model.plan import PLAN_OPTIONS

NAMES = ("a", "b", "c", "d", "mean")
KINDS = {"a": "integer", "b": "number", "c": "text", "d": "number", "mean": "integer"}

set_options: dict[str, st.SearchStrategy[Any]] = {
    "k": st.integers(2, 9),
    "method": st.sampled_from(["auto", "mdav+recut", ["mdav", "recut"], "v-mdav(gamma=1.1)"]),
    "effort": st.sampled_from(["quick", "thorough"]),
    "block_size": st.integers(100, 200),
    "rounds": st.integers(1, 3),
    "bound": st.booleans(),
    "keep_integers": st.just(True),
    "rounding": st.sampled_from(["nearest", "total"]),
    "scale": st.sampled_from(["rank", "none", 2.5]),
    "transform": st.sampled_from(["log", "none"]),
    "aggregate": st.sampled_from(["mean", "median"]),
}
plan_options: dict[str, st.SearchStrategy[Any]] = {
    "missing": st.sampled_from(["error", "pattern", "drop"]),
    "missing_values": st.just({"a": [-9], "gone": ["x"]}),
    "shuffle": st.booleans(),
    "random_state": st.none() | st.integers(0, 99),
    "time_limit": st.sampled_from([0.5, 60.0]),
    "target_gap": st.just(0.01),
    "decimal": st.just(","),
}
by_column = {
    "scale": st.sampled_from(["mad", 0.5]),
    "transform": st.just("rank"),
    "aggregate": st.just("median"),
}


@st.composite
def named_options(draw: Any, columns: list[str]) -> dict[str, Any]:
    """Draw options that name some of the columns."""
    found: dict[str, Any] = {}
    for option, values in by_column.items():
        if draw(st.booleans()):
            found[option] = draw(st.dictionaries(st.sampled_from(columns), values, min_size=1))
    nominal = draw(st.lists(st.sampled_from(columns), unique=True))
    others = [name for name in columns if name not in nominal]
    if nominal and draw(st.booleans()):
        found["nominal"] = nominal
    if others and draw(st.booleans()):
        found["ordinal"] = others if draw(st.booleans()) else {others[0]: ["low", "high"]}
    return found


@st.composite
def own_options(draw: st.DrawFn, columns: list[str]) -> dict[str, Any]:
    """Draw options of a column set."""
    found: dict[str, Any] = draw(st.fixed_dictionaries({}, optional=set_options))
    if "rounding" in found:
        found["keep_integers"] = True
    if "scale" not in found and draw(st.booleans()):
        found["standardise"] = draw(st.booleans())
    named = draw(named_options(columns))
    if found.get("standardise") is False:
        named.pop("scale", None)
    return found | named


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Draw a plan about some of the columns, and of columns that the table lacks."""
    order = draw(st.permutations([*NAMES, "gone"]))
    n_sets = draw(st.integers(0, 2))
    options: dict[str, Any] = draw(st.fixed_dictionaries({}, optional=plan_options))
    left = list(order)
    if n_sets == 2:
        sets = []
        for _ in range(2):
            columns = [left.pop() for _ in range(draw(st.integers(1, 2)))]
            sets.append({"k": 3, **draw(own_options(columns)), "columns": columns})
        if draw(st.booleans()):
            shared = draw(st.sampled_from(["k", "effort", "aggregate"]))
            options[shared] = sets[0].pop(shared, {"k": 4, "effort": "quick", "aggregate": "mean"}[shared])
            if not isinstance(options[shared], str | int):
                options[shared] = "median"
        options["sets"] = sets
    else:
        options |= {"k": 3, **draw(own_options(left[:2]))}
        if n_sets == 1:
            options["columns"] = [left.pop(0), left.pop(0)]
        elif draw(st.booleans()):
            options["exclude"] = [left.pop()]
        else:
            left = left[2:]
    for name in left:
        for option in ROLE_OPTIONS[draw(st.sampled_from(sorted(ROLE_OPTIONS)))]:
            if option in ("weight", "unit"):
                options[option] = name
            else:
                options.setdefault(option, []).append(name)
    try:
        return Plan(**options)
    except InputError:
        assume(False)
        raise


def filled(plan: Plan) -> FormState:
    return form_of(plan, NAMES, KINDS)


@given(plans())
def test_a_form_that_is_not_changed_leaves_the_plan_as_it_is(plan: Plan) -> None:
    form = filled(plan)
    assert plan_of(form, plan) == plan
    assert plan_of(form, plan).to_toml() == plan.to_toml()
    sent = json.loads(json.dumps(form.to_json()))
    assert FormState.from_json(sent) == form


@given(plans(), st.data())
def test_a_change_of_a_role_arrives_and_changes_no_other_column(plan: Plan, data: st.DataObject) -> None:
    form = filled(plan)
    place = data.draw(st.integers(0, len(form.columns) - 1))
    role = data.draw(st.sampled_from([role for role in ROLE_OPTIONS if role != "automatic"]))
    number = data.draw(st.integers(1, len(form.sets) + 1)) if role == "protect" else 0
    changed = replace(form.columns[place], role=role, number=number)
    columns = (*form.columns[:place], changed, *form.columns[place + 1 :])
    try:
        made = plan_of(replace(form, columns=columns), plan)
    except InputError:
        return
    after = {one.name: one for one in form_of(made, NAMES, KINDS).columns}
    if changed.name in after:
        assert after[changed.name].role == role
    for one in form.columns:
        if one.name != changed.name and one.name in after and one.role != "automatic":
            assert after[one.name].role == one.role
            assert after[one.name].level == one.level
    assert {name for name in made.given if name in ("time_limit", "decimal", "missing_values", "target_gap")} == {
        name for name in plan.given if name in ("time_limit", "decimal", "missing_values", "target_gap")
    }


@given(plans(), st.data())
def test_changed_options_of_a_set_arrive(plan: Plan, data: st.DataObject) -> None:
    form = filled(plan)
    place = data.draw(st.integers(0, len(form.sets) - 1))
    changed = replace(
        form.sets[place],
        k=data.draw(st.sampled_from(["6", "7"])),
        method=data.draw(st.sampled_from(["mdav", "auto"])),
        effort=data.draw(st.sampled_from(["", "quick", "standard"])),
        scale=data.draw(st.sampled_from(["", "none", "range", "0.5"])),
        transform=data.draw(st.sampled_from(["", "log"])),
        aggregate=data.draw(st.sampled_from(["", "medoid"])),
        whole_numbers=data.draw(st.sampled_from(["means", "nearest", "total"])),
        bound=data.draw(st.booleans()),
    )
    sets = (*form.sets[:place], changed, *form.sets[place + 1 :])
    made = plan_of(replace(form, sets=sets, shuffle=True, time_limit="1,5", random_state="fresh"), plan)
    after = filled(made)
    assert after.sets == sets
    assert after.columns == form.columns
    assert (after.shuffle, after.time_limit, after.random_state) == (True, "1.5", "fresh")
    assert made.sets[place].k == int(changed.k)


def changed_column(plan: Plan, name: str, **changes: Any) -> Plan:
    form = filled(plan)
    columns = tuple(replace(one, **changes) if one.name == name else one for one in form.columns)
    return plan_of(replace(form, columns=columns), plan)


def test_every_option_is_shown_or_listed() -> None:
    given = {
        "missing_values": {"a": [-9]},
        "iterations": 3,
        "target_gap": 0.1,
        "allow_k1": True,
        "delimiter": ";",
        "decimal": ",",
        "encoding": "utf-8",
        "header": True,
        "table_name": "sheet",
        "block_size": 100,
        "rounds": 2,
    }
    form = filled(Plan(k=3, **given))
    assert set(form.others) == set(given)
    assert set(given) <= set(PLAN_OPTIONS)


def test_options_of_a_set_that_the_form_does_not_show_are_listed() -> None:
    plan = Plan(sets=[{"k": 3, "columns": ["a"], "block_size": 100}, {"k": 3, "columns": ["b"]}])
    assert filled(plan).others == ("block_size",)


def test_a_column_that_moves_to_another_set_takes_its_treatment_along() -> None:
    plan = Plan(k=3, columns=["a", "b", "c"], nominal=["a"], scale={"a": 2.0, "b": "rank"}, ordinal={"c": ["x", "y"]})
    made = changed_column(plan, "a", number=2)
    assert [one.columns for one in made.sets] == [("b", "c"), ("a",)]
    assert made.sets[1].nominal == ("a",)
    assert made.sets[1].scale is not None
    assert made.sets[1].scale.of("a") == 2.0
    again = changed_column(made, "c", number=2)
    assert again.sets[1].ordinal.given == {"c": ("x", "y")}  # type: ignore[union-attr]
    assert again.sets[1].columns == ("a", "c")


def test_a_new_set_has_the_options_of_the_set_that_its_column_was_in() -> None:
    sets = [{"columns": ["a", "b"], "k": 4, "keep_integers": True, "nominal": ["b"]}, {"columns": ["d"]}]
    made = changed_column(Plan(k=3, sets=sets), "a", number=3)
    assert made.given["sets"][2] == {"k": 4, "keep_integers": True, "columns": ("a",)}
    assert made.sets[1].k == 3


def test_a_column_that_is_no_longer_protected_is_named_nowhere() -> None:
    plan = Plan(k=3, columns=["a", "mean"], nominal=["mean"], aggregate={"mean": "mode"}, effort="quick")
    made = changed_column(plan, "mean", role="drop", number=0)
    assert made.given == {"k": 3, "columns": ("a",), "effort": "quick", "drop": ("mean",)}


def test_a_word_that_is_also_the_name_of_a_column_stays() -> None:
    plan = Plan(k=3, columns=["a", "mean"], aggregate="mean")
    made = changed_column(plan, "mean", role="as-it-came", number=0)
    assert made.given == {"k": 3, "columns": ("a",), "aggregate": "mean"}


def test_the_last_column_cannot_be_taken_out() -> None:
    with pytest.raises(InputError, match="no column is protected: choose at least one"):
        changed_column(Plan(k=3, columns=["a"]), "a", role="drop", number=0)


def test_a_set_without_columns_goes() -> None:
    plan = Plan(k=3, sets=[{"columns": ["a"], "effort": "quick"}, {"columns": ["b"], "k": 5}])
    made = changed_column(plan, "a", role="identifier", number=0)
    assert [one.columns for one in made.sets] == [("b",)]
    assert made.sets[0].k == 5


def test_two_weights_are_refused_by_name() -> None:
    plan = Plan(k=3, columns=["a"], weight="b")
    with pytest.raises(InputError, match="columns 'b' and 'd' are both the weight: choose one"):
        changed_column(plan, "d", role="weight")


def test_the_weight_can_change_places() -> None:
    plan = Plan(k=3, columns=["a"], weight="b")
    form = filled(plan)
    roles = {"b": "as-it-came", "d": "weight"}
    columns = tuple(replace(one, role=roles.get(one.name, one.role)) for one in form.columns)
    assert plan_of(replace(form, columns=columns), plan).roles.weight == "d"


def test_without_named_columns_numbers_are_protected_until_one_is_chosen() -> None:
    plan = Plan(k=3)
    assert [one.role for one in filled(plan).columns] == ["automatic", "automatic", "as-it-came", *["automatic"] * 2]
    assert changed_column(plan, "b", role="as-it-came", number=0).given == {"k": 3, "exclude": ("b",)}
    assert changed_column(plan, "b", role="weight", number=0).given == {"k": 3, "weight": "b"}
    named = changed_column(plan, "c", role="protect", number=1)
    assert named.given == {"k": 3, "columns": ("a", "b", "d", "mean", "c")}


def test_of_one_set_without_names_a_column_is_left_out_by_naming_the_others() -> None:
    made = changed_column(Plan(sets=[{"k": 3}]), "b", role="as-it-came", number=0)
    assert made.sets[0].columns == ("a", "d", "mean")


def test_categories_in_order_by_column_need_an_order() -> None:
    plan = Plan(k=3, columns=["a", "c"], ordinal={"c": ["low", "high"]})
    with pytest.raises(InputError, match="add those of 'a' to its text"):
        changed_column(plan, "a", level="ordinal")


def test_codes_of_a_confidential_column_are_kept() -> None:
    plan = Plan(k=3, sets=[{"columns": ["a"], "nominal": ["a"]}, {"columns": ["b"]}])
    made = changed_column(plan, "a", role="confidential", number=0)
    assert made.roles.confidential == ("a",)
    assert made.codes.nominal == ("a",)


@pytest.mark.parametrize(("field", "typed", "sentence"), [
    ("time_limit", "soon", "time_limit must be a positive number, found 'soon'"),
    ("t_closeness", "0.2", "t_closeness guards confidential columns, and none is named"),
    ("random_state", "-1", "random_state must be"),
    ("dominance_n", "1", "dominance must be a number of contributors and a share"),
    ("small_strata", "merge", "small_strata is given, but neither strata"),
])  # fmt: skip
def test_values_that_cannot_be_are_refused_in_the_words_of_the_plan(field: str, typed: str, sentence: str) -> None:
    plan = Plan(k=3, columns=["a"])
    changes: dict[str, Any] = {field: typed}
    with pytest.raises(InputError, match=sentence):
        plan_of(replace(filled(plan), **changes), plan)


@pytest.mark.parametrize("typed", ["", "five", "1", "2.5"])
def test_k_must_be_a_number_that_protects(typed: str) -> None:
    plan = Plan(k=3, columns=["a"])
    form = filled(plan)
    with pytest.raises(InputError, match="k "):
        plan_of(replace(form, sets=(replace(form.sets[0], k=typed),)), plan)


def test_rules_by_column_are_kept_and_can_be_taken_away() -> None:
    plan = Plan(k=3, columns=["a"], confidential=["b"], l_diversity={"b": 2}, dominance={"a": [1, 0.8]})
    form = filled(plan)
    assert (form.l_diversity, form.dominance_n, form.dominance_share) == ("by column", "by column", "by column")
    made = plan_of(replace(form, l_diversity="3", dominance_n="", dominance_share=""), plan)
    assert made.given == {"k": 3, "columns": ("a",), "confidential": ("b",), "l_diversity": 3}
    with pytest.raises(InputError, match="by column"):
        plan_of(replace(form, t_closeness="by column"), plan)


def test_answers_to_the_browser() -> None:
    text = "# why\nk = 3\ncolumns = ['a']\n"
    answer = text_to_form({"toml": text}, NAMES, KINDS)
    assert answer["toml"] == text
    answer["form"]["sets"][0]["k"] = "8"
    changed = form_to_text({"form": answer["form"], "toml": text}, NAMES, KINDS)
    assert changed["toml"] == 'k = 8\ncolumns = ["a"]\n'
    assert changed["form"]["sets"][0]["k"] == "8"
    with pytest.raises(InputError, match="must be mended before the form can change it: the plan is not valid TOML"):
        form_to_text({"form": answer["form"], "toml": "k = "}, NAMES, KINDS)


def test_names_that_a_page_cannot_hold_come_back_as_they_are() -> None:
    names = ["a\r\nb\0", "c"]
    kinds = dict.fromkeys(names, "number")
    text = "k = 3\ncolumns = ['c']\n"
    sent = text_to_form({"toml": text}, names, kinds)["form"]
    sent["columns"][0].update(name="a\nb\ufffd", role="drop")
    made = form_to_text({"form": sent, "toml": text}, names, kinds)
    assert Plan.from_toml(made["toml"]).drop == ("a\r\nb\0",)


def test_a_form_with_other_columns_is_refused() -> None:
    text = "k = 3\n"
    sent = text_to_form({"toml": text}, NAMES, KINDS)["form"]
    with pytest.raises(InputError, match="reload the page"):
        form_to_text({"form": sent, "toml": text}, ("x", "y"), KINDS)


def test_a_text_that_is_no_plan_is_told_and_leaves_a_form() -> None:
    form, problem = form_of_text("k = 3\ncolums = ['a']", NAMES, KINDS)
    assert "did you mean 'columns'?" in problem
    assert form == filled(Plan(k=5))
    assert form_of_text("k = 3", NAMES, KINDS)[1] == ""
    with pytest.raises(InputError, match="no option 'colums'"):
        text_to_form({"toml": "k = 3\ncolums = ['a']"}, NAMES, KINDS)


def test_a_text_of_one_line_is_never_opened_as_a_file() -> None:
    assert "not valid TOML" in form_of_text("/etc/hostname", NAMES, KINDS)[1]


@pytest.mark.parametrize("sent", [None, [], {}, {"columns": 3}])
def test_what_is_no_form_is_refused(sent: object) -> None:
    with pytest.raises(InputError, match="reload the page"):
        FormState.from_json(sent)


def test_values_of_other_types_and_unknown_roles_are_refused() -> None:
    sent = filled(Plan(k=3)).to_json()
    with pytest.raises(InputError, match="shuffle of the form must be of type bool"):
        FormState.from_json({**sent, "shuffle": "yes"})
    with pytest.raises(InputError, match="a role or a treatment that there is not"):
        FormState.from_json({**sent, "columns": [{**sent["columns"][0], "role": "king"}]})


def test_a_form_of_another_plan_is_refused() -> None:
    form = filled(Plan(k=3, columns=["a"]))
    two = Plan(k=3, sets=[{"columns": ["a"]}, {"columns": ["b"]}])
    with pytest.raises(InputError, match="reload the page"):
        plan_of(form, two)
