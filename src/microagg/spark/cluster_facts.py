"""Facts of a release on a cluster: those of any other release by the same names, and the stages of the work."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlparse

from microagg.model.column_set import ColumnSet
from microagg.model.errors import InputError
from microagg.model.roles import ROLES
from microagg.report.document_facts import ABOUT, ReleaseDetails, treated_columns
from microagg.report.facts import (
    Facts,
    OutputFile,
    exposure_facts,
    facts,
    headed_facts,
    plan_options,
    together_facts,
    verdict_facts,
)
from microagg.spark.cluster_findings import cluster_verification, kept_columns
from microagg.spark.jobs import StageTime
from microagg.spark.joined_release import RELEASE
from microagg.spark.record_fields import quoted
from microagg.spark.spark_release import PartResult, SparkRelease, SparkSetRelease
from microagg.spark.staging import Staging

_OF_SPARK = "part-"  # the names of files that Spark writes begin so


def cluster_facts(release: SparkRelease, output: OutputFile | None = None) -> Facts:
    """Return the facts of a release on a cluster, as `facts` does.

    Parameters
    ----------
    release
        The release.
    output
        The folder that it was or will be written to; None: the one that the release knows, if any.

    Returns
    -------
    dict
        Facts by name, as JSON can hold them. What is not looked at on a cluster is None.
    """
    plan = release.plan
    unchanged = [name for name in kept_columns(release) if name not in release.columns]
    source = _source_name(release.rows.frame.inputFiles(), release.staging)
    written = output
    if written is None and release.path is not None:
        written = OutputFile(PurePosixPath(release.path).name, None)
    return headed_facts(
        "release",
        made=release.made.isoformat(timespec="seconds"),
        input={
            "file": source,
            "kind": None if source is None else "Parquet",
            "table": None,
            "sha256": None,
            "n_records": release.rows.n_records,
            "read_as": {},
        },
        output=None if written is None else {"file": written.name, "sha256": written.sha256},
        plan=plan_options(plan),
        columns=list(release.columns),
        as_they_came=unchanged,
        identifying=list(release.identifying),
        verdict=verdict_facts(release.verdict),
        exposure=exposure_facts(release.exposure),
        remarks=[] if release.verdict is None else [one.sentence for one in release.verdict.warnings],
        dropped=list(plan.drop),
        index=False,
        shuffled=False,
        n_records=release.n_records,
        n_suppressed=release.n_suppressed,
        roles={role: list(plan.roles.columns_of(role)) for role in ROLES},
        random_state=plan.random_state,
        together=together_facts(release.together),
        sets=[_set_facts(release, *both) for both in zip(release.sets, plan.sets, strict=True)],
        assessment=None,
        spark=release.frame.sparkSession.version,
        stages=_stages(release.stage_times),
    )


def _source_name(files: Sequence[str], staging: Staging) -> str | None:
    """Return the name of the folder that files are in, or of the only file; None of files in the staging folder."""
    paths = [PurePosixPath(unquote(urlparse(file).path)) for file in files]
    own_folder = PurePosixPath(staging.path).name
    if not paths or any(own_folder in path.parts for path in paths):
        return None
    if len(paths) == 1 and not paths[0].name.startswith(_OF_SPARK):
        return paths[0].name
    shared = {path for path in paths[0].parents if all(path in other.parents for other in paths)}
    folders = [path for path in paths[0].parents if path in shared and "=" not in path.name]
    return folders[0].name


def _set_facts(release: SparkRelease, one: SparkSetRelease, planned: ColumnSet) -> Facts:
    plan = release.plan
    encoding = one.facts.encoding
    named = not set(plan.roles.strata) & set(plan.drop)
    return {
        "columns": list(one.columns),
        "standardise": planned.treatment.standardise,
        "keep_integers": planned.keep_integers,
        "means_only": encoding.is_plain and not (planned.aggregate or plan.roles.weight),
        "replaced_scales": [list(each) for each in encoding.replaced_scales],
        "method": one.method,
        "reason": one.reason,
        "k": one.k,
        "n_records": release.n_records,
        "n_groups": one.n_groups,
        "sse": one.sse,
        "sst": one.sst,
        "information_loss": one.information_loss,
        "lower_bound": None,
        "bound_kind": None,
        "bound_converged": None,
        "bound_ended_by": None,
        "gap": None,
        "status": "heuristic",
        "iterations": 0,
        "starts": 1,
        "ended_by": None,
        "fallback_share": 0.0,
        "improved_by_bound": False,
        "improved": None,
        "parts": [_part_facts(part, number, named) for number, part in enumerate(one.parts, start=1)],
        "n_merged": len(one.merged_parts),
        "merged_parts": [{"part": part, "joined": other} for part, other in one.merged_parts] if named else [],
        "rules": [asdict(cost) for cost in one.rule_costs],
        "random_state": plan.random_state,
        "reproducible": True,
        "unit": plan.roles.unit,
        "smallest_group": min(one.sizes),
        "largest_group": max(one.sizes),
        "verified": one.measures.k_reached >= one.k,
        "n_below_k": one.n_below_k,
        "k_if_missing_agrees": one.k_if_missing_agrees,
        "measures": asdict(one.measures),
    }


def _part_facts(part: PartResult, number: int, named: bool) -> Facts:
    return {
        "part": part.name if named else f"part {number}",
        "n_records": part.n_records,
        "n_groups": part.n_groups,
        "sse": part.sse,
        "lower_bound": None,
        "gap": None,
    }


def _stages(times: Sequence[StageTime]) -> list[Facts]:
    """Return what the jobs of each stage have taken together, in the order of their first jobs."""
    found: dict[str, Facts] = {}
    for name, seconds, tasks in times:
        before = found.get(name, {"seconds": 0.0, "tasks": 0})
        known = tasks is not None and before["tasks"] is not None
        found[name] = {
            "name": name,
            "seconds": before["seconds"] + seconds,
            "tasks": before["tasks"] + tasks if known else None,
        }
    return list(found.values())


def cluster_details(release: SparkRelease, path: Path | None) -> ReleaseDetails:
    """Return what only a document tells of a release on a cluster; sizes of groups are counted by Spark.

    Parameters
    ----------
    release
        The release, which must still be there.
    path
        None: what was stored is looked at where it is.

    Raises
    ------
    InputError
        If the release is gone, or a path is given.
    """
    if path is not None:
        raise InputError(
            f"expected no path of a release on a cluster, found {path}: it is looked at where it is stored"
        )
    if release.path is None and not release.staging.folders.exists(release.staging.place(RELEASE)):
        raise InputError(
            "the release is not in its staging folder any more: make the document of what write returned, or before "
            "the release is closed"
        )
    verification = cluster_verification(release)
    sets = zip(release.sets, release.plan.sets, strict=True)
    return ReleaseDetails(
        [_set_details(release.frame, one, planned) for one, planned in sets],
        {name: value for name, value in facts(verification).items() if name not in ABOUT},
    )


def _set_details(frame: Any, one: SparkSetRelease, planned: ColumnSet) -> Facts:
    integers = [name for name, whole in one.facts.whole.items() if whole.holds_integers]
    return {
        **treated_columns(one.facts.encoding, planned.treatment, integers),
        "n_parts": len(one.parts),
        "is_merged": bool(one.merged_parts),
        "group_sizes": stored_group_sizes(frame, one.columns),
    }


def stored_group_sizes(frame: Any, columns: Sequence[str]) -> list[list[int]]:
    """Return the numbers of records that share their released values, and how often each occurs.

    Parameters
    ----------
    frame
        DataFrame of the release.
    columns
        The columns in which values are compared.
    """
    numbered = [str(place) for place in range(len(columns))]
    classes = frame.select(*map(quoted, columns)).toDF(*numbered).groupBy(*numbered).count()
    counts = classes.groupBy("count").count().collect()
    return sorted([int(size), int(number)] for size, number in counts)
