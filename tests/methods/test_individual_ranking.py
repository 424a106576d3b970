"""Individual ranking: a column set of each column."""

import pandas as pd
import pytest

from microagg import DoubtError, InputError, MethodError, Microaggregation, Plan, protect, solve, verify
from microagg.methods import column_method, separate_columns
from microagg.methods.individual_ranking import INDIVIDUAL_RANKING, IndividualRanking, individual_ranking
from microagg.methods.resolution import certifies
from microagg.model.column_set import SetOptions
from samples import normal

COLUMNS = ["x", "y", "z"]


@pytest.fixture(name="frame")
def _frame() -> pd.DataFrame:
    return pd.DataFrame(normal(0, 40, 3), columns=COLUMNS)


def test_each_column_is_protected_on_its_own(frame: pd.DataFrame) -> None:
    release = protect(frame, 4, method=INDIVIDUAL_RANKING)
    for name, one in zip(COLUMNS, release.sets, strict=True):
        alone = protect(frame[[name]], 4, method="univariate")
        assert one.columns == (name,)
        pd.testing.assert_series_equal(release.data[name], alone.data[name])
        assert one.solution.status == "optimal"
        assert one.measures.k_reached >= 4
        assert verify(frame, release.data, 4, [name]).passed


def test_result_says_which_k_all_columns_reach_together(frame: pd.DataFrame) -> None:
    release = protect(frame, 4, method=INDIVIDUAL_RANKING)
    assert release.together is not None
    assert release.together.k_reached == release.data.groupby(COLUMNS).size().min() == 1
    assert not verify(frame, release.data, 4, COLUMNS).passed
    assert repr(release).endswith("verified on each column set alone, k = 1 on all protected columns together)")
    assert "NOT 4-anonymous, k reached is 1 on all protected columns" in release.summary()
    losses = [one.measures.information_loss for one in release.sets]
    assert release.together.information_loss == pytest.approx(sum(losses) / 3)


def test_fixed_cut_makes_runs_of_k() -> None:
    release = protect([[5.0], [1.0], [4.0], [2.0], [3.0]], 2, method="individual-ranking(cut=fixed)")
    assert release.data.tolist() == [[4.0], [1.5], [4.0], [1.5], [4.0]]
    assert release.sets[0].solution.method == "individual-ranking(cut=fixed)"


def test_settled_plan_gives_the_same_release(frame: pd.DataFrame) -> None:
    release = protect(frame, 4, method=INDIVIDUAL_RANKING, exclude=["y"], drop=["z"], random_state=7)
    assert [(one.columns, one.method) for one in release.plan.sets] == [(("x",), INDIVIDUAL_RANKING)]
    assert (release.plan.drop, release.plan.random_state) == (("z",), 7)
    again = protect(frame, plan=Plan.from_toml(release.plan.to_toml()))
    pd.testing.assert_frame_equal(again.data, release.data)


def test_columns_beside_several_sets_may_be_released_all_the_same(frame: pd.DataFrame) -> None:
    plan = Plan(k=3, sets=[{"columns": ["x"]}, {"columns": ["y"]}])
    with pytest.raises(DoubtError, match=r"singles it out: name such a column in confidential .* exclude"):
        protect(frame, plan=plan)
    release = protect(frame, plan=plan.with_options(exclude=["z"]))
    pd.testing.assert_series_equal(release.data["z"], frame["z"])
    assert Plan.from_toml(release.plan.to_toml()) == release.plan


def test_one_of_several_column_sets(frame: pd.DataFrame) -> None:
    sets: list[SetOptions] = [{"columns": ["z"], "k": 5}, {"columns": ["x", "y"], "method": INDIVIDUAL_RANKING}]
    release = protect(frame, plan=Plan(k=3, sets=sets))
    assert [(one.columns, one.k) for one in release.sets] == [(("z",), 5), (("x",), 3), (("y",), 3)]


def test_integers_are_kept_where_there_are_some(frame: pd.DataFrame) -> None:
    frame["y"] = range(40)
    release = protect(frame, 4, columns=COLUMNS, method=INDIVIDUAL_RANKING, keep_integers=True)
    assert [one.keep_integers for one in release.plan.sets] == [False, True, False]
    assert release.data["y"].dtype == "int64"
    with pytest.raises(InputError, match="there are no integers to keep"):
        protect(frame, 4, columns=["x", "z"], drop=["y"], method=INDIVIDUAL_RANKING, keep_integers=True)


def test_other_plans_stay_as_they_are() -> None:
    plan = Plan(k=3, columns=["x"], method="mdav")
    same, columns = separate_columns(plan, [("x",)], bool, lambda name: "number")
    assert same is plan
    assert columns == [("x",)]


def test_names() -> None:
    assert individual_ranking(["Individual-Ranking"]) == IndividualRanking()
    assert individual_ranking("onedims(cut=fixed)") == IndividualRanking("fixed")
    assert individual_ranking("mdav+igd") is None
    assert (column_method("individual-ranking"), column_method("mdav")) == ("univariate", "mdav")
    assert not certifies(INDIVIDUAL_RANKING)


@pytest.mark.parametrize("method", [INDIVIDUAL_RANKING, "individual-ranking(cut=fixed)", (INDIVIDUAL_RANKING,)])
def test_there_is_no_one_partition(method: str, frame: pd.DataFrame) -> None:
    sentence = "'individual-ranking' groups each column on its own and makes no one partition: only protect can use it"
    with pytest.raises(MethodError, match=sentence):
        solve(frame, 4, method=method)
    with pytest.raises(MethodError, match=sentence):
        Microaggregation(4, method=method).fit(frame)


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        ("individual-ranking+igd", "nothing can follow 'individual-ranking'"),
        ("individual-ranking(cut=best)", "cut must be one of optimal, fixed, found 'best'"),
        ("individual-ranking(k=3)", "'individual-ranking' has no parameter 'k': its parameters are cut"),
        ("individual-rank", "did you mean 'individual-ranking'"),
    ],
)
def test_what_it_cannot_be_is_refused(method: str, sentence: str, frame: pd.DataFrame) -> None:
    with pytest.raises(InputError, match=sentence):
        protect(frame, 4, method=method)


def test_effort_and_iterations_have_nothing_to_act_on(frame: pd.DataFrame) -> None:
    with pytest.raises(MethodError, match="has no effort"):
        protect(frame, 4, method=INDIVIDUAL_RANKING, effort="quick")
    with pytest.raises(MethodError, match="has nothing that iterations could limit"):
        protect(frame, 4, method=INDIVIDUAL_RANKING, iterations=3)
