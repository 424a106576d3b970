"""Process of a job as the server sees it: its events so far, any number of followers, and the way to stop it."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace

from microagg.app.job import Event, Job
from microagg.app.job_child import JobChild, end_in_words
from microagg.app.kept_events import KeptEvents
from microagg.app.log_line import log_error

STOP = "stop"
"""Line that tells a child to end with the best so far."""

_ONLY_CHECKED = "Its file can be downloaded if it was checked before that; if not, run the plan again."


def _nothing() -> None:
    """Do nothing: nobody asked to be told."""


class JobProcess:
    """Job that waits, is carried out by a child process, or is over.

    Parameters
    ----------
    job
        What is to be done.
    when_over
        Called when the job is over, however that came.

    Attributes
    ----------
    is_given_up : bool
        Whether the server ended it, as nobody looked at it any more.
    """

    def __init__(self, job: Job, when_over: Callable[[], None] = _nothing) -> None:
        self.job = job
        self._when_over = when_over
        self._kept = KeptEvents()
        self._news = asyncio.Event()
        self._child: JobChild | None = None
        self._stopped_at: float | None = None
        self._why_stopped = ""
        self.is_given_up = False
        self._begun = time.monotonic()
        self._n_followers = 0
        self._last_followed = self._begun
        self.tell(Event("queued"))

    @property
    def events(self) -> list[Event]:
        """The events so far, the oldest first; of a long run, old ones of the same state are thinned out."""
        return list(self._kept.events)

    @property
    def last(self) -> Event:
        """The latest event."""
        return self._kept.events[-1]

    @property
    def is_over(self) -> bool:
        """Whether the job is done, failed or cancelled."""
        return self.last.is_over

    @property
    def is_released(self) -> bool:
        """Whether there is a release that can be taken, and the job did not fail after it."""
        return self._kept.has_state("released") and self.last.state != "failed"

    @property
    def pid(self) -> int | None:
        """Number of the child process; None before there is one."""
        return None if self._child is None else self._child.pid

    @property
    def seconds_at_work(self) -> float:
        """How long a child has worked on the job; 0 before one does."""
        return 0.0 if self._child is None else time.monotonic() - self._begun

    @property
    def seconds_since_stop(self) -> float | None:
        """How long ago the job was first told to stop; None if it was not."""
        return None if self._stopped_at is None else time.monotonic() - self._stopped_at

    @property
    def seconds_alone(self) -> float:
        """For how long nobody has followed the job, as from a page that shows it; 0 if somebody does."""
        return 0.0 if self._n_followers else time.monotonic() - self._last_followed

    def tell(self, event: Event) -> None:
        """Keep an event, and wake all followers; nothing comes after the last event of a job."""
        if self._kept.events and self.is_over:
            return
        if self._why_stopped and event.sentence and event.state != "failed":
            event = replace(event, sentence=f"{self._why_stopped} {event.sentence}".strip())
        self._kept.add(event)
        self._news.set()
        self._news = asyncio.Event()
        if event.is_over:
            self._when_over()

    async def start(self, child: JobChild) -> None:
        """Give the job to a child process, and take its events until it ends; return when it has ended.

        Parameters
        ----------
        child
            A child that has no job yet.
        """
        self._child = child
        self._begun = time.monotonic()
        await child.send(self.job.to_line())
        if self._stopped_at is not None:
            await child.send(STOP)
        try:
            while line := await child.next_line():
                self.tell(Event.from_line(line))
        except Exception as error:  # whatever a child may tell: the next job must not wait for this one
            log_error(error)
            sentence = "The work broke off: its process told something that is no event. Nothing came of it."
            self.tell(Event("failed", sentence=sentence))
            child.kill()
        code = await child.ended()
        if not self.is_over:
            self.tell(self._end_of_child(code))

    async def follow(self, after: int = 0) -> AsyncGenerator[Event, None]:
        """Yield the events so far, and then each new one, until the job is over.

        Parameters
        ----------
        after
            Number of the last event that is known already, as after a reload; 0: none is.

        Yields
        ------
        Event
            Each event whose number is larger.
        """
        self._n_followers += 1
        try:
            while True:
                news = self._news
                for event in self._kept.after(after):
                    after = event.number
                    yield event
                if self.is_over and self.last.number <= after:
                    return
                if news is self._news:
                    await news.wait()
        finally:
            self._n_followers -= 1
            self._last_followed = time.monotonic()

    async def stop(self, why: str = "") -> None:
        """End the job with the best so far; one that has not begun is cancelled, one that is over stays as it is.

        Parameters
        ----------
        why
            A sentence for the user, where nobody has asked for it.
        """
        if self.is_over:
            return
        self._stopped_at = self._stopped_at or time.monotonic()
        self._why_stopped = self._why_stopped or why
        if self._child is None:
            self.tell(Event("cancelled", sentence="The job was taken out of the queue before it began."))
        else:
            await self._child.send(STOP)

    async def kill(self, why: str = "", state: str = "cancelled") -> None:
        """End the job and its process at once; nothing more comes of it.

        Parameters
        ----------
        why
            A sentence for the user; empty where the user has asked for it.
        state
            The state that the job ends in; where a release is written, it is "done" in place of "failed".
        """
        self.is_given_up = bool(why) and state == "cancelled" and not self.is_over
        if self._child is None:
            await self.stop(why)
            return
        if state == "failed" and self._kept.has_state("released"):
            state, why = "done", f"The release is written, but the work on it was ended. {why} {_ONLY_CHECKED}"
        self.tell(replace(self.last, state=state, sentence=why or "The job was ended, and its process with it."))
        self._child.kill()
        await self._child.ended()

    def _end_of_child(self, code: int) -> Event:
        """Return the last event of a job whose child has ended without one."""
        elapsed = time.monotonic() - self._begun
        how = end_in_words(code)
        if self._kept.has_state("released"):
            sentence = f"The release is written, but the work on it broke off: {how}. {_ONLY_CHECKED}"
            return Event("done", elapsed=elapsed, sentence=sentence)
        advice = "Close other programs, or take a smaller file or a quicker effort, and try again."
        return Event("failed", elapsed=elapsed, sentence=f"The work broke off: {how}. Nothing came of it. {advice}")
