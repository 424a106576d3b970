"""Waiting for what must come: so long that no test fails because a machine is slow, and not for ever."""

import time
from collections.abc import Callable

PATIENCE = 600.0  # seconds after which a test that waits has failed


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds.

    Parameters
    ----------
    condition
        The condition.
    what
        What is waited for, for the error where it does not come.
    """
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up, f"waited in vain until {what}"
        time.sleep(0.05)
