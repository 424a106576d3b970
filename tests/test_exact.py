"""Proved optima: cuts, lists, branches, and the whole of it against trying everything."""

import itertools
import json
from contextlib import suppress
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import zscore

import naive
from microagg import InputError, MethodError, Partition, Problem, Run, cli, solve
from microagg.certify import certify, lists
from microagg.control.workers import Workers
from microagg.exact.branch_and_price import Ground, Tree
from microagg.exact.branch_node import Node
from microagg.exact.column_pool import Pool
from microagg.exact.diving import dive
from microagg.exact.exact_bound import Exact
from microagg.exact.separation import separate
from microagg.kernels.pricing.branch_and_bound import EXACT, NO_END
from microagg.lp import Master, relax, settle
from microagg.lp.column_generator import Generation
from microagg.lp.group_columns import Columns, Rows
from microagg.lp.group_pricing import BranchAndBound, Split, TooDearError, mates_of, units_of
from microagg.methods import pipeline
from microagg.refine.proving import Proving
from microagg.report.certificate import as_certificate
from runs import CancelledAt

NAMES = ("a", "b")


def _random(random_state, n, k, d=2, ties=False):
    rng = np.random.default_rng(random_state)
    X = rng.integers(0, 4, size=(n, d)).astype(np.float64) if ties else rng.normal(size=(n, d))
    return Problem(X - X.mean(axis=0), k)


def _one_group(problem):
    return Partition(problem, np.zeros(problem.n, dtype=np.int64))


def _rows(rng, n, count):
    """Draw cuts of up to six records."""
    rows = Rows.none(n)
    for _ in range(count):
        size, q = int(rng.integers(2, min(6, n) + 1)), int(rng.integers(2, 6))
        records, weights = rng.choice(n, size=size, replace=False), rng.integers(1, q, size=size)
        rows = rows.and_also(Rows(n, np.array([0, size]), records, weights, np.array([q])))
    return rows


def _price(problem, run=None):
    nobody = np.empty(0, dtype=np.int64)
    return BranchAndBound(problem, 1.0, Split(nobody, nobody, np.empty(0)), (run or Run()).workers)


def _reduced_cost(problem, group, duals, rows):
    n = problem.n
    lost = naive.sse(problem.X[list(group)], np.zeros(len(group)))
    return lost - duals[list(group)].sum() - np.dot(naive.counted(rows, group), duals[n:])


def _every_group(n, k, pairs=()):
    return [
        group
        for size in range(k, min(2 * k - 1, n) + 1)
        for group in combinations(range(n), size)
        if all(len({one, other} & {*group}) != (1 if together else 2) for one, other, together in pairs)
    ]


def _case(data, max_n=13):
    """A problem, duals of its records and of cuts, and pairs that are together or apart."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n, k = data.draw(st.integers(5, max_n)), data.draw(st.integers(2, 3))
    problem = _random(rng, n, k, ties=data.draw(st.booleans()))
    rows = _rows(rng, n, data.draw(st.integers(0, 8)))
    of_cuts = -rng.uniform(0.0, data.draw(st.sampled_from([0.1, 2.0])), size=rows.n_rows)
    pairs = [
        (*rng.choice(n, size=2, replace=False).tolist(), together)
        for together in (True, False)
        for _ in range(data.draw(st.integers(0, 3)))
    ]
    of_records = data.draw(st.sampled_from([0.3, 1.5])) * rng.normal(loc=0.5, size=n)
    return problem, np.concatenate([of_records, of_cuts]), rows, pairs


@settings(max_examples=80)
@given(st.data())
def test_pricing_under_cuts_finds_what_trying_every_group_finds(data):
    problem, duals, rows, pairs = _case(data)
    n, k = problem.n, problem.k
    groups = _every_group(n, k, pairs)
    costs = np.array([_reduced_cost(problem, group, duals, rows) for group in groups])
    place = np.argsort(np.argsort(-duals[:n], kind="stable"))
    roots = np.array([place[list(group)].min() for group in groups], dtype=np.int64)
    least = np.sort([min(0.0, costs[roots == root].min(initial=0.0)) for root in range(n)])[: n // k]
    base = duals[:n].sum() + np.dot(duals[n:], rows.sides)
    price = _price(problem)
    price.obey([(0, 1, True), (1, 2, False)])
    price.obey(pairs)
    priced = price(duals, rows, EXACT, NO_END, lambda: None)
    ceiling = data.draw(st.sampled_from([0.0, 0.2, 1.0]))
    listed = price.list_below(ceiling, duals, rows, NO_END, 10**6, lambda: None)
    assert priced.bound == pytest.approx(base + least.sum(), abs=1e-8)
    assert priced.columns.reduced_costs(duals, rows).min(initial=0.0) == pytest.approx(least.min(initial=0.0), abs=1e-9)
    below = {frozenset(group) for group, cost in zip(groups, costs, strict=True) if cost < ceiling}
    near = {frozenset(group) for group, cost in zip(groups, costs, strict=True) if abs(cost - ceiling) < 1e-9}
    assert set(listed.sets()) ^ below <= near
    assert len(listed.sses) == len(set(listed.sets()))


@settings(max_examples=40)
@given(st.data())
def test_a_pool_proves_what_pricing_proves(data):
    problem, duals, rows, _ = _case(data, max_n=10)
    price = _price(problem)
    columns = price.list_below(np.inf, duals, rows, NO_END, 10**6, lambda: None)
    priced = price(duals, rows, EXACT, NO_END, lambda: None)
    pool = Pool(problem, columns)
    assert pool.size == len(_every_group(problem.n, problem.k))
    assert pool(duals, rows).bound == pytest.approx(priced.bound, abs=1e-8)
    below = pool.below(0.1, duals, rows)
    assert below.size == np.count_nonzero(columns.reduced_costs(duals, rows) < 0.1)
    assert {frozenset(group) for group in pool.obeying(0, 1, True).columns.sets()} == {
        group for group in columns.sets() if len(group & {0, 1}) != 1
    }
    assert {frozenset(group) for group in pool.obeying(0, 1, False).columns.sets()} == {
        group for group in columns.sets() if not {0, 1} <= group
    }


def test_records_that_are_together_are_units():
    pairs = [(0, 1, True), (3, 4, True), (5, 1, True), (2, 6, False)]
    units = units_of(8, pairs)
    assert [unit.tolist() for unit in units] == [[0, 1, 5], [3, 4]]
    mates = [{mate for mate in row if mate >= 0} for row in mates_of(8, units).tolist()]
    assert mates == [{1, 5}, {0, 5}, set(), {4}, {3}, {0, 1}, set(), set()]
    assert units_of(8, pairs[3:]) == []


@settings(max_examples=30)
@given(st.data())
def test_columns_fit_to_groups_or_share_no_record_with_them(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n, groups = 9, [tuple(map(int, rng.permutation(9)[: rng.integers(2, 5)])) for _ in range(30)]
    labels = np.full(n, -1)
    taken = []
    for group in groups[: data.draw(st.integers(0, 6))]:
        if (labels[list(group)] < 0).all():
            labels[list(group)] = len(taken)
            taken.append({*group})
    starts = np.cumsum([0, *map(len, groups)])
    columns = Columns(n, starts, np.concatenate([np.array(group) for group in groups]), np.ones(len(groups)))
    expected = [i for i, group in enumerate(groups) if {*group} in taken or not any(one & {*group} for one in taken)]
    assert columns.fitting(labels).tolist() == expected
    assert columns.only(np.empty(0, dtype=np.int64)).fitting(labels).tolist() == []


def _dived(problem, columns, sure):
    nothing = Rows.none(problem.n)
    told = (lambda: 0.0, lambda *_: None, lambda *_: None, lambda: None)
    run = Run(workers=2)
    ground = Ground(_price(problem, run), np.random.default_rng(0), run, *told, NO_END)
    duals = np.full(problem.n, columns.sses.max())
    return dive(ground, Node(0, None, (), columns, nothing, duals, 0.0), Pool(problem, columns), sure)


@pytest.mark.parametrize("sure", [0.5, 0.9])
@pytest.mark.parametrize("random_state", range(4))
def test_a_dive_ends_with_groups_of_the_list(sure, random_state):
    problem, columns, _ = _fractional(random_state, 12, 3)
    rng = np.random.default_rng(random_state)
    some = rng.choice(len(columns.sses), size=60, replace=False)
    best = settle(columns, Rows.none(12), 1000).chosen
    listed = columns.only(np.union1d(some, best))
    found = _dived(problem, listed, sure)
    assert {*Columns.of(found).sets()} <= {*listed.sets()}
    assert found.sse <= 1.1 * naive.least_sse(problem.X, 3)
    only = Columns.of(found)
    np.testing.assert_array_equal(_dived(problem, only, sure).labels, found.labels)
    fewer = only.only(np.arange(found.n_groups - 1))  # what no group of the list fits, is rounded
    np.testing.assert_array_equal(_dived(problem, fewer, sure).labels, found.labels)


def test_duals_that_are_too_dear_are_drawn_to_those_that_proved_most():
    problem, columns, vertex = _fractional(3, 9, 2)
    pool, centre = Pool(problem, columns), vertex.duals * 1.5
    start = columns.only(np.flatnonzero(vertex.parts))
    far: list[float] = []

    def dear(duals, rows, reach):
        far.append(float(np.abs(duals - centre).max()))
        if far[-1] > reach:
            raise TooDearError
        return pool(duals, rows)

    def generation():
        one = Generation(Master(start), Run(), lambda: None, lambda *_: None)
        one.start(centre, pool(centre, Rows.none(9)).bound, "")
        return one

    free = generation()
    assert free.choose(pool, "", 0.0) is None
    near = free.within(centre + np.arange(9) * 10, 0.5)
    assert (np.abs(near - free.centre) <= 0.5 * (np.abs(free.centre) + np.abs(free.centre).mean()) + 1e-12).all()
    reached = generation()
    assert reached.choose(pool, "", 0.0, reach=0.01) is None
    assert reached.proved == pytest.approx(free.proved, rel=1e-9)
    widest = np.abs(vertex.duals - centre).max()
    drawn = generation()
    with pytest.raises(TooDearError):
        drawn.choose(lambda duals, rows: dear(duals, rows, 0.002 * widest), "", 0.0)
    assert np.all(np.diff(far) < 0)
    assert len(far) > 3


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.1, 1.0, np.inf]), st.floats(0.01, 2.0))
def test_choosing_comes_to_an_end_whatever_is_dear(random_state, reach, threshold):
    """Near the duals that are begun with pricing works, elsewhere it does not: it converges, or says so."""
    rng = np.random.default_rng(random_state)
    problem, columns, vertex = _fractional(random_state % 7, 9, 2)
    pool, centre = Pool(problem, columns), vertex.duals * rng.uniform(0.3, 1.7, size=9)
    start = columns.only(np.union1d(np.flatnonzero(vertex.parts), rng.choice(len(columns.sses), size=9)))
    generation = Generation(Master(start), Run(), lambda: None, lambda *_: None)
    generation.start(centre, pool(centre, Rows.none(9)).bound, "")
    calls = itertools.count()

    def dear(duals, rows):
        assert next(calls) < 400
        if np.abs(duals - centre).max() > threshold * np.abs(vertex.duals - centre).max():
            raise TooDearError
        return pool(duals, rows)

    with suppress(TooDearError):
        assert generation.choose(dear, "", 0.2, reach=reach) is None
        assert generation.proved == pytest.approx(vertex.sse, rel=1e-7, abs=1e-9)
    assert generation.proved <= vertex.sse * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("n", [200, None])
def test_all_groups_of_three_are_listed(n, matrix):
    """Census, or so many random records: every triple is tried."""
    X = np.random.default_rng(0).normal(size=(n, 3)) if n else zscore(matrix("census"))
    problem, n = Problem(X, 3), len(X)
    squares = np.square(X[:, None] - X).sum(axis=2)
    duals = np.sort(squares, axis=1)[:, 1:6].sum(axis=1) / 12
    rows = _rows(np.random.default_rng(1), n, 50)
    duals = np.concatenate([duals, np.full(50, -0.1)])
    expected = 0
    for first in range(n):
        one, other = np.triu_indices(n - first - 1, 1)
        one, other = one + first + 1, other + first + 1
        plain = (squares[first, one] + squares[first, other] + squares[one, other]) / 3
        plain -= duals[first] + duals[one] + duals[other]
        for i in np.flatnonzero(plain < 0.0):  # cuts only add
            group = (first, one[i], other[i])
            expected += plain[i] - np.dot(naive.counted(rows, group), duals[n:]) < 0.0
    price = _price(problem)
    price.sizes = range(3, 4)
    listed = price.list_below(0.0, duals, rows, NO_END, 10**7, lambda: None)
    assert expected > n
    assert len(listed.sses) == expected


def test_too_many_groups_are_not_listed():
    problem = _random(0, 60, 3)
    with pytest.raises(TooDearError):
        _price(problem).list_below(0.0, np.full(60, 5.0), Rows.none(60), NO_END, 1000, lambda: None)


def _fractional(random_state, n, k):
    """The linear programme over all groups, where it chooses parts of them."""
    problem = _random(random_state, n, k, ties=True)
    groups = _every_group(n, k)
    sses = np.array([naive.sse(problem.X[list(group)], np.zeros(len(group))) for group in groups])
    starts = np.concatenate([[0], np.cumsum([len(group) for group in groups])])
    columns = Columns(n, starts, np.concatenate([np.array(group) for group in groups]), sses)
    return problem, columns, relax(columns)


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.integers(7, 10), st.integers(2, 3))
def test_cuts_are_broken_by_the_parts_chosen_and_by_no_partition(random_state, n, k):
    problem, columns, vertex = _fractional(random_state, n, k)
    rows = separate(columns, vertex.parts, 20, np.random.default_rng(0), Workers(2), lambda: None)
    if ((vertex.parts > 1e-6) & (vertex.parts < 1 - 1e-6)).sum() == 0:
        assert rows.n_rows == 0
    counts = rows.coefficients(columns).toarray()
    for count, group in zip(counts, columns.sets(), strict=True):
        assert count.tolist() == naive.counted(rows, group)
    assert (vertex.parts @ counts > rows.sides).all()
    assert (rows.weights >= 1).all()
    for partition in naive.partitions(list(range(n)), k):
        counted = np.sum([naive.counted(rows, {*group}) for group in partition], axis=0)
        assert (counted <= rows.sides).all()
    master = Master(columns, rows)
    assert vertex.sse - 1e-9 <= master.solve().sse <= naive.best_sse(problem.X, k) + 1e-7


def test_a_master_lets_go_of_rows_and_leaves_records_out_for_a_fine():
    _, columns, vertex = _fractional(3, 9, 2)
    rows = separate(columns, vertex.parts, 20, np.random.default_rng(0), Workers(2), lambda: None)
    assert rows.n_rows > 1
    master = Master(columns)
    before = master.solve().sse
    master.cut(rows)
    after = master.solve()
    assert after.sse > before + 1e-9
    assert len(after.duals) == 9 + rows.n_rows
    master.loosen(np.flatnonzero(after.duals[9:]))
    assert master.solve().sse == pytest.approx(after.sse, abs=1e-7)
    master.loosen(np.empty(0, dtype=np.int64))
    assert master.solve().sse == pytest.approx(before, abs=1e-7)
    together = Master(columns.only(np.flatnonzero(columns.obeys(0, 1, True))), fine=100.0)
    free = together.solve()
    assert free.uncovered == pytest.approx(0.0, abs=1e-7)
    assert free.sse == pytest.approx(relax(together.columns).sse, abs=1e-7)
    assert together.without(np.flatnonzero(~together.columns.obeys(0, 2, False))) >= free.sse - 1e-9
    assert together.solve().sse == pytest.approx(free.sse, abs=1e-7)
    alone = Master(columns.only(np.array([0])), fine=3.0).solve()
    assert alone.uncovered == pytest.approx(7.0)
    assert alone.sse == pytest.approx(21.0 + columns.sses[0])


def test_whole_columns_are_chosen_and_bounded():
    problem, columns, _ = _fractional(5, 9, 2)
    settled = settle(columns, Rows.none(9), 1000)
    assert Partition(problem, columns.labels(settled.chosen)).sse == pytest.approx(naive.best_sse(problem.X, 2))
    assert settled.least == pytest.approx(naive.best_sse(problem.X, 2), abs=1e-5)
    assert settle(columns.only(np.array([0, 1])), Rows.none(9), 1000) == (None, np.inf)


WAYS = {
    "as it comes": {},
    "branches over lists": {
        "tree._FEW": (0, 0),
        "tree._SOME": (0, 0),
        "exact._GUESS": 0,
        "exact._COVERED": 0.0,
        "tree._CUTS": 0,
    },
    "branches alone": {"exact._STAGES": (), "tree._LISTED": 0, "exact._GUESS": 0, "tree._CUTS": 0},
}


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=12)
@given(st.integers(0, 2**32 - 1), st.integers(6, 13), st.integers(2, 4), st.booleans())
def test_the_optimum_is_found_proved_and_certified(way, random_state, n, k, ties):
    problem = _random(random_state, n, k, ties=ties)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in WAYS[way].items():
            patch.setattr(f"microagg.bound.{name}", value)
        if "tree._CUTS" in WAYS[way]:
            patch.setattr("microagg.exact.branch_and_price._RECORDS", n + 1)
        bound, partition = Exact()(problem, _one_group(problem), Run())
    optimum = naive.least_sse(problem.X, k)
    assert partition.sse == pytest.approx(optimum, rel=1e-7, abs=1e-12)
    assert bound.sse == pytest.approx(optimum, rel=1e-7, abs=1e-12)
    assert bound.sse <= optimum * (1 + 1e-14)
    assert bound.converged
    if optimum:
        assert _certified(problem, bound, partition).optimal


def _certified(problem, bound, partition):
    names = [f"x{column}" for column in range(problem.d)]
    facts = {
        "format": "microagg certificate 2",
        "k": problem.k,
        "n_records": problem.n,
        "columns": names,
        "standardise": False,
        "labels": partition.labels.tolist(),
        "sse": partition.sse,
        "lower_bound": bound.sse,
        "nodes": list(bound.proof()),
    }
    return certify(json.loads(json.dumps(facts)), pl.DataFrame(problem.X, schema=names))


@pytest.mark.parametrize("count", [1, 40, 120])
def test_what_was_proved_when_it_was_cancelled_holds_and_can_be_checked(count, monkeypatch):
    monkeypatch.setattr("microagg.exact.exact_bound._STAGES", ())
    monkeypatch.setattr("microagg.exact.branch_and_price._LISTED", 0)
    problem = _random(4, 60, 3, ties=True)
    bound, partition = Exact()(problem, _one_group(problem), CancelledAt(count))
    assert bound.ended_by == "cancelled"
    best, _ = Exact()(problem, partition, Run())
    assert bound.sse <= best.sse * (1 + 1e-12)
    if bound.proof is not None:
        assert _certified(problem, bound, partition).passed


def test_a_stop_while_a_pair_is_chosen_leaves_a_proof_that_can_be_checked(monkeypatch):
    for name in ("tree._FEW", "tree._SOME"):
        monkeypatch.setattr(f"microagg.bound.{name}", (0, 0))
    for module in ("exact", "tree"):
        monkeypatch.setattr(f"microagg.bound.{module}.PATIENCE", 0)
    problem, run, pair = _random(2, 80, 3, d=3), Run(), Tree.pair
    calls = []

    def stopped(self, node, generation):
        calls.append(generation)
        if len(calls) == 3:
            run.cancel()
            self.ground.hear()
        return pair(self, node, generation)

    monkeypatch.setattr(Tree, "pair", stopped)
    bound, partition = Exact()(problem, _one_group(problem), run)
    assert (len(calls), bound.ended_by) == (3, "cancelled")
    assert _certified(problem, bound, partition).passed


def test_a_gap_that_is_small_enough_ends_the_proof():
    problem = _random(0, 60, 3)
    bound, partition = Exact()(problem, _one_group(problem), Run(target_gap=0.2))
    assert bound.ended_by == "target_gap"
    assert 0.8 * partition.sse <= bound.sse < partition.sse * (1 - 1e-6)


def test_so_many_branches_are_enough(monkeypatch):
    for name in ("tree._FEW", "tree._SOME"):
        monkeypatch.setattr(f"microagg.bound.{name}", (0, 0))
    for module in ("exact", "tree"):
        monkeypatch.setattr(f"microagg.bound.{module}.PATIENCE", 0)
    problem = _random(2, 80, 3, d=3)
    bound, partition = Exact(branches=1)(problem, _one_group(problem), Run())
    assert bound.ended_by == "effort"
    assert _certified(problem, bound, partition).passed


def test_partitions_made_of_parts_are_refined_and_searched_on_from():
    problem, seen = _random(1, 50, 3), []

    def refine(partition, rng, run):
        seen.append((partition, run.limits.given))
        return partition

    run = Run(time_limit=1e9)
    _, partition = Exact(refine=refine, search=refine)(problem, _one_group(problem), run)
    assert {limits for _, limits in seen} == {(), ("time_limit",)}, "only the search is limited"
    assert partition.sse <= min(one.sse for one, _ in seen)
    assert run.log.iterations == 0


def test_the_method_proves_and_certifies():
    X = np.random.default_rng(0).normal(size=(70, 2))
    solution = solve(pl.DataFrame(X, schema=list(NAMES)), 4, method="exact", effort="quick")
    assert solution.status == "optimal"
    assert solution.gap <= 1e-7
    assert solution.reproducible
    text = as_certificate(solution)
    verdict = certify(json.loads(text), pl.DataFrame(X, schema=list(NAMES)))
    assert verdict.optimal
    lower = json.loads(text) | {"lower_bound": 1.001 * solution.sse}
    assert not certify(lower, pl.DataFrame(X, schema=list(NAMES))).passed
    again = solve(pl.DataFrame(X, schema=list(NAMES)), 4, method="exact", effort="quick")
    np.testing.assert_array_equal(solution.labels, again.labels)
    assert again.bound == solution.bound


def test_equal_records_are_no_burden_to_the_check(monkeypatch):
    """Any three of forty equal records are a group that costs nothing: nobody wants all of these listed."""
    monkeypatch.setattr(lists, "MOST", 2_000)
    rng = np.random.default_rng(1)
    X = np.concatenate([np.repeat(rng.normal(size=(3, 2)), 40, axis=0), rng.normal(size=(20, 2))])
    frame = pl.DataFrame(X, schema=list(NAMES))
    solution = solve(frame, 3, method="exact", effort="quick")
    assert solution.status == "optimal"
    assert certify(json.loads(as_certificate(solution)), frame).optimal


@pytest.mark.parametrize(("X", "k"), [(np.ones((6, 2)), 2), (np.arange(12.0).reshape(6, 2), 1), (np.eye(4), 3)])
def test_trivial_problems_are_certified_too(X, k):
    frame = pl.DataFrame(X)
    solution = solve(frame, k, columns=frame.columns, method="exact")
    assert solution.status == "optimal"
    assert certify(json.loads(as_certificate(solution)), frame).optimal


def test_only_an_exact_proof_makes_a_certificate():
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.raises(InputError, match="no certificate, as no bound was asked for"):
        as_certificate(solve(X, 3, method="mdav"))
    with pytest.raises(InputError, match="no certificate, as the bound was proved by column generation"):
        as_certificate(solve(X, 3, method="mdav", bound=True))
    with pytest.raises(MethodError, match="nothing can follow 'exact'"):
        pipeline("exact+recut")


def test_a_thorough_search_tries_to_prove():
    stages = pipeline("search", effort="thorough").refiners
    assert isinstance(stages[-1], Proving)
    assert not any(isinstance(stage, Proving) for stage in pipeline("search", effort="standard").refiners)
    assert not any(isinstance(stage, Proving) for stage in pipeline("exact", effort="thorough").refiners)
    problem = _random(0, 60, 3)
    start = solve(problem.X, 3, method="mdav", standardise=False).partition
    better = stages[-1](start, np.random.default_rng(0), Run())
    best, _ = Exact()(problem, start, Run())
    assert better.sse <= best.sse * (1 + 1e-7)
    large = _one_group(_random(0, 30, 6))
    assert stages[-1](large, np.random.default_rng(0), Run()) is large


def test_the_command_line_writes_a_certificate_and_checks_it(companies, tmp_path, capsys):
    proof, out = tmp_path / "proof.json", tmp_path / "safe.csv"
    for command in (["bound", str(companies)], ["protect", str(companies), "-o", str(out)]):
        arguments = [*command, "-k", "3", "--columns", "surface,employees", "--certificate", str(proof)]
        with pytest.raises(SystemExit) as end:
            cli.main(arguments)
        assert end.value.code == 2
        assert "writes no certificate: add --method exact" in capsys.readouterr().err
        with pytest.raises(SystemExit) as end:
            cli.main([*arguments, "--method", "exact"])
        assert end.value.code == 0
        assert "proved optimal" in capsys.readouterr().out
        with pytest.raises(SystemExit) as end:
            cli.main(["certify", str(proof), str(companies)])
        assert end.value.code == 0
        assert capsys.readouterr().out.startswith("CERTIFIED")
        proof.unlink()
    with pytest.raises(SystemExit) as end:
        cli.main(["bound", str(companies), "-k", "3", "--method", "exact", "--certificate", str(companies), "--force"])
    assert end.value.code == 2
    assert "is the file" in capsys.readouterr().err
