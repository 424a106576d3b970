"""Recommendations: by the knee of the front, or by limits of risk and loss; and what is said about them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candidates import candidate, figure, on_front
from microagg import Aim, Candidate, InputError
from microagg.recommend import check_aim, recommend

CANDIDATES = on_front(
    [
        candidate(3, 4.0, 20.0, "search"),
        candidate(3, 5.0, 20.0, "mdav"),
        candidate(5, 7.0, 12.0, "search"),
        candidate(5, 8.82, 12.0, "mdav"),
        candidate(10, 11.1, 7.0, "search"),
        candidate(10, 14.0, 7.5, "mdav"),
    ]
)


def _name(found: Candidate | None) -> str | None:
    return None if found is None else found.name


def test_the_knee_is_recommended_with_a_reason() -> None:
    recommended, reason = recommend(CANDIDATES, Aim())
    assert _name(recommended) == "k = 5 with search"
    assert reason == (
        "k = 5 with search: loss 7.00 %, linkage 12.00 %. Of the 3 candidates of the front, it is the knee: from "
        "there, less of the one costs most of the other. At the same k, mdav has loss 8.82 % (26 % more) and "
        "linkage 12.00 %. k = 10 with search would bring linkage from 12.00 % to 7.00 %, for 4.10 points more loss. "
        "k = 3 with search would bring loss from 7.00 % to 4.00 %, for 8.00 points more linkage."
    )


@pytest.mark.parametrize(
    ("aim", "name", "rule"),
    [
        (
            Aim(max_risk=12),
            "k = 5 with search",
            "Of the 2 candidates of the front with linkage of at most 12 %, it has",
        ),
        (
            Aim(max_risk=11.9),
            "k = 10 with search",
            "It is the only candidate of the front with linkage of at most 11.9",
        ),
        (Aim(max_loss=11), "k = 5 with search", "with loss of at most 11 %, it has the lowest linkage"),
        (Aim(max_loss=4), "k = 3 with search", "It is the only candidate of the front with loss of at most 4 %."),
        (Aim(max_loss=8, max_risk=20), "k = 5 with search", "with loss of at most 8 % and linkage of at most 20 %, it"),
    ],
)
def test_limits_decide(aim: Aim, name: str, rule: str) -> None:
    recommended, reason = recommend(CANDIDATES, aim)
    assert _name(recommended) == name
    assert rule in reason


def test_nothing_is_recommended_beyond_the_limits() -> None:
    recommended, reason = recommend(CANDIDATES, Aim(max_risk=5))
    assert recommended is None
    assert reason == (
        "Nothing is recommended: no candidate has linkage of at most 5 %. The nearest is k = 10 with search: loss "
        "11.10 %, linkage 7.00 %; compare larger k, or allow more."
    )
    recommended, reason = recommend(CANDIDATES, Aim(max_loss=3))
    assert recommended is None
    assert "The nearest is k = 3 with search: loss 4.00 %, linkage 20.00 %; compare smaller k, or allow more" in reason


def test_nothing_is_recommended_where_nothing_is_known() -> None:
    found = on_front([candidate(3, 1.0, None), Candidate(5, "exact", error="No.")])
    assert recommend(found, Aim()) == (None, "Nothing is recommended: of no candidate are both loss and risk known.")


def test_the_best_on_both_axes_needs_no_rule() -> None:
    recommended, reason = recommend(on_front([candidate(3, 1.0, 1.0), candidate(5, 2.0, 2.0)]), Aim())
    assert _name(recommended) == "k = 3 with mdav"
    assert reason == "k = 3 with mdav: loss 1.00 %, linkage 1.00 %. It is the best on both axes."


def test_what_decides_between_those_about_as_near_to_the_knee() -> None:
    _, reason = recommend(on_front([candidate(3, 1.0, 9.0), candidate(5, 2.0, 2.0)]), Aim())
    rule = "Of the 2 candidates of the front, it is one of 2 that are about as near to the knee, with "
    assert f"{rule}the largest k." in reason
    _, reason = recommend(on_front([candidate(3, 1.0, 9.0), candidate(3, 2.0, 2.0, "search")]), Aim())
    assert f"{rule}the least loss." in reason
    several = [candidate(3, 1.0, 9.0), candidate(5, 5.0, 5.0), candidate(5, 9.0, 1.0, "search")]
    _, reason = recommend(on_front(several), Aim())
    assert reason.startswith("k = 5 with mdav: loss 5.00 %, linkage 5.00 %.")
    assert (
        "it is one of 3 that are about as near to the knee, with the largest k, and of that the least loss." in reason
    )


def test_a_method_that_does_as_well_is_named() -> None:
    _, reason = recommend(on_front([candidate(3, 1.0, 9.0), candidate(3, 1.0, 9.0, "search")]), Aim())
    assert "At the same k, search does as well." in reason


def test_figures_without_percent_have_their_units() -> None:
    aim = Aim(utility="pmse", risk="unique")
    several = [
        Candidate(k, "mdav", figures=(figure("pmse", loss, "", "loses more"), figure("unique", risk, "records")))
        for k, loss, risk in [(3, 0.01, 90.0), (5, 0.02, 30.0), (10, 0.08, 10.0)]
    ]
    _, reason = recommend(on_front(several, aim), aim)
    assert reason.startswith("k = 5 with mdav: pmse 0.02, unique 30 records.")
    assert "k = 10 with mdav would bring unique from 30 records to 10 records, for 0.06 more pmse." in reason


def test_a_limit_of_what_is_better_when_higher_is_refused() -> None:
    keeps = figure("overlap", None, higher="keeps more")
    check_aim(Aim(max_risk=3), keeps, figure("dld", None))
    with pytest.raises(InputError, match="max_loss is the largest overlap that is acceptable, but more of it"):
        check_aim(Aim(max_loss=3), keeps, figure("dld", None))
    with pytest.raises(InputError, match="max_loss must be a positive number, found 0"):
        Aim(max_loss=0)


values = st.integers(1, 12).map(float)
limits = st.none() | values


@given(st.lists(st.tuples(st.integers(2, 9), values, values), min_size=1, max_size=10), limits, limits)
def test_what_is_recommended_is_on_the_front_and_within_the_limits(
    found: list[tuple[int, float, float]], max_loss: float | None, max_risk: float | None
) -> None:
    aim = Aim(max_loss=max_loss, max_risk=max_risk)
    candidates = on_front(candidate(k, loss, risk) for k, loss, risk in found)
    recommended, reason = recommend(candidates, aim)
    within = [(loss, risk) for _, loss, risk in found if loss <= (max_loss or loss) and risk <= (max_risk or risk)]
    assert (recommended is None) == (not within)
    assert reason.endswith(".")
    if recommended is not None:
        assert recommended.on_front
        place = (recommended.information_loss, recommended.figure("dld").value)
        assert place in within
        if max_loss is None and max_risk is not None:
            assert place[0] == min(loss for loss, _ in within)
        if max_risk is None and max_loss is not None:
            assert place[1] == min(risk for _, risk in within)
