"""Exposure of a release: counted as slow obvious code counts, and at the edges of each promise."""

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import (
    DoubtError,
    InputError,
    Plan,
    Release,
    Verification,
    VerificationError,
    inspect,
    protect,
    read,
    verify,
)
from microagg.exposure import expose
from microagg.model.column_set import SetOptions
from microagg.model.verdict import Determined, Exposure, Verdict

CELLS = st.tuples(st.sampled_from([1, 2, None]), st.sampled_from(["a", "b"]), st.integers(0, 2), st.integers(0, 3))
NAMES = ("x", "y", "z", "unit")


def exposure_in(found: Release | Verification) -> Exposure:
    assert found.exposure is not None
    return found.exposure


def verdict_on(release: Release) -> Verdict:
    assert release.verdict is not None
    return release.verdict


def exposure_of(rows: list[tuple[Any, ...]], **options: Any) -> Any:
    frame = pl.DataFrame({name: [row[place] for row in rows] for place, name in enumerate(NAMES)}, strict=False)
    return expose(read(frame), Plan(k=3, columns=["x"], **options), read(frame))


@given(st.lists(CELLS, min_size=1, max_size=30))
def test_records_are_counted_as_the_oracle_counts_them(rows: list[tuple[Any, ...]]) -> None:
    found = exposure_of(rows)
    sizes = Counter(rows)
    below = [sum(size for size in sizes.values() if size < least) for least in (2, 3)]
    assert (found.k_reached, found.n_unique, found.n_below_k) == (min(sizes.values()), *below)


@given(st.lists(CELLS, min_size=1, max_size=30))
def test_units_are_counted_where_the_plan_names_them(rows: list[tuple[Any, ...]]) -> None:
    found = exposure_of(rows, unit="unit", renumber=["unit"])
    units: dict[tuple[Any, ...], set[Any]] = {}
    for *others, unit in rows:
        units.setdefault(tuple(others), set()).add(unit)
    counts = [len(units[tuple(row[:3])]) for row in rows]
    expected = (min(counts), sum(one == 1 for one in counts), sum(one < 3 for one in counts))
    assert (found.k_reached, found.n_unique, found.n_below_k, found.unit) == (*expected, "unit")
    assert found.columns == ("x", "y", "z")


@given(st.lists(CELLS, min_size=2, max_size=30))
def test_a_column_is_told_where_nearly_all_of_its_cells_follow(rows: list[tuple[Any, ...]]) -> None:
    told = {(one.unchanged, one.protected): one.share for one in exposure_of(rows).determined}
    for place, name in enumerate(NAMES[1:], start=1):
        values: dict[Any, list[Any]] = {}
        for row in rows:
            values.setdefault(row[place], []).append(row[0])
        share = sum(len(of) for of in values.values() if len(of) > 1 and len(set(of)) == 1) / len(rows)
        if (name, "x") in told:
            assert told[name, "x"] == pytest.approx(share)
            assert share > 0.5
            assert len({row[0] for row in rows}) > 1


def table(n: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    code = rng.integers(0, 4, n)
    labels = np.array(["none", "school", "college", "doctor"])
    return pd.DataFrame({"income": rng.normal(size=n).round(1) * 10, "code": code, "label": labels[code]})


def test_a_code_beside_its_label_is_told_and_a_column_of_one_value_is_not() -> None:
    frame = table().assign(same=1)
    release = protect(frame, k=3, columns=["income", "label"])
    assert exposure_in(release).determined == (Determined("code", "label", 1.0),)
    assert "'code' tells 'label' (100.0 %)" in " ".join(release.remarks)
    assert exposure_in(verify(frame, release.data, plan=release.plan)) == exposure_in(release)


def test_chance_is_no_recoding() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.integers(0, 2, 400), "pair": rng.permutation(np.repeat(np.arange(200), 2))})
    share_of_pairs = frame.groupby("pair").x.nunique().eq(1).mean()
    assert 0.4 < share_of_pairs < 0.6
    plan = Plan(k=3, columns=["x"])
    assert expose(read(frame), plan, read(frame)).determined == ()


@pytest.mark.parametrize(("n_pairs", "asked"), [(1, True), (2, False)])
def test_a_column_with_a_value_of_its_own_in_nine_of_ten_records_is_a_question(n_pairs: int, asked: bool) -> None:
    names = [f"n{number}" for number in range(20)]
    for pair in range(n_pairs):
        names[2 * pair + 1] = names[2 * pair]
    frame = table(20).assign(name=names)
    if not asked:
        assert exposure_in(protect(frame, k=3, columns=["income"])).n_unique >= 16
        return
    with pytest.raises(DoubtError) as refused:
        protect(frame, k=3, columns=["income"])
    assert (refused.value.identifiers, refused.value.unchanged) == (("name",), ("code", "label"))
    assert "'name' has unique values in 18 of 20 records" in str(refused.value)
    assert "identifiers=['name']" in str(refused.value)


@pytest.mark.parametrize("role", ["identifiers", "drop", "exclude", "confidential", "renumber", "columns"])
def test_a_column_that_is_named_is_no_question(role: str) -> None:
    frame = table(20).assign(number=range(100, 120))
    options: dict[str, Any] = {"columns": ["income"]}
    options[role] = [*options.get(role, []), "number"]
    release = protect(frame, k=3, **options)
    known = {one.name for one in exposure_in(release).unknown}
    assert ("number" in known) == (role in ("confidential", "renumber"))
    assert (exposure_in(release).n_unique == 20) == (role == "exclude")
    assert verdict_on(protect(frame, plan=release.plan)) == verdict_on(release)


def test_an_amount_that_singles_out_is_to_be_protected_too() -> None:
    frame = table(20).assign(assets=np.arange(20) ** 2 + 0.5)
    with pytest.raises(DoubtError) as refused:
        protect(frame, k=3, columns=["income"])
    assert (refused.value.plain, refused.value.identifiers) == (("assets",), ())
    assert "columns=['income', 'assets']" in str(refused.value)


def test_a_weight_that_singles_out_is_asked_about_as_a_weight() -> None:
    frame = table(20).assign(pspwght=np.arange(20) ** 2 + 0.5)
    with pytest.raises(
        DoubtError, match=r"every record.*: name the sampling weight, as in weight='pspwght'; or name such"
    ):
        protect(frame, k=3, columns=["income"])
    with pytest.raises(DoubtError, match="singles it out: name such a column in confidential if others cannot"):
        protect(
            frame.rename(columns={"pspwght": "y"}),
            sets=[{"columns": ["income"], "k": 3}, {"columns": ["code"], "k": 3}],
        )


def test_what_singles_out_is_released_unchanged_beside_several_sets_if_it_is_said() -> None:
    frame = table(20).assign(assets=np.arange(20) ** 2 + 0.5)
    sets: list[SetOptions] = [{"columns": ["income"]}, {"columns": ["code"]}]
    release = protect(frame, k=3, sets=sets, exclude=["assets"])
    assert exposure_in(release).unchanged == ("label", "assets")
    assert Plan.from_toml(release.plan.to_toml()) == release.plan
    with pytest.raises(InputError, match="'code'"):
        protect(frame, k=3, sets=sets, exclude=["code"])


def test_the_index_is_a_released_column() -> None:
    frame = table(60).assign(name=[f"person {number}" for number in range(60)]).set_index("name")
    with pytest.raises(DoubtError, match="'name' has a different value in every record"):
        protect(frame, k=4, columns=["income"])
    kept = protect(frame, k=4, columns=["income"], exclude=["name"])
    assert list(kept.data.index) == list(frame.index)
    assert (exposure_in(kept).columns, exposure_in(kept).n_unique) == (("income", "code", "label", "name"), 60)
    assert exposure_in(verify(None, kept.data, 4, ["income"])).n_unique == 60
    assert exposure_in(verify(frame, kept.data, plan=kept.plan)).n_unique == 60
    gone = protect(frame, k=4, columns=["income"], identifiers=["name"])
    assert list(gone.data.index) == list(range(60))
    assert "name" not in exposure_in(gone).columns
    assert verify(frame, gone.data, plan=gone.plan).passed
    assert not verify(frame, kept.data, plan=gone.plan).passed
    shown = {one.name: one.proposal.role for one in inspect(frame).columns}
    assert shown["name"] == "identifier"


def test_levels_of_an_index_are_left_out_one_by_one() -> None:
    frame = table(20).assign(name=range(7, 27)).set_index(["label", "name"])
    release = protect(frame, k=3, columns=["income"], drop=["name"])
    assert release.data.index.names == ["label"]
    assert exposure_in(release).columns == ("income", "code", "label")


def test_an_index_that_counts_the_records_is_none() -> None:
    frame = table(40)[10:30]
    assert "index" not in exposure_in(protect(frame, k=3, columns=["income"])).columns


@pytest.mark.parametrize("first", [0, 10])
def test_an_index_that_counts_the_records_has_no_gaps_where_some_are_left_out(first: int) -> None:
    frame = pd.DataFrame({"x": np.arange(20.0) ** 2, "y": np.arange(20.0) % 7}, index=pd.RangeIndex(first, first + 20))
    frame.loc[first + 3, "x"] = np.nan
    release = protect(frame, k=3, columns=["x", "y"], missing="drop", strict=True)
    assert verdict_on(release).tone == "verified"
    assert list(release.data.index) == list(range(19))
    assert verify(None, release.data, 3, ["x", "y"]).k_reached == exposure_in(release).k_reached >= 3


@pytest.mark.parametrize(("n_apart", "tone"), [(0, "verified"), (1, "limited")])
def test_green_is_k_on_all_columns_that_others_may_know(n_apart: int, tone: str) -> None:
    x = [group + step / 10 for group in range(4) for step in range(3)]
    frame = pl.DataFrame({"x": x, "y": [1] * n_apart + [0] * (3 - n_apart) + [1] * 9, "secret": range(12)})
    release = protect(frame, k=3, columns=["x"], confidential=["secret"])
    assert (verdict_on(release).tone, exposure_in(release).k_reached) == (tone, 1 if n_apart else 3)
    assert verdict_on(release).sentences[-1] == "taken as unknown to others: 'secret' (confidential)"
    if tone == "verified":
        assert verdict_on(protect(frame, plan=release.plan, strict=True)).tone == "verified"
        return
    assert verdict_on(release).headline == "verified on the protected columns only"
    with pytest.raises(
        VerificationError, match="the plan is strict, and the verdict would be “verified on the protected columns only”"
    ):
        protect(frame, plan=release.plan, strict=True)


def test_confidential_values_that_groups_give_away_are_warned_of() -> None:
    frame = pd.DataFrame({"x": np.arange(12.0), "illness": ["a"] * 4 + ["b", "c"] * 3 + [None, None]})
    release = protect(frame, k=4, columns=["x"], confidential=["illness"], method="mdav")
    classes = release.data.groupby("x")["illness"]
    constant = (classes.transform("nunique") == 1) & (classes.transform("count") == classes.transform("size"))
    assert 0 < constant.sum() < 12
    assert exposure_in(release).given_away == (("illness", constant.sum()),)
    assert any(
        "4 of 12 records (33.3 %) are in groups in which all values of 'illness'" in one for one in release.remarks
    )
    diverse = protect(frame, k=4, columns=["x"], confidential=["illness"], l_diversity=2, method="mdav")
    assert exposure_in(diverse).given_away == ()
