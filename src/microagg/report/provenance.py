"""Provenance of a report: the command, the plan, the files and the versions behind it, without credentials."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.version import __version__

_PROGRAMS = ("numpy", "numba", "scipy", "highspy", "polars", "narwhals", "scikit-learn", "pandas", "pyarrow")
_USER = re.compile(r"://.*@")  # up to the last @, which a password may contain, too
_SECRET = re.compile(r"([?&;](?:password|passwd|pwd|token|secret|key|apikey|api_key)=)[^&;\s]*", re.IGNORECASE)
_MASK = "***"


@dataclass(frozen=True)
class ReportedFile:
    """File that a report names.

    Parameters
    ----------
    role
        What it is: "original", "release" or "plan".
    name
        Its name, without the folder.
    sha256
        Its checksum, as `sha256sum` prints it.
    """

    role: str
    name: str
    sha256: str | None


@dataclass(frozen=True)
class Provenance:
    """What led to a result: the command, the plan and the files.

    Parameters
    ----------
    command
        Arguments of the command line, the program's name first; empty where there was none.
    plan
        Plan that was carried out or checked, if there is one.
    files
        Files that were read and written.
    reported
        When the report is made.
    """

    command: Sequence[str] = ()
    plan: Plan | None = None
    files: Sequence[ReportedFile] = ()
    reported: datetime = field(default_factory=lambda: datetime.now(UTC))


def provenance_facts(provenance: Provenance) -> dict[str, Any]:
    """Return a provenance as plain facts, credentials masked.

    Parameters
    ----------
    provenance
        What led to a result.

    Returns
    -------
    dict
        Facts by name, as JSON can hold them.
    """
    return {
        "command": shlex.join(map(masked, provenance.command)) or None,
        "plan": None if provenance.plan is None else masked(_plan_text(provenance.plan)),
        "files": [{"role": one.role, "file": masked(one.name), "sha256": one.sha256} for one in provenance.files],
        "versions": _versions(),
        "reported": provenance.reported.isoformat(timespec="seconds"),
    }


def masked(text: str) -> str:
    """Replace user names, passwords and tokens in the address of a database by asterisks."""
    return _SECRET.sub(rf"\1{_MASK}", _USER.sub(f"://{_MASK}@", text))


def _plan_text(plan: Plan) -> str:
    """Return a plan as TOML; a stage of the user's own, which TOML cannot hold, as Python shows it."""
    try:
        return plan.to_toml().strip()
    except InputError:
        return repr(plan)


def _versions() -> dict[str, str]:
    """Return the versions of Python and of those programs that are installed."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    found = {"microagg": __version__, "Python": platform.python_version()}
    for name in _PROGRAMS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
