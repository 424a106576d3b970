"""Leave a round of refining when told to, however far it is."""

from microagg.partition import Partition
from microagg.progress import Progress
from microagg.stop import Stop


class StoppedError(Exception):
    """Leave a round that is not finished."""


def tick(stage: str, partition: Partition, iteration: int, stop: Stop, progress: Progress, done: float | None) -> None:
    """Say how far the round is, and leave it when told to."""
    progress(stage, done, f"loss {partition.information_loss:.4f} %")
    if stop(iteration):
        raise StoppedError
