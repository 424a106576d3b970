"""Results of the measurements of scale, where some may not be there yet."""

from collections.abc import Mapping

from cached_tasks import Result, Task

DISTURBED = 0.2
"""Processors that other programs may keep busy before a time counts as disturbed."""

NOT_THERE = "–"


class ScaleResults:
    """Results by their tasks; what is not there, or failed, is None.

    Parameters
    ----------
    results
        The result of each task that has one.
    """

    def __init__(self, results: Mapping[Task, Result]) -> None:
        self._results = results

    def part(self, task: Task, name: str | None = None) -> Result | None:
        """Return the result of a task, or a part of it by its name."""
        result = self._results.get(task)
        if result is None or "error" in result:
            return None
        return result if name is None else result[name]

    def value(self, task: Task, field: str, name: str | None = None) -> float | None:
        """Return a number of a result, or of a part of it."""
        part = self.part(task, name)
        return None if part is None else part[field]

    def errors(self) -> list[tuple[Task, str]]:
        """Return the tasks that failed, and why."""
        return [(task, result["error"]) for task, result in self._results.items() if "error" in result]

    def disturbed(self) -> list[tuple[Task, float]]:
        """Return the tasks whose times other programs disturbed, and how many processors these took."""
        found = [(task, max(_others(result), default=0.0)) for task, result in self._results.items()]
        return [(task, others) for task, others in found if others > DISTURBED]


def ratio(top: float | None, bottom: float | None) -> float | None:
    """Divide two numbers; None where one is not there."""
    return None if top is None or bottom is None else top / bottom


def _others(result: Result) -> list[float]:
    """Return how many processors others took, of all parts of a result."""
    own = [result["others"]] if "others" in result else []
    return own + [part["others"] for part in result.values() if isinstance(part, dict) and "others" in part]


def time_text(part: Result | None) -> str:
    """Return a time with two digits, and with a star where it was disturbed."""
    if part is None:
        return NOT_THERE
    wall = float(part["wall"])
    text = f"{wall * 1000:.2g} ms" if wall < 0.0995 else f"{wall:.2g} s" if wall < 9.95 else f"{wall:.0f} s"
    return f"{text}*" if part.get("others", 0.0) > DISTURBED else text


def number_text(number: float | None, form: str = ".2f") -> str:
    """Return a number as text."""
    return NOT_THERE if number is None else f"{number:{form}}"


def memory_text(number: float | None) -> str:
    """Return a number of bytes in GB, of which one is 10⁹ bytes."""
    return NOT_THERE if number is None else f"{number / 1e9:.2f} GB"


def count_text(n: int) -> str:
    """Return a number of records, in groups of three digits."""
    return f"{n:,}".replace(",", " ")
