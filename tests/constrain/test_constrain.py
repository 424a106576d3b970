"""Groups that satisfy rules: legal, never worse than merging alone, or refused."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_rules
from microagg import InputError, Limits, Partition, Problem, Run
from microagg.constrain import constrain
from microagg.constrain.legal_starts import merged_in_order
from microagg.constrain.rule_encoding import cell_weights
from microagg.model.arrays import FloatArray
from microagg.model.group_rule import GroupRule
from microagg.model.group_rules import (
    Closeness,
    DistinctUnits,
    DistinctValues,
    Dominance,
    EntropyDiversity,
    GroupRules,
    PPercent,
    PresentCells,
)
from patience import PATIENCE
from rule_strategies import rules_about
from runs import CancelledAt, cancelled
from watched_kernels import WatchedKernels

N = 60
RNG = np.random.default_rng(11)
X = RNG.normal(size=(N, 3))
START = Partition(Problem(X, 3), np.arange(N) // 3)
RULES: list[GroupRule] = [
    DistinctUnits(np.arange(N) // 5, 3),
    DistinctValues("illness", RNG.geometric(0.6, N), 2),
    EntropyDiversity("illness", RNG.integers(0, 4, N), 2.5),
    Closeness.to_all("income", RNG.permutation(N), 0.1, ordered=True),
    Closeness.to_all("branch", RNG.integers(0, 3, N), 0.2, ordered=False),
    Dominance("turnover", RNG.lognormal(0, 2, N), 1, 0.6),
    PPercent("turnover", RNG.lognormal(0, 2, N), 20),
    PresentCells(RNG.random((N, 3)) < 0.5, 3),
]
each = pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{type(rule).__name__}")


@st.composite
def ruled(draw: st.DrawFn, max_n: int) -> tuple[Partition, GroupRules]:
    """Draw a partition, some with weights or missing cells, and rules."""
    n = draw(st.integers(2, max_n))
    k = draw(st.integers(1, 2))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    points = rng.normal(size=(n, 2)) if draw(st.booleans()) else rng.integers(0, 3, (n, 2)).astype(np.float64)
    weights = rng.uniform(0.5, 2, n) if draw(st.booleans()) else None
    missing = rng.random((n, 2)) < 0.3 if draw(st.booleans()) else None
    partition = Partition(Problem(points, k, weights=weights, missing=missing), np.arange(n) // k % max(1, n // k))
    return partition, GroupRules(tuple(draw(st.lists(rules_about(n), max_size=2))))


def _is_possible(rules: GroupRules, n: int) -> bool:
    return all(naive_rules.satisfies(rule, range(n)) for rule in rules.rules)


@given(ruled(max_n=14))
def test_groups_are_legal_or_refused(case: tuple[Partition, GroupRules]) -> None:
    partition, rules = case
    n, k = partition.problem.n, partition.problem.k
    labels = partition.labels.copy()
    if not _is_possible(rules, n):
        with pytest.raises(InputError, match="no groups can have"):
            constrain(partition, rules, Run())
        return
    found, costs = constrain(partition, rules, Run())
    assert found.problem is partition.problem
    assert all(naive_rules.is_legal(group, k, rules.rules) for group in naive_rules.groups_of(found.labels.tolist()))
    assert [cost.sentence for cost in costs] == [rule.sentence for rule in rules.rules]
    assert partition.labels.tolist() == labels.tolist()
    again, _ = constrain(partition, rules, Run())
    assert again.labels.tolist() == found.labels.tolist()


@settings(max_examples=30)
@given(ruled(max_n=7))
def test_the_loss_is_between_the_optimum_and_that_of_merging_alone(case: tuple[Partition, GroupRules]) -> None:
    partition, rules = case
    problem = partition.problem
    rules = rules.first(1)
    if not rules or not _is_possible(rules, problem.n) or not rules.violated(partition.labels).any():
        return
    found, _ = constrain(partition, rules, Run())
    cells = cell_weights(problem)
    rounding = 1e-9 * (1 + problem.sst)
    assert found.sse == pytest.approx(_sse(cells, problem, naive_rules.groups_of(found.labels.tolist())), abs=rounding)
    legal = [
        _sse(cells, problem, groups)
        for groups in naive_rules.partitions(problem.n)
        if all(naive_rules.is_legal(group, problem.k, rules.rules) for group in groups)
    ]
    assert found.sse >= min(legal) - rounding
    start = naive_rules.groups_of(partition.labels.tolist())
    merged = naive_rules.merge_illegal(cells, problem.X, start, problem.k, rules.rules)
    if problem.missing is None and len(np.unique(problem.X)) > 3:  # else there are ties
        assert found.sse <= _sse(cells, problem, merged) + rounding


def _sse(cells: FloatArray, problem: Problem, groups: Sequence[Sequence[int]]) -> float:
    return sum(naive_rules.sse(cells, problem.X, group) for group in groups)


@each
def test_every_rule_is_enforced(rule: GroupRule) -> None:
    found, (cost,) = constrain(START, GroupRules((rule,)), Run())
    assert cost.n_violating == rule.violated(START.labels).sum() > 0
    assert cost.loss_before == START.information_loss
    assert cost.loss_after == found.information_loss
    assert not rule.violated(found.labels).any()


def test_rules_are_enforced_in_their_order_and_all_are_kept() -> None:
    rules = GroupRules((RULES[0], RULES[1], RULES[3], RULES[5]))
    found, costs = constrain(START, rules, Run())
    assert not rules.violated(found.labels).any()
    assert costs[0].loss_before == START.information_loss
    for before, after in pairwise(costs):
        assert before.loss_after == after.loss_before
    assert costs[-1].loss_after == found.information_loss


def test_groups_that_satisfy_the_rules_stay_as_they_are() -> None:
    rules = GroupRules((DistinctUnits(np.arange(N), 3),))
    found, (cost,) = constrain(START, rules, Run())
    assert found is START
    assert (cost.n_violating, cost.loss_before) == (0, cost.loss_after)
    assert constrain(START, GroupRules(), Run()) == (START, ())


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (DistinctUnits(np.zeros(N, dtype=np.int64), 2), "at least 2 different units .* together reach 1; choose a"),
        (DistinctValues("illness", np.arange(N) % 2, 3), "'illness' .*: all 60 records together reach 2; choose a sm"),
        (EntropyDiversity("illness", np.arange(N) % 2, 2.1), "as diverse as 2.1 .* reach 2; choose a smaller l"),
        (Dominance("turnover", np.eye(N)[0], 1, 0.9), "at most 90 % of the total .* reach 1; choose a larger share"),
        (PPercent("turnover", np.eye(N)[0], 5), "at least 5 % .* reach 0; choose a smaller p"),
        (PresentCells(np.arange(N)[:, None] > 1, 3), "at least 3 values .* reach 2; leave out the columns"),
        (
            Closeness("income", np.zeros(N, dtype=np.int64), 0.4, np.array([1, 1]), ordered=True),
            "within 0.4 of those of all records .* reach 0.5; choose a larger t",
        ),
    ],
)
def test_what_no_groups_can_satisfy_is_refused(rule: GroupRule, message: str) -> None:
    with pytest.raises(InputError, match=message):
        constrain(START, GroupRules((RULES[0], rule)), Run())


def test_rules_about_other_records_are_refused() -> None:
    with pytest.raises(InputError, match="rules about 3 records cannot be applied to 60 records"):
        constrain(START, GroupRules((DistinctUnits(np.arange(3), 2),)), Run())


def test_many_records_of_one_unit_make_no_huge_group() -> None:
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(20, 2))
    units = np.repeat(np.arange(20), 12)
    points = centres[units] + 0.01 * rng.normal(size=(240, 2))
    order = np.argsort(units, kind="stable")
    start = Partition.along(Problem(points - points.mean(axis=0), 3), order, np.arange(0, 240, 3))
    found, (cost,) = constrain(start, GroupRules((DistinctUnits(units, 3),)), Run())
    assert cost.n_violating == 80
    assert found.sizes.max() <= 60
    assert found.information_loss < 25


@each
def test_a_run_that_ends_early_keeps_legal_groups(rule: GroupRule) -> None:
    rules = GroupRules((rule,))
    best = constrain(START, rules, Run())[0].sse
    for run in (cancelled(), *(CancelledAt(number) for number in (1, 2, 3, 5, 8))):
        found, _ = constrain(START, rules, run)
        assert not rules.violated(found.labels).any()
        assert found.sse >= best - 1e-9


def test_a_run_that_ends_out_of_any_kernel_keeps_legal_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = GroupRules((RULES[0], RULES[3]))

    def work(run: Run) -> Partition:
        return constrain(START, rules, run)[0]

    work(Run())
    watched = WatchedKernels(monkeypatch)
    for call in watched.calls_of(work):
        assert not rules.violated(work(watched.run_ended_by(call)).labels).any()


def test_iterations_limit_the_rounds() -> None:
    rules = GroupRules((RULES[4],))
    run = Run(iterations=1)
    found, _ = constrain(START, rules, run)
    assert run.log.ended_by == "iterations"
    assert not rules.violated(found.labels).any()


@each
def test_merging_in_an_order_ends(rule: GroupRule) -> None:
    rules = GroupRules((rule,))
    labels = merged_in_order(X, START.labels, rules)
    assert not rules.violated(labels).any()
    assert len(np.unique(labels)) > 1


def test_equal_records_are_not_exchanged_for_ever() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(6, 5)).repeat(20, axis=0) / np.sqrt(2)
    units = np.arange(120) % 50
    run = Run(time_limit=PATIENCE)
    with run.under_way(Limits()) as current:
        start = Partition(Problem(X, 5), np.arange(120) // 5)
        constrain(start, GroupRules((DistinctUnits(np.sort(units), 5),)), current)
    assert run.log.ended_by is None, "rounding errors of equal records are no gain"
