"""Comparisons as facts and as text."""

import json
from typing import Any

from candidates import AIM, candidate, figure, on_front
from microagg import Aim, Candidate, Comparison, Plan
from microagg.recommend import recommend
from microagg.report import report


def _comparison(*several: Candidate, aim: Aim = AIM, plan: Plan | None = None) -> Comparison:
    candidates = on_front(several, aim)
    recommended, reason = recommend(candidates, aim)
    return Comparison(candidates, aim, recommended, reason, plan, 1080, "census.csv")


FAILED = Candidate(10, "exact", error="It needs fewer records.")
COMPARISON = _comparison(
    candidate(3, 4.0, 20.0), candidate(5, 7.0, 12.0), candidate(5, 9.0, 13.0, "v-mdav"), FAILED, plan=Plan(k=5)
)


def test_text() -> None:
    assert report(COMPARISON) == (
        "k = 5 with mdav: loss 7.00 %, linkage 12.00 %. Of the 2 candidates of the front, it is one of 2 that\n"
        "are about as near to the knee, with the largest k. At the same k, v-mdav has loss 9.00 % (29 % more)\n"
        "and linkage 13.00 % (8 % more). k = 3 with mdav would bring loss from 7.00 % to 4.00 %, for 8.00\n"
        "points more linkage.\n"
        "\n"
        "file:             census.csv\n"
        "records:          1080\n"
        "recommended:      k = 5 with mdav\n"
        "\n"
        "    k  method  loss %  dld %  k reached  seconds  front\n"
        "a   3  mdav      4.00  20.00          3     0.50  front\n"
        "b   5  mdav      7.00  12.00          5     0.50  recommended\n"
        "c   5  v-mdav    9.00  13.00          5     0.50\n"
        "d  10  exact        –      –          –        –  not made\n"
        "\n"
        "linkage in % (less is better)\n"
        "20 |a\n" + 10 * "   |\n" + f"   |{59 * ' '}c\n   |\n"
        f"12 |{35 * ' '}b\n"
        f"   +{60 * '-'}\n"
        f"    4{58 * ' '}9\n"
        f"    {'loss in % (less is better)':>60}\n"
        "\n"
        "candidates that could not be made\n"
        "k = 10 with exact: It needs fewer records."
    )


def test_lines_are_not_broken_within_k_and_percentages() -> None:
    several = [candidate(3 + number, 4.0 + number, 20.0 - number, f"method{number:02d}") for number in range(40)]
    reason = report(_comparison(*several)).split("\n\n")[0]
    assert all(not line.endswith((" k", " k =")) for line in reason.splitlines())
    assert all(not line.startswith("%") for line in reason.splitlines())


def test_facts() -> None:
    facts: Any = json.loads(report(COMPARISON, "json"))
    assert (facts["facts"], facts["file"], facts["n_records"]) == ("comparison", "census.csv", 1080)
    assert (facts["utility"], facts["risk"], facts["max_loss"], facts["max_risk"]) == (
        "information_loss",
        "dld",
        None,
        None,
    )
    assert [one["name"] for one in facts["figures"]] == ["information_loss", "dld"]
    assert facts["figures"][1]["higher"] == "riskier"
    assert facts["candidates"][1] == {
        "k": 5,
        "method": "mdav",
        "k_reached": 5,
        "seconds": 0.5,
        "on_front": True,
        "recommended": True,
        "error": None,
        "values": {"information_loss": 7.0, "dld": 12.0},
        "notes": {},
    }
    assert facts["candidates"][3]["error"] == "It needs fewer records."
    assert facts["recommended"] == {"k": 5, "method": "mdav"}
    assert facts["reason"] == COMPARISON.reason
    assert facts["plan"]["sets"][0]["k"] == 5


def test_nothing_is_recommended() -> None:
    comparison = _comparison(FAILED)
    assert "recommended:      none\n" in report(comparison)
    facts = json.loads(report(comparison, "json"))
    assert (facts["recommended"], facts["plan"], facts["figures"]) == (None, None, [])


def test_directions_and_notes() -> None:
    aim = Aim(utility="overlap", risk="unique")
    several = [
        Candidate(
            k,
            "mdav",
            figures=(figure("overlap", 90.0 - k, higher="keeps more"), figure("unique", 9.0 - k, "records")),
        )
        for k in (3, 5)
    ]
    text = report(_comparison(*several, aim=aim))
    assert "overlap in % (more is better)" in text
    assert "unique in records (less is better)" in text
    assert "unique records" in text


def test_html_is_escaped() -> None:
    comparison = _comparison(candidate(3, 1.0, 2.0, "<b>"), candidate(5, 2.0, 1.0, "<b>"))
    assert "<b>" not in comparison._repr_html_()
    assert "&lt;b&gt;" in comparison._repr_html_()
