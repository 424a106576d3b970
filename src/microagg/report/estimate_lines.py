"""Lines of a report about the time and the memory that a run is expected to take."""

from typing import Any

from microagg.model.memory_budget import in_words
from microagg.model.run_estimate import Estimate

_MINUTE = 60
_HOUR = 3600
_DAY = 24 * 3600


def estimate_lines(facts: dict[str, Any]) -> dict[str, str]:
    """Describe what a run is expected to take."""
    place = "out of core, in files beside the output" if facts["out_of_core"] else "in memory"
    lines = {
        "records": f"{facts['n_records']:,}".replace(",", " "),
        "time": _time(facts["seconds"], facts["at_least"]),
        "memory": f"about {in_words(facts['memory'])}, {place}",
    }
    if facts["reasons"]:
        lines["note"] = "; ".join(facts["reasons"])
    return lines


def expected_in_words(estimate: Estimate) -> str:
    """Say in a few words what a run is expected to take, such as "about 4 min and 1.2 GB"."""
    return f"{_time(estimate.seconds, estimate.at_least)} and {in_words(estimate.memory)}"


def duration_in_words(seconds: float) -> str:
    """Write a duration as exactly as an estimate can be: "40 s", "4 min", "2.5 h"."""
    if seconds < 1.0:
        return "less than a second"
    if seconds < 2 * _MINUTE:
        return f"{_two_digits(seconds)} s"
    if seconds < 2 * _HOUR:
        return f"{_two_digits(seconds / _MINUTE)} min"
    if seconds < 2 * _DAY:
        return f"{_two_digits(seconds / _HOUR)} h"
    return f"{_two_digits(seconds / _DAY)} days"


def _time(seconds: float | None, at_least: bool) -> str:
    if seconds is None:
        return "unknown"
    duration = duration_in_words(seconds)
    if at_least:
        return f"at least {duration.removeprefix('less than ')}"
    return duration if seconds < 1.0 else f"about {duration}"


def _two_digits(number: float) -> str:
    """Round a number from 1 on to two digits."""
    rounded = float(f"{number:.2g}")
    return f"{rounded:.0f}" if rounded >= 10 else f"{rounded:g}"
