"""Checks of groups as linked lists."""

import numpy as np

import naive_rules
from microagg.kernels.rules.member_lists import MemberLists


def check_consistency(groups: MemberLists) -> None:
    """Check that lists, labels, sizes, means and savings tell the same."""
    n = len(groups.labels)
    seen: list[int] = []
    for group, size in enumerate(groups.sizes):
        members = []
        record = int(groups.heads[group])
        before = -1
        while record >= 0:
            assert groups.lasts[record] == before
            members.append(record)
            before = record
            record = int(groups.nexts[record])
        assert len(members) == size
        assert sorted(members) == np.flatnonzero(groups.labels == group).tolist()
        seen += members
        for record in members:
            others = [other for other in members if other != record]
            saved = naive_rules.sse(groups.cells, groups.X, members) - naive_rules.sse(groups.cells, groups.X, others)
            assert np.isclose(groups.savings[record], saved, atol=1e-9 * (1 + np.square(groups.X).sum()))
    assert sorted(seen) == list(range(n))
