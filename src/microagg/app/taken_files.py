"""Files that can be taken home from a run, and what each of them is."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CHECKS = "checks.json"
"""File of the checks that a release has passed: before it is there, the release is not given away."""

_ROLES = {
    "public": "report_public.html",
    "internal": "report.html",
    "plan": "release.toml",
    "command": "command.txt",
    "script": "script.py",
}


@dataclass(frozen=True)
class TakenFile:
    """File of a run that can be downloaded.

    Parameters
    ----------
    name
        Its name: the end of its address, /runs/N/files/NAME.
    role
        What it is: "release", "public", "internal", "plan", "command" or "script".
    n_bytes
        Its size.
    """

    name: str
    role: str
    n_bytes: int


def taken_files(folder: Path, release_name: str) -> Sequence[TakenFile]:
    """Return the files of a run that are there, in the order of the page; no other file may be downloaded.

    Parameters
    ----------
    folder
        Folder of the run.
    release_name
        Name of the released file.

    Returns
    -------
    sequence of TakenFile
        The release first, if its file has been checked.
    """
    names = {"release": release_name, **_ROLES}
    if not (folder / CHECKS).is_file():
        del names["release"]
    return [
        TakenFile(name, role, (folder / name).stat().st_size)
        for role, name in names.items()
        if (folder / name).is_file()
    ]
