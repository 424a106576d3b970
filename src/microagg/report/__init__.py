"""Turn a release into a report: one file a format, one line below."""

from pathlib import Path
from typing import Protocol

from microagg.errors import InputError
from microagg.release import Release
from microagg.report.json import as_json
from microagg.report.text import as_text


class Report(Protocol):
    """Write a report about a release."""

    def __call__(self, release: Release) -> str:
        """Write the report."""


FORMATS: dict[str, Report] = {
    "text": as_text,
    "json": as_json,
}

_SUFFIXES = {".txt": "text", ".json": "json"}


def format_of(path: Path) -> str:
    """Tell the format of a report from its file's name."""
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"the report {path} must end in {' or '.join(_SUFFIXES)}: that tells its format")
    return _SUFFIXES[path.suffix.lower()]
