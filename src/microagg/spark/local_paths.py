"""Paths that are on this machine for certain: what can be said of them before Spark is started."""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlparse

from microagg.spark.session import environment_names_master, is_submitted

_HADOOP = ("HADOOP_CONF_DIR", "YARN_CONF_DIR", "HADOOP_HOME")  # variables whose files may name another file system
_FILE_SYSTEM = "spark.hadoop.fs.defaultFS"


def local_path(name: str, master: str | None, conf: Mapping[str, str]) -> Path | None:
    """Return the path on this machine that a name stands for; None where only Spark knows what it stands for.

    Parameters
    ----------
    name
        Name of a file or folder, as Spark takes it.
    master
        Where Spark is to run; None: where the environment says.
    conf
        Settings of Spark.
    """
    parsed = urlparse(name)
    if parsed.scheme == "file" and parsed.netloc in ("", "localhost"):
        return Path(parsed.path)
    if parsed.scheme or not _is_local(master) or _FILE_SYSTEM in conf or any(map(os.environ.get, _HADOOP)):
        return None
    return Path(name)


def _is_local(master: str | None) -> bool:
    """Check whether Spark is to run on this machine alone."""
    if is_submitted():
        return False
    return not environment_names_master() if master is None else master.startswith("local")
