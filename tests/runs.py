"""Runs that end where a test wants them to."""

from microagg import Run


class CancelledAt(Run):
    """A run that is cancelled when it is told something for the so-and-so-manieth time."""

    def __init__(self, word, **limits):
        super().__init__(**limits)
        self.word = word
        self.told = []

    def tell(self, stage, done=None, note=""):
        self.told.append(note)
        if len(self.told) == self.word:
            self.cancel()
        super().tell(stage, done, note)


class EndsBelow(Run):
    """A run that ends as soon as so little is lost."""

    def __init__(self, sse):
        super().__init__()
        self.sse = sse

    def ends(self, iteration, sse, lower_bound=0.0):
        if sse <= self.sse:
            self.log.ended_by = "target_gap"
        return sse <= self.sse


def cancelled():
    """A run that was cancelled before it began."""
    run = Run()
    run.cancel()
    return run
