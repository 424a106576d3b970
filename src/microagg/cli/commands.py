"""Commands of the command line: one function each, which returns the exit code."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from microagg.arguments import Command, given
from microagg.certify import certify
from microagg.cli.exit_codes import FAILED, SUCCESS
from microagg.cli.expectation import announce, print_estimate
from microagg.cli.output_files import (
    certificate_text,
    check_output_file,
    check_output_files,
    check_release_files,
    write_certificate,
    write_plan,
    write_release,
)
from microagg.cli.printing import print_history, print_message, print_report
from microagg.cli.typed_options import column_names, typed_options
from microagg.control.run import Run
from microagg.inspect import inspect
from microagg.measure import measure
from microagg.methods import methods
from microagg.model.errors import InputError
from microagg.model.plan import PLAN_OPTIONS, READING, Plan
from microagg.model.reading import Reading
from microagg.model.release import Release
from microagg.model.table import Table
from microagg.model.verification import Verification
from microagg.protect import complete_plan, protect
from microagg.protect_file import prepare
from microagg.read import read
from microagg.report import OutputFile, report
from microagg.solve import SolveOptions, solve
from microagg.terminal import INTERRUPTION, ProgressBars
from microagg.verify import read_release, verify
from microagg.warm_up import warm_up
from microagg.workspace import Workspace
from microagg.write import STANDARD_OUTPUT, file_sha256


def _inspect(options: Namespace) -> int:
    if options.plan is not None:
        check_output_file("plan", options.plan, [options.input], force=options.force)
    elif options.force:
        raise InputError("--force replaces an existing plan, found no --plan: name one, or leave --force out")
    with Workspace(options.memory) as workspace:
        table = _read(workspace.read, options.input, options)
        with _running(options) as run:
            inspection = inspect(table, run=run)
    if options.plan is not None:
        INTERRUPTION.outcome = write_plan(inspection.to_toml(str(options.plan)), options)
    print_report(options, report(inspection, options.format))
    if options.plan is not None:
        print_message(options, INTERRUPTION.outcome)
    return SUCCESS


def _protect(options: Namespace) -> int:
    if options.estimate:
        return print_estimate(options)
    if options.output is None:
        options.command.error("the following arguments are required: -o/--output")
    plan = None if options.plan is None else Plan.from_toml(options.plan)
    with _shown(options) as bars, Workspace(options.memory, options.output, resume=options.resume) as workspace:
        bars("read", None)
        table = _read(workspace.read, options.input, options, plan)
        whole_plan = complete_plan(plan, typed_options(table, given(options, PLAN_OPTIONS)))
        check_release_files(options, table, whole_plan)
        announce(options, table, whole_plan)
        with bars.of_run(workers=options.workers) as run:
            settled = prepare(run, workspace, table, whole_plan, options.output, resume=options.resume)
            release = protect(table, plan=settled, run=run)
        certificate = certificate_text(options, release)
        bars("write", None)
        INTERRUPTION.outcome = write_release(release, options, certificate)
    print_history(options, [one.solution for one in release.sets])
    _print_release(options, release)
    return SUCCESS if options.certificate is None or certificate else FAILED


def _print_release(options: Namespace, release: Release) -> None:
    """Print the report: to stderr if the release itself goes to stdout."""
    if options.output == STANDARD_OUTPUT:
        print_report(options, report(release, options.format), sys.stderr)
    else:
        file = OutputFile(options.output.name, file_sha256(options.output))
        print_report(options, report(release, options.format, file))
        unit = release.plan.roles.unit
        counted = "records" if unit is None else f"different values of {unit}"
        for one in release.sets:
            where = "" if len(release.sets) == 1 else f"on {', '.join(one.columns)} alone, "
            print_message(options, f"verified: {where}every group has at least {one.k} {counted}")
        print_message(options, INTERRUPTION.outcome)
    _warn_of_fallback(options, release)
    _warn_of_sets(options, release)


def _warn_of_fallback(options: Namespace, release: Release) -> None:
    """Warn of records that were only grouped roughly, as the run was ended before the method had come to them."""
    share = max(one.solution.fallback_share for one in release.sets)
    if share > 0:
        print_message(
            options,
            f"warning: the run was ended early, and {share:.0%} of the records were grouped roughly, in slabs: "
            "they lose more than need be",
        )


def _warn_of_sets(options: Namespace, release: Release) -> None:
    """Warn of column sets that are k-anonymous each on its own, but not together."""
    k = min(one.k for one in release.sets)
    together = release.together
    if together is not None and together.k_reached < k:
        print_message(
            options,
            f"warning: the release is not {k}-anonymous on the protected columns together, where it reaches "
            f"k = {together.k_reached}; each of its {len(release.sets)} column sets is k-anonymous on its own only",
        )


def _bound(options: Namespace) -> int:
    table = _read(read, options.input, options)
    solve_options = typed_options(table, given(options, tuple(SolveOptions.__annotations__)))
    check_output_files(options, solve_options.get("method", "auto"))
    with _running(options, workers=options.workers) as run:
        solution = solve(table, options.k, bound=True, run=run, **solve_options)
    certificate = certificate_text(options, solution)
    if certificate is not None:
        INTERRUPTION.outcome = write_certificate(certificate, options)
    print_history(options, [solution])
    print_report(options, report(solution, options.format))
    return SUCCESS if options.certificate is None or certificate else FAILED


def _verify(options: Namespace) -> int:
    *originals, released = options.files
    if len(originals) > 1 or (originals and options.original is not None):
        raise InputError("verify takes the released file, and at most one original before it: found more")
    original = next(iter(originals), options.original)
    verify_files = _verify_columns if options.plan is None else _verify_plan
    with Workspace(options.memory) as workspace:
        verification = verify_files(workspace, original, released, options)
    print_report(options, report(verification, options.format))
    return SUCCESS if verification.passed else FAILED


def _verify_columns(workspace: Workspace, original: Path | None, released: Path, options: Namespace) -> Verification:
    if missing := [option for option in ("k", "columns") if not hasattr(options, option)]:
        named = " and ".join({"k": "-k", "columns": "--columns"}[option] for option in missing)
        raise InputError(f"verify needs {named}, or --plan with the plan of the release")
    before = None if original is None else _read(workspace.read, original, options)
    after = _read(workspace.read, released, options)
    return verify(before, after, options.k, column_names(after, options.columns))


def _verify_plan(workspace: Workspace, original: Path | None, released: Path, options: Namespace) -> Verification:
    if given(options, ("k", "columns")):
        raise InputError("-k or --columns is given besides --plan, which has its own: leave one of them out")
    plan = Plan.from_toml(options.plan).with_options(**given(options, READING))
    before = None if original is None else _read(workspace.read, original, options, plan)
    after = read_release(released, plan.reading, workspace.read)
    _print_reading(after, options)
    return verify(before, after, plan=plan)


def _certify(options: Namespace) -> int:
    data = _read(read, options.data, options)
    with _running(options, time_limit=options.time_limit) as run:
        certification = certify(options.certificate, data, run=run)
    print_report(options, report(certification, options.format))
    return SUCCESS if certification.passed else FAILED


def _measure(options: Namespace) -> int:
    plan = None if options.plan is None else Plan.from_toml(options.plan)
    with Workspace(options.memory) as workspace:
        original = _read(workspace.read, options.original, options, plan)
        released = _read(workspace.read, options.released, options)
        columns = column_names(original, options.columns) if hasattr(options, "columns") else None
        measures = measure(original, released, columns, plan=plan, **given(options, ("standardise",)))
    print_report(options, report(measures, options.format))
    return SUCCESS


def _methods(options: Namespace) -> int:
    print_report(options, report(methods(options.word), options.format))
    return SUCCESS


def _warm_up(options: Namespace) -> int:
    with _running(options) as run:
        warm_up(run=run)
    print_message(options, "compiled: every kernel is on disk")
    return SUCCESS


def _read(read_table: Callable[..., Table], path: Path, options: Namespace, plan: Plan | None = None) -> Table:
    """Read a file by the given options, and those of the plan; print how it was read, if details are wanted."""
    reading = given(options, READING)
    table = read_table(path, Reading(**reading) if plan is None else plan.with_options(**reading).reading)
    _print_reading(table, options)
    return table


def _print_reading(table: Table, options: Namespace) -> None:
    """Print how a table was read, if details are wanted."""
    if options.verbose:
        print(f"read: {table.source!r}", file=sys.stderr)


@contextmanager
def _running(options: Namespace, **run_options: Any) -> Iterator[Run]:
    """Show the progress of a run; raise, after it, an interruption that came meanwhile."""
    with _shown(options) as bars, bars.of_run(**run_options) as run:
        yield run


@contextmanager
def _shown(options: Namespace) -> Iterator[ProgressBars]:
    """Show progress; raise, after it, an interruption that came meanwhile."""
    with ProgressBars(options.quiet) as bars:
        yield bars
    INTERRUPTION.check()


COMMANDS: dict[str, Command] = {
    "inspect": _inspect,
    "protect": _protect,
    "bound": _bound,
    "verify": _verify,
    "certify": _certify,
    "measure": _measure,
    "methods": _methods,
    "warm-up": _warm_up,
}
"""The function that runs each command."""
