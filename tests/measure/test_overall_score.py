"""Overall scores by hand."""

import pytest

from microagg.measure.overall_score import assess_score, classic_score, disclosure_risk


def test_scores_by_hand() -> None:
    assert disclosure_risk(20.0, 50.0) == 35.0
    assert assess_score(pil=25.0, disclosure_risk=35.0) == 30.0
    assert classic_score(10.0, 20.0, 8.0, 50.0) == pytest.approx(5.0 + 2.5 + 1.0 + 12.5)


def test_a_score_needs_all_of_its_figures() -> None:
    assert disclosure_risk(None, 50.0) is None
    assert disclosure_risk(20.0, None) is None
    assert assess_score(None, 1.0) is None
    assert classic_score(10.0, 20.0, None, 50.0) is None
