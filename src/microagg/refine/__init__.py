"""Make a partition no worse: one file a refiner, one line below."""

from typing import ClassVar, Protocol

from numpy.random import Generator

from microagg.partition import Partition
from microagg.progress import Progress
from microagg.refine.decompose import Igd, Tfrp2
from microagg.refine.descent import Descent
from microagg.refine.icsm import Icsm
from microagg.refine.imhm import Imhm
from microagg.refine.recut import Recut
from microagg.refine.reorder import Reorder
from microagg.refine.search import Search
from microagg.stop import Stop


class Refine(Protocol):
    """Return a partition of the same problem that is no worse, and obey `stop`."""

    reference: ClassVar[str]

    def __call__(self, partition: Partition, rng: Generator, stop: Stop, progress: Progress) -> Partition:
        """Refine the partition."""


REFINERS: dict[str, Refine] = {
    "recut": Recut(),
    "imhm": Imhm(),
    "tfrp2": Tfrp2(),
    "igd": Igd(),
    "icsm": Icsm(),
    "reorder": Reorder(),
    "descent": Descent(),
    "search": Search(),
}
