"""Events of a job that are kept in memory: the last of each state and stage, and of a long run ever fewer others."""

from dataclasses import replace

from microagg.app.job import Event

_MOST = 1000  # events of one job


class KeptEvents:
    """Events of one job, numbered from 1.

    Parameters
    ----------
    most
        Number of events above which old ones are thinned out.
    """

    def __init__(self, most: int = _MOST) -> None:
        self.events: list[Event] = []
        self._most = most
        self._count = 0

    def add(self, event: Event) -> None:
        """Add an event, and give it its number."""
        self._count += 1
        self.events.append(replace(event, number=self._count))
        if len(self.events) > self._most:
            self._thin_out()

    def after(self, number: int) -> list[Event]:
        """Return the events after that of a number."""
        return [event for event in self.events if event.number > number]

    def has_state(self, state: str) -> bool:
        """Check whether the job has been in a state."""
        return any(event.state == state for event in self.events)

    def _thin_out(self) -> None:
        """Drop every other event of the older half, but the last one of each state and stage."""
        half = len(self.events) // 2
        places = {(event.state, event.stage): place for place, event in enumerate(self.events)}
        last = frozenset(places.values())
        self.events = [
            event for place, event in enumerate(self.events) if place >= half or place % 2 == 0 or place in last
        ]
