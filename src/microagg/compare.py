"""Compare the releases that several k and methods would give: what each loses, what each risks, which one to take."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from microagg.candidate_plans import candidate_plan, check_used, checked_methods
from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.kept_candidates import KeptCandidates
from microagg.make_candidates import CANCELLED, CandidateMaker, CandidateTask
from microagg.measure.candidate_figures import axis_figure, measured_names
from microagg.model.checks import group_sizes, whole_number
from microagg.model.column_set import MethodLike
from microagg.model.comparison import Aim, Candidate, Comparison
from microagg.model.errors import CancelledError, InputError
from microagg.model.plan import Plan, PlanOptions
from microagg.pareto_front import with_front
from microagg.protect import complete_plan
from microagg.read import read
from microagg.recommend import check_aim, recommend
from microagg.run_pipeline import known_random_state
from microagg.workspace import is_large
from microagg.write import check_file


class CompareOptions(PlanOptions, total=False):
    """Options of `compare`: those of a plan, and those of an `Aim`."""

    utility: str
    risk: str
    max_loss: float | None
    max_risk: float | None


def compare(
    table: Any,
    k: int | Iterable[int] = (3, 5, 10),
    methods: Sequence[MethodLike] = ("mdav", "search"),
    *,
    plan: Plan | None = None,
    run: Run | None = None,
    progress: Progress | None = None,
    checkpoint: str | PathLike[str] | None = None,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Compare what a release would lose and risk, for every k with every method, and recommend one.

    Each candidate is protected as by `protect`, and measured; nothing is released. What does not depend on k, such as
    reading and encoding, and the order of the records of "fdm" and other methods that cut one, is done once. Candidates
    are made side by side; the result is the same for any number of workers.

    Parameters
    ----------
    table
        A path, a dataframe or an array; see `read`. It is not changed.
    k
        Smallest groups allowed: several, or one.
    methods
        Methods, each as in `Plan`. The name of a refiner alone, such as "igd", stands for "mdav+igd".
    plan
        What is to be done otherwise: its k and its methods, also those of column sets, are replaced by those above. Its
        effort and its limits hold for those methods that have something to limit.
    run
        Limits, progress, workers, and the way to cancel the work from another thread: what is finished then is the
        result. A time limit is shared by the candidates.
    progress
        Called with stage, share done and note, where no run is given.
    checkpoint
        A file in which finished candidates are kept. Those that it holds already, of the same data, plan and version,
        are taken over: so a comparison that was interrupted goes on, and one with more k or methods is an addition.
    **options
        Options of a plan: see `Plan`. And of the choice, see `Aim`: `utility` and `risk`, the figures on the two axes,
        "information_loss" and "dld" by default; `max_loss` and `max_risk`, what is acceptable at most.

    Returns
    -------
    Comparison
        A row for each candidate; one that cannot be protected so, as when k is too large for a stratum, has a sentence
        about why. How the recommended one is chosen is told in docs/compare.md.

    Raises
    ------
    InputError
        If something cannot be used: one sentence says what and why. If none of the candidates can be protected, all for
        the same reason.
    DoubtError
        If no columns are named and one of the numeric ones may not be meant.
    CancelledError
        If the run was cancelled before any candidate was finished.

    Examples
    --------
    >>> import microagg
    >>> ages = [[20.0], [21.0], [23.0], [40.0], [41.0], [43.0], [70.0], [71.0]]
    >>> comparison = microagg.compare(ages, k=(2, 3), methods=["mdav", "univariate"])
    >>> [(one.name, round(one.information_loss, 2)) for one in comparison.front]
    [('k = 2 with univariate', 0.34), ('k = 3 with mdav', 32.66), ('k = 3 with univariate', 32.66)]
    """
    aim = Aim(**{name: options.pop(name) for name in _AIM if name in options})  # type: ignore[misc]
    check_aim(aim, axis_figure("utility", aim.utility), axis_figure("risk", aim.risk))
    sizes = [whole_number("k", k, at_least=1)] if isinstance(k, Integral) else group_sizes(k)
    named = checked_methods(methods)
    wanted = _wanted(plan, {**options}, min(sizes))
    with run_of(run, progress).under_way(wanted.limits) as current:
        check_used(wanted, tuple(named.values()), current.limits)
        current.report("read")
        whole = read(table, wanted.reading).with_missing_values(wanted.missing_policy.missing_values)
        if is_large(whole):
            raise InputError("a comparison is made in memory, found a table that is larger: compare a sample of it")
        kept = None
        if checkpoint is not None:
            _check_checkpoint(Path(checkpoint), [wanted, *(Plan(k=2, method=method) for method in named.values())])
            kept = KeptCandidates(Path(checkpoint), whole, measured_names(aim), current.limits)
        wanted = Plan(**{**wanted.given, "random_state": known_random_state(wanted.random_state)})
        current.start_clock()
        tasks = [CandidateTask(size, name, method) for size in sizes for name, method in named.items()]
        made = CandidateMaker(wanted, whole, aim, kept).make_all(tasks, current)
    _check_any(made)
    candidates = with_front(made, aim)
    recommended, reason = recommend(candidates, aim)
    chosen = None if recommended is None else candidate_plan(wanted, recommended.k, named[recommended.method])
    file = None if whole.path is None else whole.path.name
    return Comparison(candidates, aim, recommended, reason, chosen, whole.n_records, file)


_AIM = tuple(one.name for one in fields(Aim))


def _wanted(plan: Plan | None, options: dict[str, Any], k: int) -> Plan:
    """Return the plan that plan and keywords make together; it has the smallest k."""
    if "method" in options:
        raise InputError(f"method = {options['method']!r} is given, but methods are compared: name it in methods")
    return complete_plan(plan, options if plan is not None else {**options, "k": k})


def _check_checkpoint(path: Path, plans: Sequence[Plan]) -> None:
    """Refuse a file that cannot be written, and plans whose candidates would not be found again."""
    check_file(path, force=True)
    for plan in plans:
        if plan.random_state is None:
            raise InputError(
                "a comparison with fresh randomness cannot be kept: set random_state, or leave checkpoint out"
            )
        try:
            plan.to_toml()
        except InputError:
            raise InputError(
                "a comparison of a function cannot be kept: name the method in its place, or leave checkpoint out"
            ) from None


def _check_any(candidates: Sequence[Candidate]) -> None:
    """Refuse a comparison in which no candidate was made, all for the same reason."""
    errors = {one.error for one in candidates}
    if errors == {CANCELLED}:
        raise CancelledError("the comparison was cancelled before any candidate was finished")
    if len(errors) == 1 and None not in errors:
        raise InputError(candidates[0].error)
