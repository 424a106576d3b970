"""Staging folder: where DataFrames rest between jobs, so that no failure makes an earlier job run again."""

import shutil
import tempfile
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlparse
from uuid import uuid4

from microagg.model.errors import InputError, WriteError


class Folders(Protocol):
    """Folders of a file system that all executors reach."""

    def exists(self, path: str) -> bool:
        """Check whether there is a file or folder."""

    def publish(self, folder: str, target: str) -> None:
        """Move a folder to a new name, on any file system, where it appears as a whole; raise `WriteError` if not."""

    def remove(self, path: str) -> None:
        """Remove a folder and all that is in it; nothing where there is none."""


class HadoopFolders:
    """Folders of any file system that Spark knows: local, HDFS, object stores.

    Parameters
    ----------
    spark
        A session that is not one of Spark Connect.
    """

    def __init__(self, spark: Any) -> None:
        self._jvm = spark._jvm
        self._configuration = spark._jsc.hadoopConfiguration()

    def exists(self, path: str) -> bool:
        """Check whether there is a file or folder."""
        system, place = self._at(path)
        return bool(system.exists(place))

    def publish(self, folder: str, target: str) -> None:
        """Move a folder to a new name, on any file system, where it appears as a whole; raise `WriteError` if not."""
        system, place = self._at(target)
        if system.exists(place):
            raise _taken(target)
        of_folder, found = self._at(folder)
        beside = self._jvm.org.apache.hadoop.fs.Path(place.getParent(), f".{place.getName()}-{uuid4().hex[:12]}")
        util = self._jvm.org.apache.hadoop.fs.FileUtil
        system.mkdirs(place.getParent())
        if system.getUri().equals(of_folder.getUri()):
            moved = of_folder.rename(found, beside)  # on a local file system this may copy, from disk to disk
        else:
            moved = util.copy(of_folder, found, system, beside, True, self._configuration)
        if not moved or system.exists(place) or not system.rename(beside, place):
            system.delete(beside, True)
            raise WriteError(f"the release could not be moved from {folder} to {target}: it is not there")

    def remove(self, path: str) -> None:
        """Remove a folder and all that is in it; nothing where there is none."""
        system, place = self._at(path)
        system.delete(place, True)

    def _at(self, path: str) -> tuple[Any, Any]:
        place = self._jvm.org.apache.hadoop.fs.Path(path)
        return place.getFileSystem(self._configuration), place


class LocalFolders:
    """Folders of this machine's own file system: all that a session of Spark Connect lets its client reach."""

    def exists(self, path: str) -> bool:
        """Check whether there is a file or folder."""
        return _local(path).exists()

    def publish(self, folder: str, target: str) -> None:
        """Move a folder to a new name, on any file system, where it appears as a whole; raise `WriteError` if not."""
        place = _local(target)
        if place.exists():
            raise _taken(target)
        beside = place.with_name(f".{place.name}-{uuid4().hex[:12]}")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(_local(folder), beside)
        beside.rename(place)

    def remove(self, path: str) -> None:
        """Remove a folder and all that is in it; nothing where there is none."""
        shutil.rmtree(_local(path), ignore_errors=True)


def folders_of(spark: Any) -> Folders:
    """Return the folders that a session can reach."""
    return LocalFolders() if getattr(spark, "_sc", None) is None else HadoopFolders(spark)


class Staging:
    """Folder of one call for what its jobs leave to later ones; it is removed in the end, whatever happens.

    Parameters
    ----------
    spark
        The session.
    folder
        Folder that all executors reach, in which the staging folder is made; None: the system's temporary folder,
        where all executors are on this machine.

    Raises
    ------
    InputError
        If no folder is given, and executors may be on other machines.
    """

    def __init__(self, spark: Any, folder: str | None = None) -> None:
        self._spark = spark
        self.folders = folders_of(spark)
        parent = _temporary_folder(spark) if folder is None else folder.rstrip("/")
        self.path = f"{parent}/.microagg-{uuid4().hex[:12]}"

    def __repr__(self) -> str:
        return f"Staging({self.path!r})"

    def place(self, name: str) -> str:
        """Return the path of what is stored under a name."""
        return f"{self.path}/{name}"

    def store(self, frame: Any, name: str) -> None:
        """Write a DataFrame under a name: an action.

        Parameters
        ----------
        frame
            The DataFrame.
        name
            A name that is used once.
        """
        frame.write.parquet(self.place(name))  # an error where there is such a folder

    def load(self, name: str) -> Any:
        """Return what is stored under a name, as a DataFrame.

        Parameters
        ----------
        name
            The name.
        """
        return self._spark.read.parquet(self.place(name))

    def drop(self, name: str) -> None:
        """Remove what is stored under a name.

        Parameters
        ----------
        name
            The name.
        """
        self.folders.remove(self.place(name))

    def remove(self) -> None:
        """Remove the folder and all that is in it."""
        self.folders.remove(self.path)


def check_new_folder(spark: Any, path: str) -> None:
    """Refuse an output folder that exists: before any work is done for it.

    Parameters
    ----------
    spark
        The session.
    path
        The folder.

    Raises
    ------
    WriteError
        If there is a file or folder of that name.
    """
    if folders_of(spark).exists(path):
        raise _taken(path)


def _taken(path: str) -> WriteError:
    return WriteError(f"the output {path} exists: choose a new folder, nothing is ever written over an old one")


def _temporary_folder(spark: Any) -> str:
    context = getattr(spark, "_sc", None)
    master = "" if context is None else str(context.master)
    if not master.startswith("local"):
        raise InputError(
            "staging is not given, and executors may be on other machines: name a folder that all of them reach, as in "
            "staging='hdfs:///tmp' (--staging)"
        )
    return Path(tempfile.gettempdir()).as_uri()


def _local(path: str) -> Path:
    parsed = urlparse(path)
    if parsed.scheme not in ("", "file"):
        raise InputError(
            f"with Spark Connect only folders of this machine can be looked after, found {path}: choose a shared one, "
            "or a classic session"
        )
    return Path(parsed.path)
