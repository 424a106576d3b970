"""Progress callback that records what it is called with."""


class RecordedTicks:
    """Progress callback that keeps every share that is reported, None among them."""

    def __init__(self) -> None:
        self.reported: list[float | None] = []

    def __call__(self, done: float | None = None) -> None:
        self.reported.append(done)

    @property
    def shares(self) -> list[float]:
        """The shares that are known."""
        return [done for done in self.reported if done is not None]
