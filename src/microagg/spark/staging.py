"""Staging folder: where DataFrames rest between jobs, so that no failure makes an earlier job run again."""

import logging
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlparse
from uuid import uuid4

from microagg.model.errors import InputError, WriteError
from microagg.spark.input_files import FileStamp

_log = logging.getLogger("microagg")

_OWNER_ONLY = "700"
_WITHOUT_FOLDERS = ("s3", "s3a", "s3n", "gs", "wasb", "wasbs", "oss", "cosn")  # object stores: only files have names
_FOR = {"output": "of the output", "staging": "for temporary files (--staging)"}


class Folders(Protocol):
    """Folders of a file system that all executors reach."""

    def exists(self, path: str) -> bool:
        """Check whether there is a file or folder."""

    def check_new(self, target: str) -> None:
        """Raise `WriteError` if a folder exists, or cannot be made where it is to be."""

    def publish(self, folder: str, target: str) -> None:
        """Move a folder to a new name, on any file system, where it appears as a whole; raise `WriteError` if not."""

    def remove(self, path: str) -> None:
        """Remove a folder and all that is in it; nothing where there is none."""

    def make_private(self, path: str) -> None:
        """Make a folder that nobody but its owner may read, if all executors are that owner for certain.

        Its parent is never made; `WriteError` is raised if that is not there, or nothing can be written to it.
        """

    def stamps(self, paths: Sequence[str]) -> dict[str, FileStamp] | None:
        """Return the stamps that files have now, of those that are there; None where nothing is known of them."""


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
        self._is_local = is_on_this_machine(spark)

    def exists(self, path: str) -> bool:
        """Check whether there is a file or folder."""
        system, place = self._at(path)
        return bool(system.exists(place))

    def check_new(self, target: str) -> None:
        """Raise `WriteError` if a folder exists, or cannot be made where it is to be."""
        if self.exists(target):
            raise _taken(target)
        _, place = self._at(target)
        self._check_parent(target, "output")
        tried = self._path(place.getParent(), f".microagg-{uuid4().hex[:12]}").toString()
        self._make(tried, "output")
        self.remove(tried)

    def publish(self, folder: str, target: str) -> None:
        """Move a folder to a new name, on any file system, where it appears as a whole; raise `WriteError` if not."""
        from py4j.protocol import Py4JJavaError

        try:
            self._publish(folder, target)
        except Py4JJavaError as error:
            reason = error.java_exception.getMessage()
            raise WriteError(f"the release cannot be moved from {folder} to {target}: {reason}") from error

    def _publish(self, folder: str, target: str) -> None:
        system, place = self._at(target)
        if system.exists(place):
            raise _taken(target)
        if not self.exists(folder):
            raise _gone()
        beside = self._path(place.getParent(), f".{place.getName()}-{uuid4().hex[:12]}")
        system.mkdirs(place.getParent())
        if not self._move(self._at(folder), (system, beside)):
            raise WriteError(f"the release cannot be moved from {folder} beside {target}: choose another folder")
        astray = self._path(place, beside.getName())
        renamed = not system.exists(place) and system.rename(beside, place)
        if renamed and not system.exists(astray):
            return
        # Somebody else has made the target meanwhile; a folder that is renamed to that of another goes into it.
        self._move((system, astray if renamed else beside), self._at(folder))
        raise _taken(target)

    def _move(self, source: tuple[Any, Any], target: tuple[Any, Any]) -> bool:
        """Move a folder, which is copied where the file systems differ; return whether it is there."""
        old, found = source
        new, place = target
        if new.getUri().equals(old.getUri()):
            return bool(old.rename(found, place))  # on a local file system this may copy, from disk to disk
        return bool(self._jvm.org.apache.hadoop.fs.FileUtil.copy(old, found, new, place, True, self._configuration))

    def remove(self, path: str) -> None:
        """Remove a folder and all that is in it; nothing where there is none."""
        system, place = self._at(path)
        system.delete(place, True)

    def make_private(self, path: str) -> None:
        """Make a folder that nobody but its owner may read, if all executors are that owner for certain."""
        system, _ = self._at(path)
        self._check_parent(path, "staging")
        if system.getUri().getScheme() == "file" and not self._is_local:
            return
        self._make(path, "staging")

    def _check_parent(self, path: str, what: str) -> None:
        """Refuse a folder whose parent is not there, where the file system has folders."""
        system, place = self._at(path)
        parent = place.getParent()
        if system.getUri().getScheme() in _WITHOUT_FOLDERS or parent is None:
            return
        if not system.exists(parent) or not system.getFileStatus(parent).isDirectory():
            raise missing_folder(parent.toString(), what)

    def _make(self, path: str, what: str) -> None:
        """Make a folder that only its owner may read."""
        from py4j.protocol import Py4JJavaError

        system, place = self._at(path)
        private = self._jvm.org.apache.hadoop.fs.permission.FsPermission(_OWNER_ONLY)
        try:
            is_made = system.mkdirs(place, private)
        except Py4JJavaError as error:
            raise unwritable_folder(place.getParent().toString(), what) from error
        if not is_made:
            raise unwritable_folder(place.getParent().toString(), what)

    def stamps(self, paths: Sequence[str]) -> dict[str, FileStamp]:
        """Return the stamps that files have now, of those that are there; None where nothing is known of them."""
        places = {path: self._path(self._jvm.java.net.URI(path)) for path in paths}
        listed: dict[str, FileStamp] = {}
        for folder in {str(place.getParent().toString()): place.getParent() for place in places.values()}.values():
            system = folder.getFileSystem(self._configuration)
            if system.exists(folder):
                for status in system.listStatus(folder):
                    listed[status.getPath().toString()] = FileStamp(status.getLen(), status.getModificationTime())
        found = {path: listed.get(place.toString()) for path, place in places.items()}
        return {path: stamp for path, stamp in found.items() if stamp is not None}

    def _at(self, path: str) -> tuple[Any, Any]:
        place = self._path(path)
        return place.getFileSystem(self._configuration), place

    def _path(self, *parts: Any) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(*parts)


class LocalFolders:
    """Folders of this machine's own file system: all that a session of Spark Connect lets its client reach."""

    def exists(self, path: str) -> bool:
        """Check whether there is a file or folder."""
        return _local(path).exists()

    def check_new(self, target: str) -> None:
        """Raise `WriteError` if a folder exists, or cannot be made where it is to be."""
        check_new_local(_local(target), target)

    def publish(self, folder: str, target: str) -> None:
        """Move a folder to a new name, on any file system, where it appears as a whole; raise `WriteError` if not."""
        place = _local(target)
        if place.exists():
            raise _taken(target)
        if not _local(folder).exists():
            raise _gone()
        beside = place.with_name(f".{place.name}-{uuid4().hex[:12]}")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(_local(folder), beside)
        beside.rename(place)

    def remove(self, path: str) -> None:
        """Remove a folder and all that is in it; nothing where there is none."""
        shutil.rmtree(_local(path), ignore_errors=True)

    def make_private(self, path: str) -> None:
        """Make no folder: the server does, as whoever it is."""

    def stamps(self, paths: Sequence[str]) -> None:
        """Return None: the files of the input are those of the server."""


def folders_of(spark: Any) -> Folders:
    """Return the folders that a session can reach."""
    return LocalFolders() if getattr(spark, "_sc", None) is None else HadoopFolders(spark)


class Staging:
    """Folder of one call for what its jobs leave to later ones; it is removed in the end, unless the driver is killed.

    It holds originals: where nobody else needs to, only its owner may read it.

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
        self._schemas: dict[str, Any] = {}
        self.folders = folders_of(spark)
        parent = _temporary_folder(spark) if folder is None else folder.rstrip("/")
        self.path = f"{parent}/.microagg-{uuid4().hex[:12]}"
        self.folders.make_private(self.path)

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
        self._schemas[name] = frame.schema
        frame.write.parquet(self.place(name))  # an error where there is such a folder

    def load(self, name: str) -> Any:
        """Return what was stored under a name, as a DataFrame; its schema is known, so that no job looks for it.

        Parameters
        ----------
        name
            The name.
        """
        return self._spark.read.schema(self._schemas[name]).parquet(self.place(name))

    def drop(self, name: str) -> None:
        """Remove what is stored under a name.

        Parameters
        ----------
        name
            The name.
        """
        self.folders.remove(self.place(name))

    def remove(self) -> None:
        """Remove the folder and all that is in it; warn where that is not possible."""
        try:
            self.folders.remove(self.path)
            is_left = self.folders.exists(self.path)
        except Exception:  # of a session that is gone: what is under way may be another error, which is to be told
            is_left = True
        if is_left:
            _log.warning("the staging folder %s cannot be removed: it holds originals, remove it yourself", self.path)


def check_new_folder(spark: Any, path: str) -> None:
    """Refuse an output folder that exists or cannot be made: before any work is done for it.

    Parameters
    ----------
    spark
        The session.
    path
        The folder.

    Raises
    ------
    WriteError
        If there is a file or folder of that name, or none can be made there.
    """
    folders_of(spark).check_new(path)


def check_new_local(place: Path, path: str) -> None:
    """Refuse an output folder of this machine that exists or cannot be made.

    Parameters
    ----------
    place
        The folder.
    path
        Its name, as it was given.

    Raises
    ------
    WriteError
        If there is a file or folder of that name, or none can be made there.
    """
    if place.exists():
        raise _taken(path)
    check_local_folder(place.parent, "output")


def check_local_folder(folder: Path, what: str) -> None:
    """Refuse a folder of this machine that is not there, or to which nothing can be written.

    Parameters
    ----------
    folder
        The folder.
    what
        What is to be made in it: "output" or "staging".

    Raises
    ------
    WriteError
        If nothing can be made in it.
    """
    if not folder.is_dir():
        raise missing_folder(str(folder), what)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise unwritable_folder(str(folder), what)


def missing_folder(folder: str, what: str) -> WriteError:
    """Return the error of a folder that is not there.

    Parameters
    ----------
    folder, what
        As in `check_local_folder`.
    """
    return WriteError(f"the folder {folder} {_FOR[what]} is not there: make it first, or choose another")


def unwritable_folder(folder: str, what: str) -> WriteError:
    """Return the error of a folder to which nothing can be written.

    Parameters
    ----------
    folder, what
        As in `check_local_folder`.
    """
    return WriteError(f"nothing can be written to the folder {folder} {_FOR[what]}: choose another")


def _taken(path: str) -> WriteError:
    return WriteError(f"the output {path} exists: choose a new folder, nothing is ever written over an old one")


def _gone() -> WriteError:
    return WriteError("the release is not in its staging folder any more: it was written already, or closed")


def is_on_this_machine(spark: Any) -> bool:
    """Check whether all executors of a session are processes of this machine and of this user."""
    context = getattr(spark, "_sc", None)
    return context is not None and str(context.master).startswith("local")


def _temporary_folder(spark: Any) -> str:
    if not is_on_this_machine(spark):
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
