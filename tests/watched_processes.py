"""Processes that end only when a sampler has seen what they did: however seldom it looks, it misses nothing."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from patience import PATIENCE
from process_meter import FamilySampler

_LOOKS = 2  # after the work: what the first looks at may have been listed before it

WAIT_TO_BE_SEEN = f"""
import pathlib, time
pathlib.Path("done").touch()
give_up = time.monotonic() + {PATIENCE}
while not pathlib.Path("seen").exists() and time.monotonic() < give_up:
    time.sleep(0.01)
"""
"""End of a program that is seen; it works in the folder of the test."""


def let_go_when_seen(sampler: type[FamilySampler], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder; let programs that wait there end when a sampler has seen what they did.

    Parameters
    ----------
    sampler
        What looks.
    folder
        The folder.
    monkeypatch
        Puts everything back after the test.
    """
    monkeypatch.chdir(folder)
    look = sampler.look
    n_looks = 0

    def look_and_tell(self: FamilySampler, family: Sequence[int]) -> None:
        nonlocal n_looks
        n_looks += (folder / "done").exists()
        look(self, family)
        if n_looks >= _LOOKS:
            (folder / "seen").touch()

    monkeypatch.setattr(sampler, "look", look_and_tell)
