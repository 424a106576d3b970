"""Facts of a document: those of its result, with every check, what led to it, and what each column became."""

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from microagg.model.column_set import ColumnSet
from microagg.model.comparison import Comparison
from microagg.model.errors import InputError, VerificationError
from microagg.model.release import Release, SetRelease
from microagg.model.table import Table
from microagg.read import read, read_back
from microagg.report.document import KINDS
from microagg.report.facts import Facts, OutputFile, facts
from microagg.report.provenance import Provenance, ReportedFile, provenance_facts
from microagg.report.released_facts import category_counts, group_size_counts
from microagg.source.large_file import LargeSource
from microagg.verify import read_release, verify

_ROUNDED = ("mean", "median", "trimmed")


def document_facts(
    result: Any,
    output: OutputFile | None = None,
    provenance: Provenance | None = None,
    comparison: Comparison | None = None,
) -> Facts:
    """Return everything that a document shows.

    Parameters
    ----------
    result
        A release, an assessment, a verification or a comparison.
    output
        The file that a release was written to, if it was.
    provenance
        What led to the result; None: what the result itself tells.
    comparison
        Choices that were compared before a release was made.

    Returns
    -------
    dict
        Facts by name, as JSON can hold them.

    Raises
    ------
    InputError
        If there are no documents about such a result, if a comparison is given besides anything but a release, or if a
        release was written out of core.
    """
    known = facts(result, output)
    about = known["facts"]
    if about not in KINDS:
        raise InputError(f"there is no HTML document about such a result ({about}): choose 'text' or 'json'")
    given = provenance or Provenance()
    if isinstance(result, Release):
        _refuse_gone(result)
        compared = None if comparison is None else facts(comparison)
        checks = _checks(result, None if output is None else output.path)
        return {**_release_facts(result, known, given), "verification": checks, "comparison": compared}
    if comparison is not None:
        raise InputError(f"a comparison belongs to the document of a release, found one of a result ({about})")
    if isinstance(result, Comparison):
        given = _with_plan(given, result)
    marks = {"rounded": False} if about == "assessment" else {}
    return {**known, **marks, "provenance": provenance_facts(given)}


def _refuse_gone(release: Release) -> None:
    """Refuse a release that was written out of core: its columns were in files that are gone."""
    if isinstance(release.table.source, LargeSource) and release.path is not None:
        raise InputError(
            "the release does not fit in memory, and what it was made of is gone: let the command line write the "
            "document with the release, as in microagg protect … --report report.html"
        )


def _with_plan(given: Provenance, comparison: Comparison) -> Provenance:
    """Return a provenance with the plan that is recommended, and the file that was read."""
    files = given.files or (ReportedFile("original", comparison.file or "", None),)
    return replace(given, plan=given.plan or comparison.plan, files=files)


def _release_facts(release: Release, known: Facts, given: Provenance) -> Facts:
    source = known["input"]
    output = known["output"] or {"file": None, "sha256": None}
    files = given.files or (
        ReportedFile("original", source["file"] or "", source["sha256"]),
        ReportedFile("release", output["file"] or "", output["sha256"]),
    )
    whole = replace(given, plan=given.plan or release.plan, files=files, reported=release.made)
    return {
        **known,
        "n_left_out_columns": 0,
        "sets": [
            {**one, **_set_facts(release, released, planned)}
            for one, released, planned in zip(known["sets"], release.sets, release.plan.sets, strict=True)
        ],
        "assessment": None if known["assessment"] is None else _assessment_facts(release, known["assessment"]),
        "provenance": provenance_facts(whole),
    }


def _assessment_facts(release: Release, known: Facts) -> Facts:
    """Return what was measured, with k, and with the frequencies of categories in the release alone."""
    return {
        **known,
        "k": min(one.k for one in release.sets),
        "released_categories": {
            one["name"]: dict(zip(("categories", "counts"), category_counts(release.table, one["name"]), strict=True))
            for one in known["categories"]
        },
        "rounded": False,
    }


def _set_facts(release: Release, released: SetRelease, planned: ColumnSet) -> Facts:
    """Return what became of the columns of one set."""
    encoding = released.solution.encoding
    assert encoding is not None, "releases are made of tables"
    treatment = planned.treatment
    aggregates = {one.name: treatment.aggregate_of(one.name, one.level) for one in encoding.columns}
    whole = [
        one.name
        for one in encoding.columns
        if treatment.keep_integers
        and one.level == "number"
        and aggregates[one.name] in _ROUNDED
        and release.table.kind(one.name) == "integer"
    ]
    return {
        "aggregates": aggregates,
        "whole_numbers": whole,
        "n_parts": len(released.solution.parts),
        "is_merged": bool(released.solution.merged_parts),
        "group_sizes": group_size_counts(release.table, released.columns),
        "rounded": False,
    }


def _checks(release: Release, path: Path | None) -> Facts:
    """Check the file that was written, or else the released object, by code that shares nothing with what made it.

    Raises
    ------
    VerificationError
        If the file fails a check: a defect of this package.
    """
    source = release.table.source
    if path is None:
        released = release.table if isinstance(source, LargeSource) else read_back(release.data, release.table.names)
    elif isinstance(source, LargeSource):
        released = read_release(path, release.plan.reading, partial(read, memory=0, folder=source.folder))
    else:
        released = read_release(path, release.plan.reading)
    verification = verify(Table(source), released, plan=release.plan)
    if path is not None and not verification.passed:
        failed = "; ".join(one.check for one in verification.findings if one.passed is False)
        raise VerificationError(f"the file that was written fails a check ({failed}): nothing is released")
    return {"passed": verification.passed, **asdict(verification)}
