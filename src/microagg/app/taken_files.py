"""Files that can be taken home from a run, and what each of them is."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class TakenFile:
    """File of a run that can be downloaded.

    Parameters
    ----------
    name
        Its name: the end of its address, /runs/N/files/NAME.
    role
        What it is: "release", "internal", "public", "plan", "command" or "script".
    n_bytes
        Its size.
    """

    name: str
    role: str
    n_bytes: int


def taken_files(folder: Path, release_name: str) -> Sequence[TakenFile]:
    """Return the files of a run that are there, in the order of the page; no other file may be downloaded."""
    raise NotImplementedError
