"""Verdicts: what passes, and what is certified."""

from typing import Any

import pytest

from microagg import Certification, Finding, Verification


def _finding(passed: bool | None) -> Finding:
    return Finding("check", passed, "detail")


def _certification(
    sse: float | None = 2.0, lower_bound: float = 2.0, findings: tuple[Finding, ...] = ()
) -> Certification:
    return Certification(3, 10, ("x",), sse, lower_bound, None, None, findings)


@pytest.mark.parametrize(
    ("results", "passed"),
    [((), True), ((True,), True), ((True, None), True), ((True, False), False), ((False, None, True), False)],
)
def test_remarks_fail_no_verification(results: Any, passed: bool) -> None:
    assert Verification(3, 3, ("x",), tuple(map(_finding, results))).passed is passed


@pytest.mark.parametrize(("results", "passed"), [((True, True), True), ((True, None), False), ((True, False), False)])
def test_every_check_of_a_certificate_must_pass(results: Any, passed: bool) -> None:
    certification = _certification(findings=tuple(map(_finding, results)))
    assert certification.passed is passed
    assert certification.optimal is passed


@pytest.mark.parametrize(
    ("lower_bound", "gap", "optimal"),
    [
        (2.0, 0.0, True),
        (2.0 * (1 - 0.9e-7), 0.9e-7, True),
        (2.0 * (1 - 1.1e-7), 1.1e-7, False),
        (1.5, 0.25, False),
        (2.0 * (1 + 1e-13), 0.0, True),  # rounding
    ],
)
def test_certified_optimal_is_a_gap_that_rounding_leaves(lower_bound: float, gap: float, optimal: bool) -> None:
    certification = _certification(lower_bound=lower_bound)
    assert certification.gap == pytest.approx(gap)
    assert certification.optimal is optimal


def test_certified_optimal_includes_the_tolerance_itself() -> None:
    certification = _certification(2e8, 2e8 - 20)
    assert (certification.gap, certification.optimal) == (1e-7, True)


def test_nothing_is_certified_of_other_data() -> None:
    certification = _certification(sse=None)
    assert certification.gap is None
    assert certification.optimal is False
