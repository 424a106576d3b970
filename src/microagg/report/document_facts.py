"""Facts of a document: those of its result, with every check, what led to it, and what each column became."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import partial, singledispatch
from pathlib import Path
from typing import Any

from microagg.model.comparison import Comparison
from microagg.model.encoding import Encoding
from microagg.model.errors import InputError, VerificationError
from microagg.model.release import Release, SetRelease
from microagg.model.table import Table
from microagg.model.treatment import Treatment
from microagg.read import read, read_back
from microagg.report.document import KINDS
from microagg.report.facts import Facts, OutputFile, facts
from microagg.report.provenance import Provenance, ReportedFile, provenance_facts
from microagg.report.released_facts import category_counts, group_size_counts
from microagg.source.large_file import LargeSource
from microagg.verify import read_release, verify

ABOUT = ("facts", "schema", "program", "version")
"""Facts that are not about a result."""

_ROUNDED = ("mean", "median", "trimmed")


@dataclass(frozen=True)
class ReleaseDetails:
    """What only a document tells of a release.

    Parameters
    ----------
    sets
        What became of the columns of each set: `aggregates`, `whole_numbers`, `n_parts`, `is_merged`, `group_sizes`.
    verification
        Every check, and what was found.
    released_categories
        How often categories occur in the release, by the name of the column, of those that were assessed.
    """

    sets: list[Facts]
    verification: Facts
    released_categories: Facts = field(default_factory=dict)


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
    if about == "release":
        details = release_details(result, None if output is None else output.path)
        compared = None if comparison is None else facts(comparison)
        return {**_release_facts(result, known, details, given), "comparison": compared}
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


def _release_facts(release: Any, known: Facts, details: ReleaseDetails, given: Provenance) -> Facts:
    source = known["input"]
    output = known["output"] or {"file": None, "sha256": None}
    files = given.files or (
        ReportedFile("original", source["file"] or "", source["sha256"]),
        ReportedFile("release", output["file"] or "", output["sha256"]),
    )
    whole = replace(given, plan=given.plan or release.plan, files=files, reported=release.made)
    led = provenance_facts(whole) | {"read_as": source["read_as"]}
    if known["spark"] is not None:
        led["versions"]["Apache Spark"] = known["spark"]
    return {
        **known,
        "n_left_out_columns": 0,
        "sets": [{**one, **more, "rounded": False} for one, more in zip(known["sets"], details.sets, strict=True)],
        "assessment": None if known["assessment"] is None else _assessment_facts(known, details),
        "verification": details.verification,
        "provenance": led,
    }


def _assessment_facts(known: Facts, details: ReleaseDetails) -> Facts:
    """Return what was measured, with k, and with the frequencies of categories in the release alone."""
    return {
        **known["assessment"],
        "k": min(one["k"] for one in known["sets"]),
        "released_categories": details.released_categories,
        "rounded": False,
    }


@singledispatch
def release_details(release: Any, path: Path | None) -> ReleaseDetails:
    """Return what only a document tells of a release, of whichever kind it is.

    Parameters
    ----------
    release
        The release.
    path
        File that it was written to, which is checked in place of the released object; None: there is none.

    Returns
    -------
    ReleaseDetails
        Facts, as JSON can hold them.

    Raises
    ------
    InputError
        If the release is gone.
    VerificationError
        If the file fails a check: a defect of this package.
    """
    raise TypeError(f"there is no document about a release of type {type(release).__name__}")


@release_details.register
def _details(release: Release, path: Path | None) -> ReleaseDetails:
    _refuse_gone(release)
    sets = zip(release.sets, release.plan.sets, strict=True)
    assessed = () if release.assessment is None else release.assessment.categories
    return ReleaseDetails(
        [_set_details(release, released, planned.treatment) for released, planned in sets],
        release_checks(release, path),
        {
            one.name: dict(zip(("categories", "counts"), category_counts(release.table, one.name), strict=True))
            for one in assessed
        },
    )


def _set_details(release: Release, released: SetRelease, treatment: Treatment) -> Facts:
    """Return what became of the columns of one set."""
    encoding = released.solution.encoding
    assert encoding is not None, "releases are made of tables"
    integers = [name for name in released.columns if release.table.kind(name) == "integer"]
    return {
        **treated_columns(encoding, treatment, integers),
        "n_parts": len(released.solution.parts),
        "is_merged": bool(released.solution.merged_parts),
        "group_sizes": group_size_counts(release.table, released.columns),
    }


def treated_columns(encoding: Encoding, treatment: Treatment, integers: Collection[str]) -> Facts:
    """Return what the values of each group became in each column, and the columns whose values are rounded to integers.

    Parameters
    ----------
    encoding
        The columns of a set, with their levels of measurement.
    treatment
        How they are aggregated.
    integers
        Those columns that hold integers.
    """
    aggregates = {one.name: treatment.aggregate_of(one.name, one.level) for one in encoding.columns}
    rounded = [
        one.name
        for one in encoding.columns
        if treatment.keep_integers
        and one.level == "number"
        and aggregates[one.name] in _ROUNDED
        and one.name in integers
    ]
    return {"aggregates": aggregates, "whole_numbers": rounded}


def release_checks(release: Release, path: Path | None) -> Facts:
    """Check the file that was written, or else the released object, by code that shares nothing with what made it.

    Parameters
    ----------
    release
        The release.
    path
        File that it was written to; None: there is none.

    Returns
    -------
    dict
        Every check, and what was found.

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
    return {name: value for name, value in facts(verification).items() if name not in ABOUT}
