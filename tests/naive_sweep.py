"""Slow and obvious version of the search for work folders that killed runs have left: ask every living process."""

from pathlib import Path

from microagg.control.left_folders import MARKER


def naive_sweep(folder: Path) -> list[Path]:
    """Return the folders with a marker that no process has open."""
    opened = set()
    for process in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            opened.add(process.readlink())
        except OSError:
            continue
    markers = [path / MARKER for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
    return sorted(marker.parent for marker in markers if marker.exists() and marker not in opened)
