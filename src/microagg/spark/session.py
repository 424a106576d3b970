"""Session of Spark: the one that is there, or a new one with settings that suit this package, without its log."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any

from microagg.model.errors import InputError, MicroaggError
from microagg.spark import worker_daemon

SAID_BY_SPARK = "Spark says: "
"""With which the words of Spark begin in an error of this package."""

_TRIES = 4  # of a task, before the job fails: as on a cluster
_LOCAL = re.compile(r"local(?:\[(\d+|\*)\])?")
_MASTERS = re.compile(
    r"local|local\[(\d+|\*)(,\s*\d+)?\]|local-cluster\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\]|yarn|(spark|k8s|mesos)://\S+"
)
_KNOWN_MASTERS = "local, local[N], local[*], spark://HOST:PORT, yarn or k8s://HOST:PORT"
_NAMES_MASTER = ("PYSPARK_SUBMIT_ARGS", "MASTER", "SPARK_REMOTE")  # variables of the environment
_STDERR = 2
_JAVA_ENDED = "JAVA_GATEWAY_EXITED"  # in the error of a session whose Java process has ended at once
_JAVA_TOO_OLD = "UnsupportedClassVersionError"
_NO_REASONS = ("Error: Could not create the Java", "Error: A fatal exception")  # lines of Java after its reason
_REASON = re.compile(r'(?:Exception in thread "main" )?(?:Error: |[\w.$]+(?:Exception|Error): )(.+)')
_MAX_LETTERS = 300  # of an error of Spark that are told

_SETTINGS = {
    "spark.app.name": "microagg",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",  # as times in Parquet are read on one machine
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",  # else other tools read them without a time zone
}
_LOCAL_SETTINGS = {
    "spark.driver.host": "127.0.0.1",  # nobody else is to reach it, and the host's name need not be known
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.python.daemon.module": worker_daemon.MODULE,
    "spark.ui.enabled": "false",
}


@contextmanager
def opened_session(
    master: str | None = None, conf: Mapping[str, str] | None = None, *, shows_log: bool = False
) -> Iterator[Any]:
    """Open a session in a `with` block: the one that is there, or a new one, which is stopped at the end.

    Parameters
    ----------
    master, conf, shows_log
        As in `make_session`.

    Yields
    ------
    SparkSession
        The session.
    """
    was_there = _session_class().getActiveSession() is not None
    spark = make_session(master, conf, shows_log=shows_log)
    try:
        yield spark
    finally:
        if not was_there:
            spark.stop()


def make_session(master: str | None = None, conf: Mapping[str, str] | None = None, *, shows_log: bool = False) -> Any:
    """Make a session, or return the one that is there.

    A session of this machine alone tries a task again that has failed, as those of clusters do, runs the Python that
    runs this, forks its workers from `worker_daemon`, and is reached by nobody else. Of a session that `spark-submit`
    has prepared, nothing is changed but what `conf` says.

    Parameters
    ----------
    master
        Where it runs, such as "local[4]", "spark://host:7077", "yarn" or "k8s://https://host:6443"; None: where the
        environment says, else on all processors of this machine.
    conf
        Further settings of Spark, by their names.
    shows_log
        Whether what Spark logs is printed.

    Returns
    -------
    SparkSession
        The session.

    Raises
    ------
    InputError
        If pyspark or Java is missing, the session that is there has another master or cannot take a setting, or Spark
        cannot start so.
    """
    session = _session_class()
    settings = dict(conf or {})
    active = session.getActiveSession()
    if active is not None:
        return _with_settings(active, master, settings)
    if is_submitted():
        if master is not None:
            raise InputError(f"master {master!r} is given besides that of spark-submit: name it there, or here only")
        return _started(session, settings, shows_log=True)
    chosen = master if master is not None or environment_names_master() else "local[*]"
    if chosen is not None:
        settings = {**_settings_of(chosen), **settings}
    if "SPARK_REMOTE" not in os.environ:
        _check_java()
    return _started(session, {**_SETTINGS, **settings}, shows_log=shows_log)


def is_submitted() -> bool:
    """Check whether `spark-submit` has started this process."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def described_session(spark: Any) -> str:
    """Describe a session: which Spark it is, and where.

    Parameters
    ----------
    spark
        The session.

    Returns
    -------
    str
        As "Spark 4.0.1 at local[*,4], 8 tasks at a time".
    """
    context = getattr(spark, "_sc", None)
    if context is None:
        return f"Spark {spark.version} by Spark Connect"
    return f"Spark {spark.version} at {context.master}, {context.defaultParallelism} tasks at a time"


def spark_error(error: BaseException) -> MicroaggError | None:
    """Return an error of Spark as one of this package, in one sentence; None where it is no error of Spark.

    Parameters
    ----------
    error
        What came out of a call of Spark.
    """
    if not type(error).__module__.startswith(("pyspark.", "py4j.")):
        return None
    java_error = getattr(error, "java_exception", None)
    text = str(error) if java_error is None else str(java_error)
    sentence = next((line for line in text.splitlines() if line.strip()), type(error).__name__).strip()
    shown = sentence if len(sentence) <= _MAX_LETTERS else f"{sentence[:_MAX_LETTERS]} …"
    kind = InputError if type(error).__name__ in ("AnalysisException", "ParseException") else MicroaggError
    return kind(f"{SAID_BY_SPARK}{shown}")


def _session_class() -> Any:
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError as missing:
        raise InputError(f"Spark needs the package {missing.name}: pip install 'microagg[spark]'") from None
    return SparkSession


def _settings_of(master: str) -> dict[str, str]:
    """Return the settings that belong to a master; on this machine alone, let a failed task be tried again."""
    if master.startswith("sc://"):
        raise InputError(
            f"master must be local[N], spark://…, yarn or k8s://…, found {master!r}: for Spark Connect set "
            "the variable SPARK_REMOTE, and name no master"
        )
    if _MASTERS.fullmatch(master) is None:
        raise InputError(f"Spark does not know the master {master!r} (--master): choose {_KNOWN_MASTERS}")
    local = _LOCAL.fullmatch(master)
    if local is not None:
        master = f"local[{local[1] or 1},{_TRIES}]"
    if not master.startswith("local"):
        return {"spark.master": master}
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    return {"spark.master": master, **_LOCAL_SETTINGS}


def _with_settings(spark: Any, master: str | None, settings: Mapping[str, str]) -> Any:
    """Change the settings of a session that is there; refuse what cannot be changed any more."""
    if master is not None:
        raise InputError(f"master {master!r} is given, but there is a session already: leave it out")
    for name, value in settings.items():
        try:
            spark.conf.set(name, value)
        except Exception as error:
            if spark_error(error) is None:
                raise
            raise InputError(f"setting {name} of the session that is there cannot be changed: leave it out") from error
    return spark


def _started(session: Any, settings: Mapping[str, str], *, shows_log: bool) -> Any:
    """Start a session, with a Java process whose messages are printed or not."""
    builder = session.builder
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        with nullcontext() if shows_log else _discarded_stderr():
            return builder.getOrCreate()
    except Exception as error:
        own = spark_error(error)
        if own is None:
            raise
        if _JAVA_ENDED in str(error):
            raise InputError(start_failure(_said_at_start(builder), _java_version())) from error
        raise InputError(f"Spark could not start: {own}") from error


def start_failure(said: str, java: str | None) -> str:
    """Return why Spark could not start, in a sentence, by what its process has printed.

    Parameters
    ----------
    said
        What it has printed.
    java
        What this machine's Java says of itself; None where it does not start.
    """
    if java is None:
        return "Spark could not start Java: it needs Java 17 or later, installed in the PATH or under JAVA_HOME"
    if _JAVA_TOO_OLD in said:
        return f"Spark could not start {java}: it needs Java 17 or later, in the PATH or under JAVA_HOME"
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith(_NO_REASONS)]
    reasons = [found[1] for line in lines if (found := _REASON.match(line))]
    told = (reasons or lines[-1:] or ["nothing"])[0]
    return f"Spark could not start: {SAID_BY_SPARK}{told[:_MAX_LETTERS]}"


def _said_at_start(builder: Any) -> str:
    """Try once more to start a session that has failed, and return what is printed meanwhile."""
    with tempfile.TemporaryFile() as file:
        with _redirected_stderr(file), suppress(Exception):
            builder.getOrCreate()
        file.seek(0)
        return file.read().decode(errors="replace")


@contextmanager
def _discarded_stderr() -> Iterator[None]:
    """Let processes that are started in a `with` block print nothing to stderr, as long as they live."""
    with Path(os.devnull).open("wb") as nowhere, _redirected_stderr(nowhere):
        yield


@contextmanager
def _redirected_stderr(file: IO[bytes]) -> Iterator[None]:
    """Let processes that are started in a `with` block print to a file what is for stderr, as long as they live."""
    sys.stderr.flush()
    kept = os.dup(_STDERR)
    os.dup2(file.fileno(), _STDERR)
    try:
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)


def environment_names_master() -> bool:
    """Check whether the environment says where sessions run: by a variable, or in Spark's file of defaults."""
    if any(os.environ.get(name) for name in _NAMES_MASTER):
        return True
    home = os.environ.get("SPARK_HOME")
    folder = os.environ.get("SPARK_CONF_DIR") or (f"{home}/conf" if home else None)
    if folder is None:
        return False
    with suppress(OSError):
        lines = (Path(folder) / "spark-defaults.conf").read_text(encoding="utf-8").splitlines()
        return any(re.match(r"\s*spark\.(master|remote)[\s=:]", line) for line in lines)
    return False


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java") if not home else shutil.which("java", path=f"{home}/bin")
    if found is None:
        where = f"under JAVA_HOME={home}" if home else "in the PATH"
        raise InputError(f"Spark needs Java 17 or later, found none {where}: install one, or set JAVA_HOME")


def _java_version() -> str | None:
    """Return what this machine's Java says of itself; None where it does not start."""
    java = f"{os.environ['JAVA_HOME']}/bin/java" if os.environ.get("JAVA_HOME") else "java"
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 0 and done.stderr.strip():
            return done.stderr.splitlines()[0].strip()
    return None
