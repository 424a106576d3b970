"""Comparisons: every k with every method by the very line of `protect`, errors as rows, and going on from a file."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microagg
from microagg import (
    CancelledError,
    Comparison,
    DoubtError,
    InputError,
    MethodError,
    Plan,
    Run,
    WriteError,
    compare,
    protect,
)
from microagg.measure.risk_catalogue import RISK_FIGURES
from microagg.measure.utility_catalogue import UTILITY_FIGURES
from microagg.model.assessment import Assessment
from microagg.pareto_front import placed
from microagg.protect import protect_sets

RNG = np.random.default_rng(5)
NUMBERS = RNG.normal(size=(60, 3)) @ np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 3.0], [1.0, 0.0, 1.0]])
PEOPLE = pl.DataFrame(
    {
        "age": RNG.integers(18, 80, 60),
        "income": RNG.lognormal(10, 0.5, 60),
        "sex": RNG.choice(["f", "m"], 60),
        "region": ["north"] * 52 + ["south"] * 8,
        "weight": RNG.uniform(0.5, 2.0, 60),
    }
)


def _values(comparison: Comparison) -> list[Any]:
    """Return all that is known of the candidates, but for the time that they took."""
    return [(one.k, one.method, one.figures, one.k_reached, one.on_front, one.error) for one in comparison.candidates]


def test_each_candidate_is_what_protect_makes_and_assess_measures() -> None:
    comparison = compare(NUMBERS, k=(3, 7), methods=["mdav", "mdav+descent", "fdm"])
    names = [(one.k, one.method) for one in comparison.candidates]
    assert names == [(k, method) for k in (3, 7) for method in ("mdav", "mdav+descent", "fdm")]
    for one in comparison.candidates:
        release = protect(NUMBERS, k=one.k, method=one.method)
        assert one.information_loss == pytest.approx(release.information_loss, rel=1e-12)
        assert one.k_reached == release.measures.k_reached
        assert one.seconds is not None
        assert one.error is None
        assessment = microagg.assess(NUMBERS, release.data)
        _check_figures(one.figures, assessment)


def _check_figures(figures: tuple[microagg.Figure, ...], assessment: Assessment) -> None:
    assert [one.name for one in figures] == [
        "information_loss",
        "il1s",
        "dld",
        "id",
        "sdid",
        "reidentification_marketer",
    ]
    for one in figures:
        assert one.value == pytest.approx(assessment.figure(one.name).value, rel=1e-9)


def test_a_named_bound_leaves_a_method_the_bound_of_its_own() -> None:
    found = compare(NUMBERS[:24], k=(3,), methods=["mdav", "exact"], bound="neighbours", random_state=0)
    assert [one.error for one in found.candidates] == [None, None]
    named, exact = (one.information_loss for one in found.candidates)
    assert named is not None
    assert exact is not None
    assert exact <= named


def test_a_bound_gives_no_method_the_groups_of_another() -> None:
    plain, bounded = (
        compare(NUMBERS, k=(3,), methods=["mdav", "mdav+igd", "search"], bound=bound, random_state=0)
        for bound in (False, True)
    )
    assert [one.information_loss for one in bounded.candidates[:2]] == [
        one.information_loss for one in plain.candidates[:2]
    ]
    assert bounded.recommended is not None
    assert bounded.recommended.method == "search"


def test_the_recommended_plan_protects_so() -> None:
    comparison = compare(NUMBERS, k=(3, 7), methods=["mdav", "mdav+descent"], random_state=3)
    recommended = comparison.recommended
    assert recommended is not None
    assert recommended in comparison.front
    assert comparison.plan is not None
    release = protect(NUMBERS, plan=comparison.plan)
    assert (release.k, release.plan.sets[0].method) == (recommended.k, recommended.method)
    assert release.information_loss == pytest.approx(recommended.information_loss, rel=1e-12)


def test_the_front_is_not_beaten() -> None:
    comparison = compare(NUMBERS, k=(2, 3, 5, 9), methods=["mdav", "v-mdav", "mondrian"])
    places = placed(comparison.candidates, comparison.aim)
    for one in places:
        assert one.candidate.on_front == (not any(other.beats(one) for other in places))


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    options: Any = {"k": (3, 5), "methods": ["mdav", "fdm", "search"], "effort": "quick"}
    expected = _values(compare(NUMBERS, **options, run=Run(workers=2)))
    assert _values(compare(NUMBERS, **options, run=Run(workers=workers))) == expected


def test_the_order_of_the_records_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from microagg.construct.record_orders import ShortTour

    calls = []
    find = ShortTour.__call__

    def counted(self: ShortTour, problem: Any, run: Run) -> Any:
        calls.append(problem.k)
        return find(self, problem, run)

    monkeypatch.setattr(ShortTour, "__call__", counted)
    comparison = compare(NUMBERS, k=(3, 4, 5), methods=["fdm"])
    assert len(calls) == 1
    losses = {k: one.information_loss for k, one in microagg.solve_range(NUMBERS, (3, 4, 5)).items()}
    for one in comparison.candidates:
        assert one.information_loss == pytest.approx(losses[one.k], rel=1e-12)


def test_what_cannot_be_made_is_a_row_with_its_reason() -> None:
    options: Any = {"columns": ["age", "income"], "strata": ["region"], "weight": "weight", "weighted_loss": True}
    comparison = compare(PEOPLE, k=(3, 9), methods=["mdav", "fdm"], **options)
    made, weights, large, also_large = comparison.candidates
    assert made.error is None
    assert weights.error is not None
    assert "cannot weigh records" in weights.error
    assert large.error == also_large.error
    assert large.error is not None
    assert "fewer than k = 9" in large.error
    assert [one.on_front for one in comparison.candidates] == [True, False, False, False]
    with pytest.raises(InputError, match="there is no figure 'dld' of k = 9 with mdav: 1 of 2 parts"):
        large.figure("dld")


def test_an_error_of_all_is_an_error() -> None:
    with pytest.raises(InputError, match="there is no column 'wages'"):
        compare(PEOPLE, columns=["wages"])
    with pytest.raises(InputError, match="k = 100 is more than the 60 records there are"):
        compare(NUMBERS, k=100)
    with pytest.raises(DoubtError):
        compare(PEOPLE)


def test_errors_that_differ_are_rows_of_a_comparison_without_a_recommendation() -> None:
    comparison = compare(NUMBERS, k=(100, 200), methods=["mdav"])
    assert comparison.recommended is None
    assert comparison.plan is None
    assert comparison.front == ()
    assert comparison.reason.startswith("Nothing is recommended")
    assert "k = 200 is more than the 60 records" in comparison.summary()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": "3,5"}, "k must be several whole numbers, as in"),
        ({"k": 2.5}, "k must be several whole numbers, as in"),
        ({"k": ()}, "k is empty"),
        ({"k": (3, 3)}, "k = 3 is given 2 times"),
        ({"k": 1}, "k = 1 protects nothing"),
        ({"method": "mdav"}, "method = 'mdav' is given, but methods are compared: name it in methods"),
        ({"methods": "mdav"}, "methods must be a list"),
        ({"utility": "dld"}, "utility = 'dld' is no figure of utility to compare by"),
        ({"risk": "information_loss"}, "risk = 'information_loss' is no figure of risk"),
        ({"risk": "ddl"}, "did you mean 'dld'"),
        ({"risk": "k_reached", "max_risk": 3}, "max_risk is the largest k reached that is acceptable, but more of it"),
        ({"colums": ["a"]}, "a plan has no option 'colums': did you mean 'columns'"),
        ({"effort": "quick", "methods": ["mdav"]}, "none of the methods has an effort"),
        ({"checkpoint": "c.jsonl", "random_state": None}, "a comparison with fresh randomness cannot be kept"),
        ({"plan": "plan.toml"}, "plan must be a microagg.Plan"),
        ({"plan": Plan(k=3, random_state=1), "random_state": 2}, "random_state = 2 contradicts the plan"),
    ],
)
def test_what_cannot_be_compared(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare(NUMBERS, **options)


def test_a_plan_gives_all_but_k_and_methods() -> None:
    plan = Plan(k=50, method="exact", columns=["age"], drop=["income"], weight="weight", random_state=8)
    comparison = compare(PEOPLE, k=(2, 4), methods=["univariate"], plan=plan, keep_integers=True)
    assert comparison.plan is not None
    assert comparison.plan.sets[0].columns == ("age",)
    assert comparison.plan.sets[0].keep_integers
    assert (comparison.plan.drop, comparison.plan.random_state) == (("income",), 8)


def test_several_column_sets_are_measured_together() -> None:
    sets: Any = [{"columns": ["0"]}, {"columns": ["1", "2"]}]
    (one,) = compare(NUMBERS, k=4, methods=["mdav"], sets=sets).candidates
    release = protect(NUMBERS, k=4, method="mdav", sets=sets)
    assert release.together is not None
    assert one.k_reached == release.together.k_reached
    assert one.information_loss == pytest.approx(release.together.information_loss, rel=1e-12)


def test_individual_ranking_can_be_compared() -> None:
    ranking, mdav = compare(NUMBERS, k=4, methods=["individual-ranking", "mdav"]).candidates
    assert ranking.information_loss is not None
    assert mdav.information_loss is not None
    assert ranking.information_loss < mdav.information_loss
    assert ranking.k_reached == 1


def test_categories_missing_values_and_suppressed_strata() -> None:
    ages = [None, *PEOPLE["age"].to_list()[1:]]
    table = PEOPLE.with_columns(age=pl.Series(ages))
    options: Any = {"strata": ["region"], "small_strata": "suppress", "missing": "drop", "weight": "weight"}
    comparison = compare(table, k=(3, 9), methods=["mdav"], columns=["age", "income", "sex"], **options)
    assert [one.error for one in comparison.candidates] == [None, None]
    assert [one.k_reached for one in comparison.candidates] == [3, 9]


@pytest.mark.parametrize("axes", [{"utility": "pil"}, {"risk": "unique_after"}, {"utility": "il1s", "risk": "pld"}])
def test_other_axes(axes: dict[str, Any]) -> None:
    comparison = compare(NUMBERS[:24], k=(2, 4), methods=["mdav"], **axes)
    for one in comparison.candidates:
        release = protect(NUMBERS[:24], k=one.k, method="mdav")
        assessment = microagg.assess(NUMBERS[:24], release.data)
        for name in axes.values():
            assert one.figure(name).value == pytest.approx(assessment.figure(name).value, rel=1e-9)
    assert comparison.front


def test_every_figure_that_can_be_an_axis_is_measured() -> None:
    """Figures of the catalogues are either refused at once, or found."""
    for topic, figures in (("utility", UTILITY_FIGURES), ("risk", RISK_FIGURES)):
        for name in figures:
            try:
                comparison = compare(NUMBERS[:9], k=3, methods=["mdav"], **{topic: name})  # type: ignore[arg-type]
            except InputError as error:
                assert "is no figure of" in str(error)  # noqa: PT017
                assert name in (
                    "regression_overlap",
                    "domain_total_difference",
                    "suppressed_cells",
                    "score",
                    "score_classic",
                )
            else:
                assert comparison.candidates[0].figure(name).name == name


def test_a_comparison_goes_on_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "candidates.jsonl"
    made: list[tuple[int, str]] = []

    def counted(settled: Any, run: Run, shared: Any) -> Any:
        made.append((settled.plan.sets[0].k, settled.plan.sets[0].method))
        return protect_sets(settled, run, shared)

    monkeypatch.setattr("microagg.make_candidates.protect_sets", counted)
    compare(NUMBERS, k=3, methods=["mdav", "fdm"], checkpoint=file)
    assert sorted(made) == [(3, "fdm"), (3, "mdav")]
    made.clear()
    more = compare(NUMBERS, k=(3, 5), methods=["fdm", "mdav"], checkpoint=file)
    assert sorted(made) == [(5, "fdm"), (5, "mdav")]
    assert _values(more) == _values(compare(NUMBERS, k=(3, 5), methods=["fdm", "mdav"]))
    made.clear()
    again = compare(NUMBERS, k=(3, 5), methods=["fdm", "mdav"], checkpoint=file)
    assert made == []
    assert again.candidates == more.candidates
    assert (again.reason, again.plan) == (more.reason, more.plan)
    assert len(file.read_text(encoding="utf-8").splitlines()) == 5


def test_a_comparison_that_was_killed_keeps_what_was_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "candidates.jsonl"

    def killed(settled: Any, run: Run, shared: Any) -> Any:
        if settled.plan.sets[0].k == 5:
            raise KeyboardInterrupt
        return protect_sets(settled, run, shared)

    monkeypatch.setattr("microagg.make_candidates.protect_sets", killed)
    with pytest.raises(KeyboardInterrupt):
        compare(NUMBERS, k=(3, 5), methods=["mdav"], checkpoint=file, run=Run(workers=1))
    monkeypatch.undo()
    whole = compare(NUMBERS, k=(3, 5), methods=["mdav"], checkpoint=file)
    assert _values(whole) == _values(compare(NUMBERS, k=(3, 5), methods=["mdav"]))


def test_errors_are_not_kept(tmp_path: Path) -> None:
    file = tmp_path / "candidates.jsonl"
    compare(NUMBERS, k=(3, 100), methods=["mdav"], checkpoint=file)
    kept = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    assert [one["candidate"]["k"] for one in kept] == [3]


def test_a_function_cannot_be_kept(tmp_path: Path) -> None:
    from microagg.construct import CONSTRUCTORS

    stage = CONSTRUCTORS["mdav"]
    assert compare(NUMBERS, k=3, methods=[stage]).candidates[0].error is None
    with pytest.raises(InputError, match="a comparison of a function cannot be kept: name the method in its place"):
        compare(NUMBERS, k=3, methods=["mdav", stage], checkpoint=tmp_path / "candidates.jsonl")
    with pytest.raises(WriteError, match="is a folder"):
        compare(NUMBERS, k=3, checkpoint=tmp_path)


def test_cancelling_keeps_what_is_finished() -> None:
    def cancel(stage: str, done: float | None, note: str = "") -> None:
        if stage == "compare" and done:
            run.cancel()

    run = Run(workers=1, progress=cancel)
    comparison = compare(NUMBERS, k=(3, 4, 5, 6), methods=["mdav"], run=run)
    finished = [one for one in comparison.candidates if one.error is None]
    assert len(finished) >= 1
    for one in comparison.candidates:
        assert one.error in (None, "the comparison was cancelled before this candidate was finished")
    assert comparison.recommended in finished


def test_cancelling_before_anything_is_finished_is_an_error() -> None:
    def cancel(stage: str, done: float | None, note: str = "") -> None:
        run.cancel()

    run = Run(workers=1, progress=cancel)
    with pytest.raises(CancelledError):
        compare(NUMBERS, methods=["mdav"], run=run)


def test_progress_tells_the_share_that_is_done() -> None:
    reports: list[tuple[str, float | None, str]] = []
    compare(NUMBERS, k=(3, 5), methods=["mdav", "fdm"], progress=lambda *report: reports.append(report))
    assert reports[0][0] == "read"
    shares = [done for stage, done, _ in reports if stage == "compare" and done is not None]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    assert reports[-1][2].startswith("4 of 4")


def test_a_table_larger_than_memory_is_refused(tmp_path: Path) -> None:
    PEOPLE.write_parquet(tmp_path / "people.parquet")
    table = microagg.read(tmp_path / "people.parquet", memory=0, folder=tmp_path)
    with pytest.raises(InputError, match="a comparison is made in memory, found a table that is larger"):
        compare(table, columns=["age"])


def test_candidates_that_time_did_not_suffice_for_are_not_measured() -> None:
    with pytest.raises(InputError, match="the time limit was over before all records were grouped: allow more time"):
        compare(NUMBERS, k=(3, 4), methods=["mdav", "search"], time_limit=1e-9)


def test_a_time_limit_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = []

    def noted(settled: Any, run: Run, shared: Any) -> Any:
        limits.append(run.limits)
        return protect_sets(settled, run, shared)

    monkeypatch.setattr("microagg.make_candidates.protect_sets", noted)
    run = Run(workers=1)
    comparison = compare(NUMBERS, k=(3, 4), methods=["mdav", "igd"], time_limit=1e6, iterations=2, run=run)
    assert [one.error for one in comparison.candidates] == [None] * 4
    assert sorted(one.iterations or 0 for one in limits) == [0, 0, 2, 2]
    first, *_, last = [one.time_limit for one in limits]
    assert first is not None
    assert last is not None
    assert first < 0.6 * last
    assert last < 1.001e6
    assert comparison.plan is not None
    assert comparison.plan.limits.time_limit == 1e6


def test_limits_that_a_run_has_hold_too() -> None:
    with pytest.raises(MethodError, match="none of the methods has anything that iterations could limit"):
        compare(NUMBERS, methods=["mdav"], run=Run(iterations=3))
    comparison = compare(NUMBERS, k=3, methods=["mdav", "igd"], run=Run(iterations=1))
    assert [one.error for one in comparison.candidates] == [None, None]


def test_the_table_stays_as_it_was() -> None:
    before = NUMBERS.copy()
    compare(NUMBERS, k=3, methods=["mdav"])
    assert (before == NUMBERS).all()


def test_a_frame_has_a_row_for_each_candidate() -> None:
    comparison = compare(NUMBERS, k=(3, 100), methods=["mdav", "fdm"])
    frame = comparison.to_frame()
    assert frame.columns[:4] == ["k", "method", "information_loss", "il1s"]
    assert frame["k"].to_list() == [3, 3, 100, 100]
    assert frame["error"].is_null().to_list() == [True, True, False, False]
    assert frame["recommended"].sum() == 1
    assert frame["dld"].null_count() == 2
    assert frame.schema["information_loss"] == pl.Float64
    plain = compare(NUMBERS, k=3, methods=["mdav"]).to_frame()
    assert plain.schema["error"] == pl.String


def test_no_original_value_is_shown() -> None:
    table = NUMBERS.copy()
    table[0] = 123456.0
    comparison = compare(table, k=3, methods=["mdav"])
    for text in (repr(comparison), repr(comparison.candidates), comparison.summary(), comparison.to_json()):
        assert "123456" not in text
