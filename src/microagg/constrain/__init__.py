"""Groups that satisfy rules, besides having k records: merged, then refined with the rules kept."""

import numpy as np

from microagg.constrain.enforcement import enforce
from microagg.control.run import Run
from microagg.model.errors import InputError, VerificationError
from microagg.model.group_rules import GroupRules
from microagg.model.partition import Partition
from microagg.model.rule_cost import RuleCost

__all__ = ["constrain"]


def constrain(partition: Partition, rules: GroupRules, run: Run) -> tuple[Partition, tuple[RuleCost, ...]]:
    """Make all groups satisfy rules, one rule after another, each with those before it kept.

    Where a group violates a rule, two partitions are made, and the better one is the result. In one of them, groups
    that violate a rule are merged with others at the least cost, as in [1]. In the other, groups grow from
    the beginning until they satisfy the rules: of units they take the nearest records of other units, and for
    t-closeness one record of each quantile of the confidential values, as in [1]. Both are refined by a
    descent that keeps the rules. Where the run ends early, the best legal partition so far is the result.

    Parameters
    ----------
    partition
        Groups of at least k records.
    rules
        What each group must satisfy.
    run
        Limits and progress.

    Returns
    -------
    Partition, tuple of RuleCost
        Groups that satisfy all rules, and what each rule has cost, in their order.

    Raises
    ------
    InputError
        If not even one group of all records satisfies a rule: then no partition does.

    VerificationError
        If the result violates a rule: a defect of this package.

    References
    ----------
    [1] Soria-Comas, Domingo-Ferrer, Sánchez & Martínez (2015), t-closeness through microaggregation: strict privacy
        with enhanced utility preservation, IEEE Transactions on Knowledge and Data Engineering 27(11).
    """
    _check_possible(partition.problem.n, rules)
    costs = []
    for number, rule in enumerate(rules.rules):
        before = partition.information_loss
        n_violating = int(rule.violated(partition.labels).sum())
        if n_violating:
            partition = enforce(partition, rules.first(number + 1), run)
        costs.append(RuleCost(rule.sentence, n_violating, before, partition.information_loss))
    if rules and rules.violated(partition.labels).any():
        raise VerificationError("groups were found that violate a rule: this is a defect, please report it")
    return partition, tuple(costs)


def _check_possible(n: int, rules: GroupRules) -> None:
    """Refuse rules that not even all records together satisfy."""
    together = np.zeros(n, dtype=np.int64)
    for rule in rules.rules:
        if rule.n_records != n:
            raise InputError(f"rules about {rule.n_records} records cannot be applied to {n} records")
        if rule.violated(together).any():
            reached = rule.reached(together)[0]
            raise InputError(
                f"no groups can have {rule.sentence}: all {n} records together reach {reached:.4g}; {rule.remedy}"
            )
