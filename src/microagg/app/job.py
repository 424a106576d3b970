"""Job and event: what is asked of a child process, and what it tells while it works."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

OVER = frozenset({"done", "failed", "cancelled"})
"""States after which nothing more comes of a job."""

STATES = OVER | {"queued", "working", "released"}
"""States that a job can be in."""


@dataclass(frozen=True)
class Job:
    """Task of a child process, with everything that it needs to know.

    Parameters
    ----------
    kind
        "columns", "inspect", "estimate", "protect", "verify" or "warm_up".
    folder
        Folder of its own, which only this user can read: the results are written there.
    options
        What the task needs, as JSON can hold it: see the modules of `job_tasks`.
    """

    kind: str
    folder: Path
    options: Mapping[str, Any] = field(default_factory=dict)

    def to_line(self) -> str:
        """Return the job as one line of JSON."""
        return json.dumps({"kind": self.kind, "folder": str(self.folder), "options": dict(self.options)})

    @staticmethod
    def from_line(line: str) -> "Job":
        """Return the job of a line of JSON."""
        told = json.loads(line)
        return Job(told["kind"], Path(told["folder"]), told["options"])


@dataclass(frozen=True)
class Event:
    """State of a job at one moment.

    Parameters
    ----------
    state
        "queued", "working", "released" (the release can be taken, and is still assessed), "done", "failed" or
        "cancelled".
    stage
        Phase of the work, such as "search".
    done
        Share of the phase that is done, from 0 to 1; None where it is unknown.
    note
        Details of the phase, or the place in the queue.
    left
        Seconds left of the phase; None where they are unknown.
    elapsed
        Seconds since the job was begun.
    loss
        Information loss reached, in percent; None where the phase does not tell it.
    bound
        Loss that no partition can be below, in percent; None where nothing is proved yet.
    sentence
        Why the job failed, or what came of it.
    number
        Number of the event among those of its job, from 1; 0 until the server has received it.
    """

    state: str
    stage: str = ""
    done: float | None = None
    note: str = ""
    left: float | None = None
    elapsed: float = 0.0
    loss: float | None = None
    bound: float | None = None
    sentence: str = ""
    number: int = 0

    @property
    def is_over(self) -> bool:
        """Whether it is the last event of its job."""
        return self.state in OVER

    def to_line(self) -> str:
        """Return the event as one line of JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_line(line: str) -> "Event":
        """Return the event of a line of JSON, without what events do not have; raise `ValueError` for another line."""
        told = json.loads(line)
        if not isinstance(told, dict) or told.get("state") not in tuple(STATES):
            raise ValueError("a line of a child process is no event")
        return Event(**{each.name: told[each.name] for each in fields(Event) if each.name in told})
