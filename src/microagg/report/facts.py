"""Turn what came of the work into plain facts: the one source of every report, in any format."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import singledispatch
from typing import Any

from microagg.methods import Method
from microagg.model.column_set import ColumnSet
from microagg.model.measures import Measures
from microagg.model.plan import Plan
from microagg.model.release import Release, SetRelease
from microagg.model.solution import Solution
from microagg.model.verification import Certification, Verification
from microagg.version import __version__

Facts = dict[str, Any]
SCHEMA = 1  # raised whenever a fact changes its name or meaning


@dataclass(frozen=True)
class OutputFile:
    """A file that a release was written to."""

    name: str
    sha256: str


@singledispatch
def facts(noun: object, output: OutputFile | None = None) -> Facts:
    """Give everything that a program may want to know but the data.

    Parameters
    ----------
    noun
        A release, a solution, measures, a verification, a certification, a plan, or a list of methods.
    output
        Where a release was written to.
    """
    raise TypeError(f"there are no facts of a {type(noun).__name__}")


def _of(what: str, **others: Any) -> Facts:
    """Begin with what kind of facts these are, and of which program."""
    return {"facts": what, "schema": SCHEMA, "program": "microagg", "version": __version__, **others}


@facts.register
def _release(release: Release, output: OutputFile | None = None) -> Facts:
    source = release.table.source
    protected = release.columns
    return _of(
        "release",
        made=release.made.isoformat(timespec="seconds"),
        input={
            "file": None if source.path is None else source.path.name,
            "kind": source.file_kind,
            "sha256": source.sha256,
            "n_records": source.n_records,
        },
        output=None if output is None else {"file": output.name, "sha256": output.sha256},
        plan=_plan_options(release.plan),
        columns=list(protected),
        as_they_came=[name for name in release.table.names if name not in protected],
        identifying=list(release.identifying),
        dropped=list(release.table.dropped),
        index=getattr(source, "has_index", False) and release.order is None,
        shuffled=release.order is not None,
        random_state=release.plan.random_state,
        sets=[_set(one, wanted) for one, wanted in zip(release.sets, release.plan.sets, strict=True)],
    )


def _set(one: SetRelease, wanted: ColumnSet) -> Facts:
    sizes = one.solution.sizes
    return {
        "columns": list(one.columns),
        "standardise": wanted.standardise,
        "keep_integers": wanted.keep_integers,
        **_solution_facts(one.solution),
        "smallest_group": int(sizes.min()),
        "largest_group": int(sizes.max()),
        "verified": one.measures.k_reached >= one.k,
        "measures": asdict(one.measures),
    }


@facts.register
def _solution(solution: Solution, output: OutputFile | None = None) -> Facts:
    encoding = solution.encoding
    columns = None if encoding is None else list(encoding.names)
    standardise = None if encoding is None else encoding.standardise
    return _of("solution", columns=columns, standardise=standardise, **_solution_facts(solution))


def _solution_facts(solution: Solution) -> Facts:
    """Give how much is lost, and how much must be."""
    bound = solution.bound
    return {
        "method": solution.method,
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
        "ended_by": solution.ended_by,
        "fallback_share": solution.fallback_share,
        "improved_by_bound": solution.improved_by_bound,
        "random_state": solution.random_state,
        "reproducible": solution.reproducible,
    }


@facts.register
def _measures(measures: Measures, output: OutputFile | None = None) -> Facts:
    return _of("measures", **asdict(measures))


@facts.register
def _verification(verification: Verification, output: OutputFile | None = None) -> Facts:
    return _of("verification", passed=verification.passed, **asdict(verification))


@facts.register
def _certification(certification: Certification, output: OutputFile | None = None) -> Facts:
    verdict = {name: getattr(certification, name) for name in ("passed", "optimal", "gap")}
    return _of("certification", **verdict, **asdict(certification))


@facts.register
def _plan(plan: Plan, output: OutputFile | None = None) -> Facts:
    return _of("plan", **_plan_options(plan))


def _plan_options(plan: Plan) -> Facts:
    """Give every option of a plan by its name, those too that were not said."""
    return {
        "sets": [{one.name: _plain(getattr(wanted, one.name)) for one in fields(wanted)} for wanted in plan.sets],
        "exclude": list(plan.exclude),
        "drop": list(plan.drop),
        "shuffle": plan.shuffle,
        "random_state": plan.random_state,
        "allow_k1": plan.allow_k1,
        **asdict(plan.limits),
        **asdict(plan.reading),
    }


def _plain(value: Any) -> Any:
    """Give a value that JSON can hold; a stage of the user's by what it calls itself."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return repr(value) if callable(value) else value


@facts.register(tuple)
def _methods(methods: Sequence[Method], output: OutputFile | None = None) -> Facts:
    return _of("methods", methods=[method._asdict() for method in methods])
