"""Runs that end where a test wants them to."""

from typing import Any

from microagg import Run


class CancelledAt(Run):
    """Run that cancels itself at the n-th progress report, and keeps the shares and notes of all reports."""

    def __init__(self, number: int, **limits: Any) -> None:
        super().__init__(**limits)
        self.number = number
        self.shares: list[float | None] = []
        self.notes: list[str] = []

    def report(self, stage: str, done: float | None = None, note: str = "") -> None:
        self.shares.append(done)
        self.notes.append(note)
        if len(self.notes) == self.number:
            self.cancel()
        super().report(stage, done, note)


class EndsBelow(Run):
    """Run that ends as soon as the sse is small enough."""

    def __init__(self, sse: float) -> None:
        super().__init__()
        self.sse = sse

    def ends(self, iteration: int, sse: float, lower_bound: float = 0.0) -> bool:
        if sse <= self.sse:
            self.log.ended_by = "target_gap"
        return sse <= self.sse


def cancelled() -> Run:
    """Return a run that was cancelled before it began."""
    run = Run()
    run.cancel()
    return run
