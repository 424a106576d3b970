"""Results as plain facts: the one source of every report, in any format."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from functools import singledispatch
from pathlib import Path
from typing import Any

from microagg.methods import Method
from microagg.model.assessment import Assessment
from microagg.model.by_column import ByColumn
from microagg.model.change_report import ChangeReport
from microagg.model.column_set import ColumnSet
from microagg.model.comparison import Comparison
from microagg.model.inspection import Inspection
from microagg.model.measures import Measures
from microagg.model.plan import Plan
from microagg.model.release import Release, SetRelease
from microagg.model.roles import ROLES
from microagg.model.run_estimate import Estimate
from microagg.model.solution import Solution, SolvedPart
from microagg.model.verdict import Exposure, Verdict
from microagg.model.verification import Certification, Verification
from microagg.report.assessment_facts import assessment_facts
from microagg.report.change_facts import change_facts
from microagg.report.comparison_facts import comparison_facts
from microagg.report.inspection_facts import inspection_facts
from microagg.version import __version__

Facts = dict[str, Any]
SCHEMA = 2  # increased whenever a fact changes its name or meaning


@dataclass(frozen=True)
class OutputFile:
    """File that a release was written to.

    Parameters
    ----------
    name
        Its name, without the folder.
    sha256
        Its checksum; None of a table of a database.
    path
        Where it can be read, for a document to check it; None: the released object is checked.
    """

    name: str
    sha256: str | None
    path: Path | None = None


@singledispatch
def facts(result: object, output: OutputFile | None = None) -> Facts:
    """Return everything that a program may want to know about a result, except the data.

    Parameters
    ----------
    result
        A release, a solution, measures, an assessment, a verification, a certification, an inspection, a comparison, an
        estimate, a plan, or the list of methods.
    output
        The file that a release was written to, if it was.

    Returns
    -------
    dict
        Facts by name, as JSON can hold them.

    Raises
    ------
    TypeError
        If there are no facts about such an object.
    """
    raise TypeError(f"there are no facts about an object of type {type(result).__name__}")


def headed_facts(about: str, **others: Any) -> Facts:
    """Return facts, after what they are about and the program that found them."""
    return {"facts": about, "schema": SCHEMA, "program": "microagg", "version": __version__, **others}


@facts.register
def _release(release: Release, output: OutputFile | None = None) -> Facts:
    source = release.table.source
    protected = release.columns
    changed = (*protected, *release.plan.roles.renumber)
    return headed_facts(
        "release",
        made=release.made.isoformat(timespec="seconds"),
        input={
            "file": None if source.path is None else source.path.name,
            "kind": source.file_kind,
            "table": getattr(source, "table", None),
            "sha256": source.sha256,
            "n_records": source.n_records,
            "read_as": dict(getattr(source, "read_as", {})),
        },
        output=None if output is None else {"file": output.name, "sha256": output.sha256},
        plan=plan_options(release.plan),
        columns=list(protected),
        as_they_came=[name for name in release.table.names if name not in changed],
        identifying=list(release.identifying),
        verdict=verdict_facts(release.verdict),
        exposure=exposure_facts(release.exposure),
        remarks=list(release.remarks),
        dropped=[name for name in release.table.dropped if name not in release.plan.roles.identifiers],
        index=release.permutation is None and release.table.index is not None,
        shuffled=release.permutation is not None,
        n_records=release.table.n_records,
        n_suppressed=release.n_suppressed,
        roles={role: list(release.plan.roles.columns_of(role)) for role in ROLES},
        random_state=release.plan.random_state,
        together=None if release.together is None else together_facts(release.together),
        sets=[_set_facts(release.plan, *both) for both in zip(release.sets, release.plan.sets, strict=True)],
        assessment=None if release.assessment is None else assessment_facts(release.assessment),
        spark=None,
        stages=[],
    )


def verdict_facts(verdict: Verdict | None) -> Facts | None:
    """Return a verdict, its warnings by name; None of a release that was not looked at as a whole."""
    return None if verdict is None else asdict(verdict) | {"warnings": [one._asdict() for one in verdict.warnings]}


def exposure_facts(exposure: Exposure | None) -> Facts | None:
    """Return what all released columns show together that others may know."""
    if exposure is None:
        return None
    found = asdict(exposure)
    for name in ("unknown", "determined", "identifiers"):
        listed = getattr(exposure, name)
        found[name] = None if listed is None else [one._asdict() for one in listed]
    return found


def together_facts(measures: Measures) -> Facts:
    """Return the measures of all protected columns together; those of single columns are in their sets."""
    return {name: value for name, value in asdict(measures).items() if name != "columns"}


def _set_facts(plan: Plan, released: SetRelease, planned: ColumnSet) -> Facts:
    sizes = released.solution.sizes
    encoding = released.solution.encoding
    return {
        "columns": list(released.columns),
        "standardise": planned.treatment.standardise,
        "keep_integers": planned.keep_integers,
        "means_only": encoding is not None and encoding.is_plain and not (planned.aggregate or plan.roles.weight),
        "replaced_scales": [] if encoding is None else [list(one) for one in encoding.replaced_scales],
        **_solution_facts(released.solution, named=not set(plan.roles.strata) & set(plan.drop)),
        "unit": plan.roles.unit,
        "smallest_group": int(sizes.min()),
        "largest_group": int(sizes.max()),
        "verified": released.measures.k_reached >= released.k,
        "n_below_k": released.n_below_k,
        "k_if_missing_agrees": released.k_if_missing_agrees,
        "measures": asdict(released.measures),
    }


@facts.register
def _solution(solution: Solution, output: OutputFile | None = None) -> Facts:
    encoding = solution.encoding
    columns = None if encoding is None else list(encoding.names)
    standardise = None if encoding is None else encoding.standardise
    return headed_facts("solution", columns=columns, standardise=standardise, **_solution_facts(solution))


def _solution_facts(solution: Solution, *, named: bool = True) -> Facts:
    """Return what a solution loses, and what is proved of that; its parts by name if these may be told."""
    bound = solution.bound
    return {
        "method": solution.method,
        "reason": solution.reason,
        "k": solution.partition.problem.k,
        "n_records": len(solution.labels),
        "n_groups": solution.n_groups,
        "sse": solution.sse,
        "sst": solution.sst,
        "information_loss": solution.information_loss,
        "lower_bound": solution.lower_bound,
        "bound_kind": None if bound is None else bound.kind,
        "bound_converged": None if bound is None else bound.converged,
        "bound_ended_by": None if bound is None else bound.ended_by,
        "gap": solution.gap,
        "status": solution.status,
        "iterations": solution.iterations,
        "starts": solution.starts,
        "ended_by": solution.ended_by,
        "fallback_share": solution.fallback_share,
        "improved_by_bound": solution.improved_by_bound,
        "improved": _improved_facts(solution.improved),
        "parts": [_part_facts(one, number, named) for number, one in enumerate(solution.parts, start=1)],
        "n_merged": len(solution.merged_parts),
        "merged_parts": [{"part": one, "joined": other} for one, other in solution.merged_parts] if named else [],
        "rules": [asdict(cost) for cost in solution.rule_costs],
        "random_state": solution.random_state,
        "reproducible": solution.reproducible,
    }


def _improved_facts(improved: Solution | None) -> Facts | None:
    """Return what better groups lose that the proof of the bound found, and the method does not take."""
    if improved is None:
        return None
    return {
        name: getattr(improved, name) for name in ("method", "n_groups", "sse", "information_loss", "gap", "status")
    }


def _part_facts(solved: SolvedPart, number: int, named: bool) -> Facts:
    """Return what was found in one part of the records."""
    solution = solved.solution
    return {
        "part": solved.part.name if named else f"part {number}",
        "n_records": len(solved.part.records),
        "n_groups": solution.n_groups,
        "sse": solution.sse,
        "lower_bound": solution.lower_bound,
        "gap": solution.gap,
    }


@facts.register
def _measures(measures: Measures, output: OutputFile | None = None) -> Facts:
    return headed_facts("measures", **asdict(measures))


@facts.register
def _assessment(assessment: Assessment, output: OutputFile | None = None) -> Facts:
    return headed_facts("assessment", **assessment_facts(assessment))


@facts.register
def _verification(verification: Verification, output: OutputFile | None = None) -> Facts:
    found = asdict(verification) | {"exposure": exposure_facts(verification.exposure)}
    return headed_facts("verification", passed=verification.passed, **found)


@facts.register
def _certification(certification: Certification, output: OutputFile | None = None) -> Facts:
    properties = {name: getattr(certification, name) for name in ("passed", "optimal", "gap")}
    return headed_facts("certification", **properties, **asdict(certification))


@facts.register
def _inspection(inspection: Inspection, output: OutputFile | None = None) -> Facts:
    return headed_facts("inspection", **inspection_facts(inspection))


@facts.register
def _comparison(comparison: Comparison, output: OutputFile | None = None) -> Facts:
    plan = comparison.plan
    options = None if plan is None else plan_options(plan)
    return headed_facts("comparison", **comparison_facts(comparison), plan=options)


@facts.register
def _changes(changes: ChangeReport, output: OutputFile | None = None) -> Facts:
    return headed_facts("changes", **change_facts(changes))


@facts.register
def _plan(plan: Plan, output: OutputFile | None = None) -> Facts:
    return headed_facts("plan", **plan_options(plan))


def plan_options(plan: Plan) -> Facts:
    """Return every option of a plan by its name, defaults included."""
    return {
        "sets": [{each.name: _plain(getattr(one, each.name)) for each in fields(one)} for one in plan.sets],
        **_part(plan.roles),
        **_part(plan.missing_policy),
        **_part(plan.privacy),
        "exclude": list(plan.exclude),
        "drop": list(plan.drop),
        "shuffle": plan.shuffle,
        "random_state": plan.random_state,
        "allow_k1": plan.allow_k1,
        "strict": plan.strict,
        **asdict(plan.limits),
        **asdict(plan.reading),
    }


def _part(options: Any) -> Facts:
    """Return the options of a part of a plan by name."""
    return {each.name: _plain(getattr(options, each.name)) for each in fields(options)}


def _plain(value: Any) -> Any:
    """Return a value that JSON can hold: a stage object by its repr."""
    if isinstance(value, ByColumn):
        return _plain(value.given)
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    return repr(value) if callable(value) else value


@facts.register
def _estimate(estimate: Estimate, output: OutputFile | None = None) -> Facts:
    return headed_facts("estimate", **asdict(estimate) | {"reasons": list(estimate.reasons)})


@facts.register(tuple)
def _methods(methods: Sequence[Method], output: OutputFile | None = None) -> Facts:
    listed = [
        {
            **method._asdict(),
            "aliases": [alias._asdict() for alias in method.aliases],
            "parameter_list": [one._asdict() for one in method.parameter_list],
        }
        for method in methods
    ]
    return headed_facts("methods", methods=listed)
