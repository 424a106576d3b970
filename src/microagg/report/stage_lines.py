"""Lines of a report about the stages of the work on a cluster: how long they took, and how many tasks they had."""

from collections.abc import Sequence

from microagg.model.names import quantity
from microagg.report.facts import Facts

_MAX_SHOWN = 3


def stage_lines(facts: Facts) -> dict[str, str]:
    """Describe the work on a cluster, and its longest stages; nothing where there was none."""
    stages = facts["stages"]
    if not stages:
        return {}
    seconds = sum(one["seconds"] for one in stages)
    made = f"on Apache Spark {facts['spark']}, in {quantity(len(stages), 'stage')}{_tasks(stages)}, {seconds:.1f} s"
    longest = sorted(stages, key=lambda one: -one["seconds"])[:_MAX_SHOWN]
    shown = "; ".join(f"{one['name']}{_tasks([one])}, {one['seconds']:.1f} s" for one in longest)
    return {"made": made, "longest stages": shown}


def _tasks(stages: Sequence[Facts]) -> str:
    """Tell the number of tasks of some stages, where Spark has told it of each."""
    numbers = [one["tasks"] for one in stages]
    return "" if None in numbers else f", {quantity(sum(numbers), 'task')}"
