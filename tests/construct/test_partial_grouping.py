"""Groups that are formed one after the other."""

import numpy as np
import pytest

from microagg import Run
from microagg.construct.cbfs import Cbfs
from microagg.construct.growth_rules import Nearest
from microagg.construct.partial_grouping import PartialGrouping, groups_per_tick


def test_outliers_of_several_scales_are_forgotten() -> None:
    X = np.random.default_rng(1).normal(size=(120, 2))
    X[:3] *= 1e17
    X[3:6] *= 1e34
    grouping = PartialGrouping(X, 3, Run())
    first_records = Cbfs()(grouping)
    while grouping.n_left > 57:
        grouping.form_group(Nearest()(), next(first_records))
    left = grouping.blocks.records[: grouping.n_left]
    np.testing.assert_allclose(grouping.blocks.sums + grouping.blocks.compensation, X[left].sum(axis=0), rtol=1e-9)


def test_labels_number_the_groups_as_they_were_formed() -> None:
    X = np.array([0.0, 10.0, 1.0, 11.0, 5.0])[:, None]
    grouping = PartialGrouping(X, 2, Run())
    assert grouping.labels.tolist() == [-1] * 5
    grouping.form_group(Nearest()(), 3)
    assert grouping.labels.tolist() == [-1, 0, -1, 0, -1]
    assert (grouping.n_left, grouping.farthest_from_last()) == (3, 0)
    grouping.form_group(Nearest()(), 0)
    assert grouping.labels.tolist() == [1, 0, 1, 0, -1]


@pytest.mark.parametrize(("n", "every"), [(10, 1_000_000), (10_000_000, 1), (20_000_000, 1)])
def test_a_pass_over_many_records_is_followed_by_a_tick(n: int, every: int) -> None:
    assert groups_per_tick(np.broadcast_to(0.0, (n, 1))) == every
