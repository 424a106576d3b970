"""Files that records are read from: the same before and after the work, or nothing is released."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from microagg.model.errors import ClusterError


class FileStamp(NamedTuple):
    """By what it is seen that a file was changed.

    Parameters
    ----------
    size
        Number of its bytes.
    modified
        When it was last written, in milliseconds since 1970.
    """

    size: int
    modified: int


class StampedFolders(Protocol):
    """Folders that tell the stamps of their files."""

    def stamps(self, paths: Sequence[str]) -> dict[str, FileStamp] | None:
        """Return the stamps that files have now, of those that are there; None where nothing is known of them."""


def check_unchanged(files: Mapping[str, FileStamp], folders: StampedFolders) -> None:
    """Check that the files of the input are those that Spark has listed before it read them.

    Parameters
    ----------
    files
        Stamp of each file, as Spark has listed it.
    folders
        Tell the stamps that they have now.

    Raises
    ------
    ClusterError
        If a file was changed or removed.
    """
    now = folders.stamps(list(files))
    if now is None:
        return
    changed = sorted(path for path, stamp in files.items() if now.get(path) != stamp)
    if changed:
        more = f" (and {len(changed) - 1} more)" if len(changed) > 1 else ""
        raise ClusterError(
            f"the input changed while it was read, {changed[0]}{more} is another file now: nothing is released, "
            "read the input again when nobody writes to it"
        )
