"""Calls that workers make in parallel, and that can be ended from outside."""

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, wait

from microagg.control.workers import Workers
from microagg.kernels.tick import Tick
from microagg.model.arrays import BoolArray

_SECONDS_PER_TICK = 0.2


def call_in_parallel(
    workers: Workers, calls: Iterable[Callable[[], object]], stop_flags: list[BoolArray], tick: Tick
) -> None:
    """Make all calls in parallel; where `tick` raises, set the flags of shape (1,) that end them, and leave."""
    running = {workers.submit(call) for call in calls}
    try:
        while running:
            tick()
            finished, running = wait(running, _SECONDS_PER_TICK, FIRST_EXCEPTION)
            for future in finished:
                future.result()
    except BaseException:
        for flag in stop_flags:
            flag[0] = True
        for future in running:
            future.cancel()
        raise
