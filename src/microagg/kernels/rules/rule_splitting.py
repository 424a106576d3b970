"""Groups split while both parts satisfy the rules."""

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.rules.member_lists import MemberLists, gather, put_in, take_out, update
from microagg.kernels.rules.quota_growth import Pool, Quotas, grow
from microagg.kernels.rules.quota_mdav import farthest_from_centroid
from microagg.kernels.rules.rule_arrays import RuleArrays, is_legal
from microagg.model.arrays import IntArray


def split_groups(groups: MemberLists, pool: Pool, quotas: Quotas, rules: RuleArrays) -> None:
    """Split groups (IN/OUT) while both parts satisfy the rules: no split raises the sse."""
    free = np.flatnonzero(groups.sizes == 0)[::-1].copy()
    _split_all(groups, pool, quotas, rules, free)


@kernel
def _split_all(groups: MemberLists, pool: Pool, quotas: Quotas, rules: RuleArrays, free: IntArray) -> None:
    """Split every group as often as that can be done, into numbers of `free`, the last first."""
    n_free = len(free)
    for group in range(len(groups.sizes)):
        while n_free > 0 and groups.sizes[group] >= 2 * quotas.size:
            if not _split(groups, pool, quotas, rules, group, free[n_free - 1]):
                break
            n_free -= 1


@inner_kernel
def _split(groups: MemberLists, pool: Pool, quotas: Quotas, rules: RuleArrays, group: int, new: int) -> bool:
    """Grow a new group out of one around its outermost record; return whether both satisfy the rules."""
    is_chosen = pool.is_chosen
    rest = groups.first
    size = gather(groups, group, pool.records, 0)
    first = farthest_from_centroid(pool, size)
    n_new = grow(pool, size, quotas, rules, first)
    if n_new == 0:
        return False
    for i in range(n_new):
        is_chosen[pool.chosen[i]] = True
    n_rest = 0
    for i in range(size):
        if not is_chosen[pool.records[i]]:
            rest[n_rest] = pool.records[i]
            n_rest += 1
    for i in range(n_new):
        is_chosen[pool.chosen[i]] = False
    if not is_legal(rules, rest, n_rest):
        return False
    for i in range(n_new):
        take_out(groups, pool.chosen[i])
        put_in(groups, pool.chosen[i], new)
    update(groups, group)
    update(groups, new)
    return True
