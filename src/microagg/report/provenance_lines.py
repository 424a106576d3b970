"""Lines of a text report about what led to its result, and the place for a signature."""

from collections.abc import Mapping
from typing import Any

from microagg.report import words
from microagg.report.section import Section


def read_as_line(read_as: Mapping[str, str]) -> dict[str, str]:
    """Return the line that says how a file was read; none where it could be read in one way only."""
    return {words.READ_AS: ", ".join(f"{what} {how}" for what, how in read_as.items())} if read_as else {}


def provenance_lines(facts: dict[str, Any]) -> list[Section]:
    """Return the files, the command, the versions and the place for a signature; nothing where they are not told."""
    provenance = facts.get("provenance")
    if provenance is None:
        return []
    files = {
        words.FILE_ROLES[one["role"]]: f"{one['file'] or words.NOT_A_FILE}, SHA-256 {one['sha256'] or words.NOTHING}"
        for one in provenance["files"]
    }
    versions = ", ".join(f"{name} {version}" for name, version in provenance["versions"].items())
    led = {
        **files,
        words.TEXT_COMMAND: provenance["command"] or words.COMMAND_NONE,
        words.TEXT_VERSIONS: versions,
        words.TEXT_DATE: provenance["reported"],
    }
    signature = dict.fromkeys(words.SIGNATURE_LINES, words.TEXT_LINE)
    return [Section("", led), Section("", signature)]
