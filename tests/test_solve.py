"""Pipelines, their names, and what solve promises."""

import numpy as np
import pandas as pd
import pytest

import microagg
from microagg import DoubtError, InputError, Limits, LowerBound, MethodError, Partition, Problem, Run, solve
from microagg.bound import BOUNDS
from microagg.construct import CONSTRUCTORS
from microagg.construct.gsms import Gsms
from microagg.construct.kmeans import KMeans
from microagg.construct.mf_tsp import MfTsp
from microagg.construct.v_mdav import VMdav
from microagg.control.progress import floor_percent
from microagg.methods import Pipeline, pipeline
from microagg.refine import REFINERS
from microagg.solve import run_pipeline


@pytest.fixture(name="X")
def _points():
    return np.random.default_rng(0).normal(size=(40, 3))


def test_name_reads_as_its_pipeline():
    plain, refined = pipeline("mdav"), pipeline("mdav+recut+recut")
    assert (plain.refiners, plain.bound) == ((), None)
    assert len(refined.refiners) == 2
    assert pipeline("univariate").bound is not None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mdva", "no method 'mdva': did you mean 'mdav'?"),
        ("univariat", "did you mean 'univariate'?"),
        (
            "%%%",
            "known are 'auto', 'search', 'imhm', 'icsm', 'reporder', 'column-generation', 'exact', 'univariate', ",
        ),
        ("mdav+recutt", "no refiner 'recutt': did you mean 'recut'?"),
        ("mdav+", "no refiner ''"),
        ("md", "did you mean 'md-nn'?"),
        ("recut", "'recut' is a refiner: it follows a constructor, as in 'mdav+recut'"),
        ("", "no method ''"),
        (None, "a method is a name"),
    ],
)
def test_unknown_method_gets_the_nearest_name(X, name, words):
    with pytest.raises(MethodError) as caught:
        solve(X, 3, method=name)
    assert words in str(caught.value)


def test_stages_take_parameters(X):
    assert pipeline("v-mdav(gamma=0.5)").construct == VMdav(gamma=0.5)
    assert pipeline("kmeans( means = 7 )+recut").construct == KMeans(means=7)
    assert pipeline("mf-tsp(path=nearest, memory_limit=1e6)").construct == MfTsp("nearest", 1e6)
    assert pipeline("gsms-nn(memory_limit=1e+9)").construct.first == Gsms(1e9)
    assert solve(X, 3, method=" V-MDAV (gamma=0.2) + recut ").method == "v-mdav(gamma=0.2)+recut"


def test_published_names_may_have_capitals():
    assert pipeline("CBFS-NC").construct is CONSTRUCTORS["cbfs-nc"]
    assert pipeline("IMHM") == pipeline("imhm")


def test_systems_take_refiners_too(X):
    assert pipeline("imhm+recut").refiners == (REFINERS["imhm"], REFINERS["recut"])
    assert pipeline("imhm").limits == {"time_limit", "iterations"}
    assert solve(X[:, :1], 3, method="univariate+recut").status == "optimal"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("v-mdav(g=1)", "'v-mdav' has no parameter 'g': its parameters are gamma"),
        ("mdav(gamma=1)", "'mdav' has no parameter 'gamma': it has none"),
        ("mdav+recut(x=1)", "'recut' has no parameter 'x': it has none"),
        ("v-mdav(gamma=-1)", "gamma must be a positive number, found -1"),
        ("v-mdav(gamma=much)", "gamma must be a positive number, found 'much'"),
        (f"v-mdav(gamma=1{'0' * 400})", "gamma must be a positive number, found 1000"),
        ("kmeans(means=2.5)", "means must be a whole number, found 2.5"),
        ("kmeans(means=0)", "means must be at least 1, found 0"),
        ("v-mdav(gamma=1,gamma=2)", "has one parameter 'gamma', found two"),
        ("kmeans(means=41)", "means must be at most 40, as many different records as there are: found 41"),
        ("mf-tsp(path=shortest)", "path must be one of insertion, nearest, found 'shortest'"),
        ("imhm(x=1)", "'imhm' has no parameter 'x': it has none"),
        ("icsm(start=2)", "'icsm' has no parameter 'start': its parameters are max_iterations, starts, perturb"),
        ("univariate(x=1)", "'univariate' has no parameter 'x': it has none"),
        ("v-mdav()", "parameters are written as in 'v-mdav(gamma=0.5)', found 'v-mdav()'"),
        ("v-mdav(gamma)", "parameters are written as in"),
        ("v-mdav(gamma=1", "parameters are written as in"),
        ("v-mdav(gamma=1)x", "parameters are written as in"),
    ],
)
def test_wrong_parameter_says_what_is_right(X, name, words):
    with pytest.raises(InputError) as caught:
        solve(X, 3, method=name)
    assert words in str(caught.value)


@pytest.mark.parametrize("limit", [{"target_gap": 0.1}, {"iterations": 5}])
@pytest.mark.parametrize("method", ["mdav", "univariate"])
def test_limit_that_has_nothing_to_limit_is_refused(X, method, limit):
    with pytest.raises(MethodError, match=f"{next(iter(limit))} could limit"):
        solve(X[:, :1], 3, method=method, **limit)


@pytest.mark.parametrize("method", ["auto", "mdav", "column-generation"])
def test_a_bound_is_proved_where_it_is_asked_for(X, method):
    solution = solve(X, 3, method=method, bound=True)
    assert 0.0 < solution.lower_bound <= solution.sse
    assert solution.bound.kind == "column generation"
    assert solution.bound.converged
    assert solution.reproducible
    assert "gap" in solution.summary() or "optimal" in solution.summary()
    again = solve(X, 3, method=method, bound=True)
    assert (again.lower_bound, again.labels.tolist()) == (solution.lower_bound, solution.labels.tolist())


def test_iterations_do_not_limit_a_bound(X):
    solution = solve(X, 3, method="mdav+recut", iterations=0, bound=True)
    assert (solution.ended_by, solution.bound.ended_by) == ("iterations", None)


def test_a_gap_that_is_small_enough_ends_the_bound_and_not_the_search(X):
    solution = solve(X, 3, bound=True, target_gap=0.5)
    assert solution.ended_by is None
    assert solution.bound.ended_by == "target_gap"
    assert 0.0 < solution.gap <= 0.5
    with pytest.raises(MethodError, match="target_gap could limit: leave it out, or ask for a bound"):
        solve(X, 3, target_gap=0.5)


def test_refiners_get_half_of_the_time_where_a_bound_follows(X):
    asked = []

    def refine(partition, rng, run):
        asked.append(run.limits.time_limit)
        return partition

    def bound(problem, incumbent, run):
        asked.append(run.limits.time_limit)
        return LowerBound(0.0, "none"), incumbent

    bound.limits = frozenset({"time_limit"})
    for last in (bound, None):
        chosen = Pipeline("asking", CONSTRUCTORS["mdav"], (refine,), last)
        run_pipeline(chosen, Problem(X, 3), 0, Run(time_limit=8.0))
    assert asked == [4.0, 8.0, 8.0]


@pytest.mark.parametrize("method", ["auto", "exact", "mdav+search"])
def test_a_time_limit_does_not_lengthen_a_search_that_a_bound_follows(X, method):
    chosen = pipeline(method, bound=True)
    problem = Problem(X, 3)
    limited = chosen.for_problem(problem, Limits(time_limit=100.0))
    assert [stage.effort for stage in limited.refiners] == ["standard"]
    counted = chosen.for_problem(problem, Limits(iterations=7))
    assert [stage.effort for stage in counted.refiners] == [None]
    assert pipeline("search").for_problem(problem, Limits(time_limit=1.0)).refiners == (REFINERS["search"],)


def test_a_generous_time_limit_changes_nothing_where_a_bound_follows(X):
    free = solve(X, 3, bound=True)
    limited = solve(X, 3, bound=True, time_limit=1e6)
    np.testing.assert_array_equal(limited.labels, free.labels)
    assert (limited.lower_bound, limited.iterations) == (free.lower_bound, free.iterations)


def test_a_bound_that_time_cut_short_is_not_reproducible():
    X = np.random.default_rng(0).normal(size=(400, 4))
    solution = solve(X, 3, method="mdav", bound=True, time_limit=0.05)
    assert solution.bound.ended_by == "time_limit"
    assert not solution.reproducible
    assert "ended by time_limit" in solution.summary()


def test_nothing_follows_column_generation(X):
    with pytest.raises(MethodError, match="nothing can follow 'column-generation'"):
        solve(X, 3, method="column-generation+recut")
    with pytest.raises(InputError, match="pricing must be one of auto, branch-and-bound, relaxed, paper"):
        solve(X, 3, method="column-generation(pricing=cheap)")
    assert solve(X, 3, method="column-generation(pricing=heuristic)").bound.ended_by == "heuristic pricing"


def test_columns_can_be_chosen(X):
    frame = pd.DataFrame({"x": X[:, 0], "who": ["a"] * 40, "y": X[:, 1]})
    np.testing.assert_array_equal(solve(frame, 3, columns=["x", "y"]).labels, solve(X[:, :2], 3).labels)


def test_what_is_proved_is_rounded_down():
    assert floor_percent(4.64599) == "4.6459 %"


def test_iterations_limit_the_refiner(X):
    losses = [solve(X, 3, method="mdav+recut", iterations=rounds).sse for rounds in (0, 1, 50)]
    assert losses[0] == solve(X, 3, method="mdav").sse
    assert losses[0] > losses[1] >= losses[2]


def test_solution_tells_everything(X):
    solution = solve(X, 5, method="mdav", standardise=True, random_state=0, time_limit=None, iterations=None)
    assert solution.labels.shape == (40,)
    assert solution.sizes.min() >= 5
    assert solution.sst == pytest.approx(40 * 3)
    assert solution.information_loss == pytest.approx(100 * solution.sse / solution.sst)
    assert (solution.lower_bound, solution.gap, solution.status, solution.method) == (None, None, "heuristic", "mdav")


def test_same_line_for_arrays_frames_and_lists(X):
    expected = solve(X, 4).labels
    for other in (pd.DataFrame(X), X.tolist()):
        np.testing.assert_array_equal(solve(other, 4).labels, expected)


def test_only_numbers_are_grouped_by():
    frame = pd.DataFrame({"x": [1.0, 2.0, 5.0], "who": ["a", "b", "c"]})
    assert solve(frame, 1).encoding.names == ("x",)
    with pytest.raises(InputError, match="row 1 holds 'a'"):
        solve(frame, 1, columns=["x", "who"])


def test_solve_guesses_no_more_than_protect():
    frame = pd.DataFrame({"income": [10.5, 22.0, 31.5, 47.0, 52.5, 68.0], "person_id": [4, 9, 2, 7, 1, 8]})
    with pytest.raises(DoubtError, match="'person_id' looks like an identifier"):
        solve(frame, 3)
    assert solve(frame, 3, exclude=["person_id"]).encoding.names == ("income",)


def test_unknown_option_gets_the_nearest_name(X):
    with pytest.raises(InputError, match="solve has no option 'efort': did you mean 'effort'"):
        solve(X, 3, efort="quick")
    with pytest.raises(InputError, match="solve has no option 'shuffle'"):
        solve(X, 3, shuffle=True)


class _Halves:
    """A constructor of a user's own."""

    def __call__(self, problem, rng, run):
        run.tick("halves", 0.5)
        return Partition(problem, (np.arange(problem.n) >= problem.n // 2).astype(np.int64))


def _nothing_proved(problem, incumbent, run):
    """A bound of a user's own."""
    return LowerBound(0.0, "mine"), incumbent


class _OnlyFew(_Halves):
    name = "only-few"
    needs = "at most 10 records"

    def supports(self, problem):
        return problem.n <= 10


def test_a_stage_of_ones_own_works_wherever_a_name_does(X):
    assert solve(X, 3, method=_Halves()).n_groups == 2
    refined = solve(X, 3, method=[_Halves(), "igd"])
    assert refined.method == "_Halves+igd"
    assert refined.sse < solve(X, 3, method=_Halves()).sse
    assert solve(X, 3, method=["mdav", REFINERS["recut"]]).sse == solve(X, 3, method="mdav+recut").sse
    assert solve(X, 3, method=["mdav+recut", "igd"]).sse == solve(X, 3, method="mdav+recut+igd").sse
    assert solve(X, 3, method="mdav", bound=BOUNDS["neighbours"]).bound.kind == "neighbours"
    assert solve(X, 3, method="mdav", bound=_nothing_proved, target_gap=0.5).gap == 1.0


def test_a_stage_says_what_it_supports(X):
    with pytest.raises(MethodError, match="'only-few' needs at most 10 records: here are 40 records, 3 columns"):
        solve(X, 3, method=_OnlyFew())
    assert solve(X[:8], 3, method=_OnlyFew()).n_groups == 2
    with pytest.raises(MethodError, match="needs one column that varies: here are 40 records, 3 columns"):
        solve(X, 3, method="univariate")


@pytest.mark.parametrize("method", [_Halves, 5, [], ["mdav", 5], None])
def test_what_is_no_stage_is_refused(X, method):
    with pytest.raises(MethodError, match=r"a method (is a name|needs)"):
        solve(X, 3, method=method)


def test_a_stage_that_breaks_its_promise_is_refused(X):
    def elsewhere(problem, rng, run):
        return Partition(Problem(problem.X, problem.k), np.zeros(problem.n, dtype=np.int64))

    def worse(partition, rng, run):
        return Partition(partition.problem, np.zeros(partition.problem.n, dtype=np.int64))

    with pytest.raises(MethodError, match="'elsewhere' must give a Partition"):
        solve(X, 3, method=elsewhere)
    with pytest.raises(MethodError, match="made a partition worse"):
        solve(X, 3, method=["mdav", worse])


@pytest.fixture(name="column")
def _one_column():
    return np.random.default_rng(1).normal(size=(60, 1))


def test_auto_on_one_column_ignores_nothing(column):
    plain = solve(column, 3)
    assert (plain.method, plain.status, plain.iterations) == ("univariate", "optimal", 0)
    for options in (
        {"method": "auto(runs=2)"},
        {"method": "auto+igd"},
        {"effort": "quick"},
        {"iterations": 5},
    ):
        solution = solve(column, 3, **options)
        assert (solution.status, solution.sse) == ("optimal", plain.sse), options
    assert solve(column, 3, method="auto(runs=2)").method == "univariate+search(runs=2)"
    assert solve(column, 3, iterations=5).iterations == 5
    assert solve(column, 3, effort="quick").iterations > 5
    assert solve(column, 3, time_limit=60.0).method == "univariate"
    with pytest.raises(InputError, match="effort must be one of"):
        solve(column, 3, effort="hard")
    with pytest.raises(MethodError, match="no parameter 'x'"):
        solve(column, 3, method="auto(x=1)")


def test_scale_matters_only_where_it_is_asked_to(X):
    stretched = X * [1.0, 1000.0, 1e-3]
    np.testing.assert_array_equal(solve(stretched, 3).labels, solve(X, 3).labels)
    assert (solve(stretched, 3, standardise=False).labels != solve(X, 3).labels).any()


def test_constant_columns_carry_no_weight(X):
    with_constant = np.column_stack([X, np.full(40, 0.1)])
    np.testing.assert_array_equal(solve(with_constant, 3).labels, solve(X, 3).labels)
    assert solve(with_constant, 3).information_loss == pytest.approx(solve(X, 3).information_loss)


def test_column_with_a_huge_mean_loses_nothing():
    steps = np.random.default_rng(1).permutation(np.arange(300.0))
    near, far = solve(steps, 4, method="univariate"), solve(steps + 1e9, 4, method="univariate")
    np.testing.assert_array_equal(near.labels, far.labels)
    assert far.information_loss == pytest.approx(near.information_loss, rel=1e-12)


def test_tiny_and_large_numbers_are_standardised_alike(X):
    for factor in (1e-140, 1e140):
        np.testing.assert_array_equal(solve(X * factor, 3).labels, solve(X, 3).labels)


@pytest.mark.parametrize("random_state", [-1, 1.5, "a", True])
def test_random_state_is_checked(X, random_state):
    with pytest.raises(InputError, match="random_state"):
        solve(X, 3, random_state=random_state)


def test_random_state_may_be_fresh(X):
    np.testing.assert_array_equal(solve(X, 3, random_state=None).labels, solve(X, 3).labels)


def test_each_stage_has_randomness_of_its_own_from_the_random_state(X):
    drawn = []

    def construct(problem, rng, run):
        drawn.append(rng.random())
        return CONSTRUCTORS["mdav"](problem, rng, run)

    def refine(partition, rng, run):
        drawn.append(rng.random())
        return partition

    problem = Problem(X, 3)
    for random_state in (0, 0, 1, None, None):
        run_pipeline(Pipeline("drawing", construct, (refine,)), problem, random_state, Run())
    first, again, other, fresh, fresher = (tuple(drawn[i : i + 2]) for i in range(0, 10, 2))
    assert first == again
    assert len({*first, *other, *fresh, *fresher}) == 8


def test_time_limit_is_heard_within_a_round(X):
    asked = []

    class Impatient(Run):
        def ends(self, iteration, sse, lower_bound=0.0):
            asked.append(iteration)
            self.log.ended_by = "time_limit"
            return len(asked) > 2

    start = Partition(Problem(X, 3), np.minimum(np.arange(40) // 3, 12))
    assert REFINERS["recut"](start, np.random.default_rng(0), Impatient()) is start
    assert asked == [0, 0, 0]


def test_progress_is_told_in_order():
    news = []
    X = np.random.default_rng(0).normal(size=(3000, 8))
    solve(X, 3, method="mdav+recut", iterations=1, progress=lambda *said: news.append(said))
    shares = [said[1] for said in news if said[0] == "mdav"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert any(said[0] == "recut" and "loss" in said[2] for said in news)


def test_methods_lists_name_summary_and_reference():
    listed = {method.name: method for method in microagg.methods()}
    assert list(listed) == [
        *CONSTRUCTORS,
        "auto",
        "search",
        "imhm",
        "icsm",
        "reporder",
        "column-generation",
        "exact",
        *(f"+{name}" for name in REFINERS),
    ]
    assert "Domingo-Ferrer" in listed["mdav"].reference
    assert listed["cbfs-nc"].summary == (
        "Start each group at the record farthest from the centroid of those left. "
        "Grow it by the record nearest to its centroid, again and again (NC)."
    )
    assert listed["reporder"].parameters == ("starts",)
    assert listed["icsm"].parameters == listed["+icsm"].parameters == ("max_iterations", "starts", "perturb")
    assert listed["column-generation"].parameters == ("pricing", "rounding")
    assert listed["univariate"].summary.startswith("Sort the one column")
