"""Events of a job that are kept in memory: all states, and of a long run ever fewer reports of the same state."""

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
        """Drop every other report of the older half, but the last one of each state and stage."""
        half = len(self.events) // 2
        kept = [
            event
            for place, event in enumerate(self.events)
            if place >= half or place % 2 == 0 or self._ends_phase(place)
        ]
        self.events = kept

    def _ends_phase(self, place: int) -> bool:
        """Check whether the event after this one is of another state or stage."""
        event = self.events[place]
        following = self.events[place + 1]
        return (event.state, event.stage) != (following.state, following.stage)
