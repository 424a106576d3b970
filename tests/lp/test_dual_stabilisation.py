"""Where column generation prices: between the stability centre and the duals of the master."""

import numpy as np
import pytest

from lp_cases import random_cuts
from microagg.lp.dual_stabilisation import DualStabilisation
from microagg.lp.duals import Duals
from microagg.lp.pricing_result import TooExpensiveError
from microagg.lp.rank_one_cuts import RankOneCuts

CENTRE = Duals(np.array([1.0, -2.0, 3.0]), RankOneCuts.empty(3))
FAR = Duals(np.array([11.0, -12.0, 3.0]), RankOneCuts.empty(3))


def test_smoothing_draws_the_duals_to_the_centre() -> None:
    assert DualStabilisation(0.0).point(FAR, CENTRE).tolist() == FAR.values.tolist()
    assert DualStabilisation(0.9).point(FAR, CENTRE) == pytest.approx([2.0, -3.0, 3.0])


def test_it_is_off_where_neither_smoothing_nor_the_box_moves_the_duals() -> None:
    for smoothing, radius, is_off in ((0.0, np.inf, True), (0.0, 100.0, True), (0.0, 0.5, False), (0.1, np.inf, False)):
        stabilisation = DualStabilisation(smoothing, radius)
        assert stabilisation.is_off(stabilisation.point(FAR, CENTRE), FAR) == is_off
    assert not DualStabilisation(0.1).is_off(FAR.values, FAR)


def test_the_box_is_as_wide_as_each_dual_and_their_mean_allow() -> None:
    point = DualStabilisation(0.0, 0.5).point(FAR, CENTRE)
    assert point == pytest.approx([1.0 + 0.5 * (1.0 + 2.0), -2.0 - 0.5 * (2.0 + 2.0), 3.0])
    nothing = Duals(np.zeros(3), RankOneCuts.empty(3))
    assert DualStabilisation(0.0, 0.5).point(FAR, nothing).tolist() == FAR.values.tolist()


def test_duals_of_cuts_have_no_box() -> None:
    cuts = random_cuts(np.random.default_rng(0), 3, 1)
    centre, far = (Duals(np.append(duals.values, dual), cuts) for duals, dual in ((CENTRE, 0.0), (FAR, -50.0)))
    assert DualStabilisation(0.0, 0.5).point(far, centre)[3] == -50.0


def test_pricing_that_is_too_expensive_moves_to_the_centre_until_it_is_reached() -> None:
    stabilisation = DualStabilisation(0.0)
    smoothings = []
    while stabilisation.smoothing <= 0.99:
        stabilisation.strengthen()
        smoothings.append(stabilisation.smoothing)
        assert stabilisation.is_weakest
    assert smoothings == [0.5, 0.75, 0.875, 0.9375, 0.96875, 0.984375, 0.9921875]
    with pytest.raises(TooExpensiveError):
        stabilisation.strengthen()
    with pytest.raises(TooExpensiveError):
        stabilisation.widen()


def test_a_box_that_hides_everything_grows_until_the_bound_rises() -> None:
    stabilisation = DualStabilisation(0.0, 0.1)
    for _ in range(2):
        stabilisation.widen()
    assert stabilisation.radius == pytest.approx(1.6)
    stabilisation.adapt(improved=False, few_columns=True)
    assert stabilisation.radius == pytest.approx(1.6)
    stabilisation.adapt(improved=True, few_columns=True)
    assert stabilisation.radius == 0.1


def test_smoothing_falls_with_progress_and_begins_anew_with_many_columns() -> None:
    stabilisation = DualStabilisation(0.2)
    stabilisation.adapt(improved=False, few_columns=True)
    assert (stabilisation.smoothing, stabilisation.is_weakest) == (0.1, False)
    stabilisation.adapt(improved=False, few_columns=False)
    assert stabilisation.smoothing == 0.2
    stabilisation.adapt(improved=True, few_columns=False)
    stabilisation.adapt(improved=True, few_columns=False)
    assert (stabilisation.smoothing, stabilisation.is_weakest) == (0.0, True)


def test_smoothing_stays_affordable_until_the_bound_rises() -> None:
    stabilisation = DualStabilisation(0.2)
    stabilisation.strengthen()
    for few_columns in (True, False):
        stabilisation.adapt(improved=False, few_columns=few_columns)
        assert stabilisation.smoothing == stabilisation.min_smoothing == 0.6
    stabilisation.adapt(improved=True, few_columns=True)
    assert (stabilisation.smoothing, stabilisation.min_smoothing) == (0.5, 0.0)
