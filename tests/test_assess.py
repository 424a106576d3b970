"""Assessments: utility and risk together, from tables, by plan, out of core, and of a release that is just made."""

import json
import logging
import pickle
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from large_sources import small_batches
from measured_tables import AMOUNTS, group_means, labour_force
from microagg import Assessment, CancelledError, InputError, Plan, Run, assess, measure, protect, protect_file, read
from microagg.assess import assess_release
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.measure.utility_catalogue import UTILITY_FIGURES
from runs import CancelledAt

ASKED = ("regression_overlap", "domain_total_difference", "suppressed_cells")
NEEDS_MEMORY = {"dld", "dld_nearest_two", "pld", "disclosure_risk", "score", "score_classic"}


def _values(assessment: Assessment) -> dict[str, float | None]:
    return {figure.name: figure.value for figure in assessment.figures}


@pytest.fixture
def survey() -> pl.DataFrame:
    return labour_force(60)


def test_every_figure_of_both_catalogues_is_there_once(survey: pl.DataFrame) -> None:
    found = assess(survey, group_means(survey), AMOUNTS, k=3)
    expected = [*(name for name in UTILITY_FIGURES if name not in ASKED), *RISK_FIGURES]
    assert sorted(figure.name for figure in found.figures) == sorted(expected)
    assert [figure.topic for figure in found.figures] == sorted(
        (figure.topic for figure in found.figures), reverse=True
    ), "utility first"
    assert found.measures == measure(survey, group_means(survey), AMOUNTS)
    assert found.figure("information_loss").value == pytest.approx(found.measures.information_loss)
    assert found.figure("k_reached").value == found.measures.k_reached == 3
    assert repr(found) == f"Assessment({len(expected)} figures of 60 records)"
    with pytest.raises(InputError, match="there is no figure 'pmse_rato': did you mean 'pmse_ratio'"):
        found.figure("pmse_rato")


def test_scores_are_made_of_the_other_figures(survey: pl.DataFrame) -> None:
    values = _values(assess(survey, group_means(survey), AMOUNTS))
    known = {name: value for name, value in values.items() if value is not None}
    assert known["score"] == pytest.approx((known["disclosure_risk"] + known["pil"]) / 2)
    classic = 0.5 * known["information_loss"] + 0.125 * (known["dld"] + known["pld"]) + 0.25 * known["id"]
    assert known["score_classic"] == pytest.approx(classic)


def test_a_plan_says_what_is_assessed(survey: pl.DataFrame) -> None:
    plan = Plan(k=3, columns=["income", "assets"], strata=["region"], weight="weight", method="mdav")
    release = protect(survey, plan=plan)
    found = assess(survey, release.data, plan=release.plan, regressions=["income ~ age"], domains=["region"])
    assert [one.name for one in found.numbers] == ["income", "assets"]
    assert len(found.parts) >= 3
    assert len(found.domains) == 6
    for given in ({"k": 3}, {"columns": ["income"]}, {"nominal": ["sex"]}, {"standardise": False}):
        with pytest.raises(InputError, match="a plan says which columns are assessed, and how"):
            assess(survey, release.data, plan=plan, **given)
    with pytest.raises(InputError, match=r"plan must be a microagg\.Plan, found 'x'"):
        assess(survey, release.data, plan="x")  # type: ignore[arg-type]


def test_what_cannot_be_compared_is_refused(survey: pl.DataFrame) -> None:
    after = group_means(survey)
    with pytest.raises(InputError, match="in another order"):
        assess(survey, after.reverse(), AMOUNTS)
    with pytest.raises(InputError, match="the plan shuffles the records"):
        assess(survey, after, plan=Plan(k=3, columns=["income"], shuffle=True))
    with pytest.raises(InputError, match="the plan shuffles the records"):
        measure(survey, after, plan=Plan(k=3, columns=["income"], shuffle=True))
    with pytest.raises(InputError, match="the original has 60 records, the release 59"):
        assess(survey, after.head(59), AMOUNTS)
    with pytest.raises(InputError, match="k must be at least 1, found 0"):
        assess(survey, after, AMOUNTS, k=0)
    with pytest.raises(InputError, match="regressions must be a list of formulas, found 'income ~ age'"):
        assess(survey, after, AMOUNTS, regressions="income ~ age")
    with pytest.raises(InputError, match="domains must be a list of names, found 'region'"):
        assess(survey, after, AMOUNTS, domains="region")
    with pytest.raises(InputError, match="an assessment has nothing that time_limit could limit"):
        assess(survey, after, AMOUNTS, run=Run(time_limit=1.0))
    for fraction in (0.0, 1.5, -1.0):
        with pytest.raises(InputError, match="sampling"):
            assess(survey, after, AMOUNTS, sampling_fraction=fraction)


def test_a_cancelled_assessment_is_an_error(survey: pl.DataFrame) -> None:
    def cancel_during_utility(stage: str, done: float | None, note: str = "") -> None:
        if stage == "distributions":
            run.cancel()

    run = Run(progress=cancel_during_utility)
    with pytest.raises(CancelledError, match="the release is not assessed to its end"):
        assess(survey, group_means(survey), AMOUNTS, run=run)


def test_release_has_its_assessment_if_it_is_asked_for(survey: pl.DataFrame) -> None:
    plain = protect(survey, 3, columns=["income", "assets"], exclude=["weight"], method="mdav")
    assert plain.assessment is None
    release = protect(survey, 3, columns=["income", "assets"], exclude=["weight"], method="mdav", measures="all")
    assert release.assessment is not None
    again = assess(survey, release.data, plan=release.plan)
    assert _values(release.assessment) == _values(again)
    assert release.assessment.to_json() == again.to_json()
    with pytest.raises(InputError, match="measures must be one of all, found 'some'"):
        protect(survey, 3, columns=["income"], measures="some")
    with pytest.raises(InputError, match="measures must be one of all, found True"):
        protect(survey, 3, columns=["income"], measures=True)  # type: ignore[arg-type]


def test_several_column_sets_are_assessed_together(survey: pl.DataFrame) -> None:
    sets = [{"columns": ["income"], "k": 3}, {"columns": ["assets", "debts"], "k": 4}]
    release = protect(survey, sets=sets, exclude=["weight"], method="mdav", measures="all")  # type: ignore[arg-type]
    assert release.assessment is not None
    assert [one.name for one in release.assessment.numbers] == ["income", "assets", "debts"]
    assert release.together is not None
    assert release.assessment.measures.information_loss == pytest.approx(release.together.information_loss)


def test_shuffled_releases_are_assessed_before_they_are_shuffled(survey: pl.DataFrame) -> None:
    X = survey.select(AMOUNTS).to_numpy()
    plain = protect(X, 3, method="mdav", measures="all")
    shuffled = protect(X, 3, method="mdav", measures="all", shuffle=True)
    assert plain.assessment is not None
    assert shuffled.assessment is not None
    assert _values(shuffled.assessment) == _values(plain.assessment)


def test_time_limit_does_not_end_the_measures(survey: pl.DataFrame) -> None:
    run = Run(time_limit=1e-6)
    release = protect(survey, 3, columns=["income", "assets"], exclude=["weight"], measures="all", run=run)
    assert release.assessment is not None


def test_cancelled_run_releases_what_it_has_without_an_assessment(
    survey: pl.DataFrame, caplog: pytest.LogCaptureFixture
) -> None:
    def cancel_after_aggregating(stage: str, done: float | None, note: str = "") -> None:
        if stage == "aggregate":
            run.cancel()

    run = Run(progress=cancel_after_aggregating)
    with caplog.at_level(logging.WARNING, logger="microagg"):
        release = protect(survey, 3, columns=["income"], exclude=["weight"], method="mdav", measures="all", run=run)
    assert release.assessment is None
    assert "the run was cancelled: the release is made, and not assessed" in caplog.text


def test_assessment_out_of_core_has_all_that_streams(survey: pl.DataFrame, tmp_path: Path) -> None:
    before = tmp_path / "before.csv"
    after = tmp_path / "after.csv"
    few = survey.head(21)
    few.write_csv(before)
    group_means(few).write_csv(after)
    asked = {"regressions": ["income ~ age + region"], "domains": ["sex"]}
    in_memory = assess(before, after, AMOUNTS, **asked)  # type: ignore[arg-type]
    with small_batches():
        original, released = (read(path, memory=0, folder=tmp_path) for path in (before, after))
        found = assess(original, released, AMOUNTS, **asked)  # type: ignore[arg-type]
    expected = _values(in_memory)
    for name, value in _values(found).items():
        if name in NEEDS_MEMORY:
            assert value is None
            assert found.figure(name).note
        else:
            assert value == (None if expected[name] is None else pytest.approx(expected[name], rel=1e-12, abs=1e-12)), (
                name
            )
    assert found.numbers == in_memory.numbers
    assert found.domains == in_memory.domains


def test_files_are_protected_with_all_measures(survey: pl.DataFrame, tmp_path: Path) -> None:
    source = tmp_path / "survey.csv"
    survey.head(21).write_csv(source)
    names = ["income", "assets"]
    in_memory = protect_file(
        source, tmp_path / "one.csv", 3, columns=names, exclude=["weight"], method="mdav", measures="all"
    ).assessment
    assert in_memory is not None
    with pytest.raises(InputError, match="measures must be one of all"):
        protect_file(source, tmp_path / "two.csv", 3, measures="none")
    with small_batches():
        table = read(source, memory=0, folder=tmp_path)
        found = protect(table, 3, columns=names, exclude=["weight"], method="mdav", measures="all").assessment
    assert found is not None
    assert found.figure("dld").value is None
    assert found.figure("pil").value == pytest.approx(in_memory.figure("pil").value)


def test_releases_with_suppressed_cells_are_assessed(survey: pl.DataFrame) -> None:
    """As local suppression of any tool leaves them: numbers and categories of some records."""
    released = group_means(survey).with_columns(
        income=pl.Series([None] * 6 + group_means(survey)["income"].to_list()[6:]),
        region=pl.Series([None, *survey["region"][1:]]),
    )
    found = assess(survey, released, [*AMOUNTS, "region"], k=3)
    assert found.figure("suppressed_cells").value == pytest.approx(100 * 7 / (60 * (len(AMOUNTS) + 1)))
    assert found.measures.n_suppressed == 7
    assert all(one.value is not None for one in found.figures if one.name in ("information_loss", "dld", "pld", "pil"))


def test_original_values_are_in_no_repr(survey: pl.DataFrame) -> None:
    secret = survey.with_columns(income=pl.Series(np.where(np.arange(60) == 7, 987654321.5, survey["income"])))
    found = assess(secret, group_means(secret), AMOUNTS, domains=["region"], regressions=["income ~ age"])
    assert "987654321" not in repr(found)
    assert "987654321" not in repr(found.numbers) + repr(found.categories) + repr(found.domains) + repr(
        found.correlations
    )
    shown = repr(found.measures) + repr(found.regressions)
    assert "before" not in shown
    assert str(int(secret["income"].to_numpy().mean())) not in shown


def test_assessments_can_be_pickled_and_are_read_only(survey: pl.DataFrame) -> None:
    found = assess(survey, group_means(survey), AMOUNTS)
    again = pickle.loads(pickle.dumps(found))
    assert again.to_json() == found.to_json()
    with pytest.raises(ValueError, match="read-only"):
        again.correlations.before[0, 0] = 2.0


def test_json_has_no_nan() -> None:
    before = pl.DataFrame({"x": [1.0, 2.0, 4.0], "k": [7.0] * 3, "c": ["a", "b", "b"]})
    after = pl.DataFrame({"x": [1.5, 1.5, 4.0], "k": [7.0] * 3, "c": ["a", "b", "b"]})
    known = json.loads(assess(before, after, ["x", "k", "c"]).to_json())
    assert known["facts"] == "assessment"
    assert known["correlations"]["before"] == [[1.0, None], [None, None]]
    assert known["correlations"]["eigenvalues_before"] == [1.0, None]
    assert known["shows_originals"] is True


@pytest.mark.parametrize("is_shuffled", [False, True])
def test_a_release_assessed_afterwards_has_the_figures_that_protect_gives(
    survey: pl.DataFrame, is_shuffled: bool
) -> None:
    lacking = survey.with_columns(pl.when(pl.int_range(pl.len()) % 9 > 0).then(AMOUNTS[0]).alias(AMOUNTS[0]))
    others = [name for name in survey.columns if name not in AMOUNTS]
    plan = Plan(k=3, columns=AMOUNTS, drop=others, missing="drop", random_state=0, shuffle=is_shuffled)
    release = protect(lacking, plan=plan, measures="all")
    assert release.assessment is not None
    assert release.n_suppressed > 0
    assert _values(assess_release(release, Run())) == _values(release.assessment)


def test_an_assessment_afterwards_can_be_cancelled(survey: pl.DataFrame) -> None:
    release = protect(survey, k=3, columns=AMOUNTS, exclude=["weight"])
    with pytest.raises(CancelledError):
        assess_release(release, CancelledAt(1))
