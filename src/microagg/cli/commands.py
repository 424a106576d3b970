"""Commands of the command line: one function each, which returns the exit code."""

import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from microagg.arguments import ASSESSMENT_OPTIONS, Command, given
from microagg.assess import assess
from microagg.certify import certify
from microagg.cli.cluster_commands import CLUSTER_COMMANDS
from microagg.cli.exit_codes import FAILED, SUCCESS
from microagg.cli.expectation import announce, print_estimate
from microagg.cli.output_files import (
    certificate_text,
    check_comparison_files,
    check_output_file,
    check_output_files,
    check_release_files,
    check_report,
    deliver_report,
    output_file,
    write_certificate,
    write_comparison,
    write_plan,
    write_release,
)
from microagg.cli.printing import (
    print_history,
    print_message,
    print_report,
    print_sentence,
    print_verdict,
    print_warnings,
    printed_columns,
)
from microagg.cli.report_files import provenance_of, wants_document
from microagg.cli.shown_progress import running, shown
from microagg.cli.typed_options import column_names, typed_options
from microagg.cli.web_command import WEB_COMMANDS
from microagg.compare import CompareOptions, compare
from microagg.inspect import inspect
from microagg.list_changes import changes
from microagg.measure import measure
from microagg.methods import methods
from microagg.model.errors import InputError
from microagg.model.location import Location
from microagg.model.plan import PLAN_OPTIONS, READING, Plan
from microagg.model.reading import Reading
from microagg.model.release import Release
from microagg.model.table import Table
from microagg.model.verification import Verification
from microagg.protect import complete_plan, protect
from microagg.protect_file import prepare
from microagg.read import read
from microagg.report import Provenance, report, summary
from microagg.solve import SolveOptions, solve
from microagg.terminal import INTERRUPTION
from microagg.verify import read_release, verify
from microagg.warm_up import warm_up
from microagg.workspace import Workspace
from microagg.write import STANDARD_OUTPUT

_OF_ORIGINAL = ("table_name",)  # options of reading that are about the original where there is one


def _inspect(options: Namespace) -> int:
    if options.plan is not None:
        check_output_file("plan", options.plan, [options.input], force=options.force)
    elif options.force:
        raise InputError("--force replaces an existing plan, found no --plan: name one, or leave --force out")
    with Workspace(options.memory) as workspace:
        table = _read(workspace.read, options.input, options)
        with running(options) as run:
            inspection = inspect(table, run=run)
    if options.plan is not None:
        command = ["microagg", "protect", str(options.input), "--plan", str(options.plan), "-o", "safe.csv"]
        as_typed = replace(inspection, file=str(options.input))
        INTERRUPTION.outcome = write_plan(as_typed.to_toml(str(options.plan)), options, command)
    print_report(options, report(inspection, options.format, max_columns=printed_columns(options)))
    if options.plan is not None:
        print_message(options, INTERRUPTION.outcome)
    return SUCCESS


def _protect(options: Namespace) -> int:
    if options.estimate and (options.measures is not None or wants_document(options)):
        what = "--measures takes" if options.measures is not None else "the measures of an .html report take"
        raise InputError(f"--estimate does not know how long {what}: leave one of them out")
    if options.estimate:
        return print_estimate(options)
    if options.output is None:
        options.command.error("the following arguments are required: -o/--output")
    plan = None if options.plan is None else Plan.from_toml(options.plan)
    with shown(options) as bars, Workspace(options.memory, options.output, resume=options.resume) as workspace:
        bars("read", None)
        table = _read(workspace.read, options.input, options, plan)
        whole_plan = complete_plan(plan, typed_options(table, given(options, PLAN_OPTIONS)))
        check_release_files(options, table, whole_plan)
        announce(options, table, whole_plan)
        with bars.of_run(workers=options.workers) as run:
            settled = prepare(run, workspace, table, whole_plan, options.output, resume=options.resume)
            wanted = "all" if wants_document(options) else options.measures
            release = protect(table, plan=settled, measures=wanted, run=run)
        certificate = certificate_text(options, release)
        bars("write", None)
        INTERRUPTION.outcome = write_release(release, options, certificate)
    print_history(options, [one.solution for one in release.sets])
    _print_release(options, release)
    return SUCCESS if options.certificate is None or certificate else FAILED


def _print_release(options: Namespace, release: Release) -> None:
    """Print the report, or a summary where a document has it all; to stderr if the release goes to stdout."""
    if wants_document(options) and options.format == "text" and options.measures is None and not options.verbose:
        text = summary(release)
    else:
        told = release if options.measures else replace(release, assessment=None)
        output = None if options.output == STANDARD_OUTPUT else output_file(options.output)
        text = report(told, options.format, output, max_columns=printed_columns(options))
    if options.output == STANDARD_OUTPUT:
        print_report(options, text, sys.stderr)
    else:
        print_report(options, text)
        print_verdict(options, release)
        print_message(options, INTERRUPTION.outcome)
    print_warnings(options, release)


def _compare(options: Namespace) -> int:
    check_comparison_files(options)
    plan = None if options.plan is None else Plan.from_toml(options.plan)
    with shown(options) as bars:
        bars("read", None)
        table = _read(read, options.input, options, plan)
        candidates = given(options, ("k", "methods"))
        others = typed_options(table, given(options, tuple(CompareOptions.__annotations__)))
        with bars.of_run(workers=options.workers) as run:
            comparison = compare(table, **candidates, plan=plan, run=run, checkpoint=options.checkpoint, **others)
        written = write_comparison(comparison, table, options)
        INTERRUPTION.outcome = written or INTERRUPTION.outcome
    print_report(options, report(comparison, options.format))
    if written:
        print_message(options, written)
    return FAILED if comparison.recommended is None else SUCCESS


def _bound(options: Namespace) -> int:
    table = _read(read, options.input, options)
    solve_options = typed_options(table, given(options, tuple(SolveOptions.__annotations__)))
    solve_options.setdefault("bound", True)
    check_output_files(options, solve_options.get("method", "auto"), solve_options["bound"])
    with running(options, workers=options.workers) as run:
        solution = solve(table, options.k, run=run, **solve_options)
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
    check_report(options, [original, released, options.plan])
    verify_files = _verify_columns if options.plan is None else _verify_plan
    with Workspace(options.memory) as workspace:
        verification, provenance = verify_files(workspace, original, released, options)
    deliver_report(verification, options, provenance)
    return SUCCESS if verification.passed else FAILED


def _verify_columns(
    workspace: Workspace, original: Location | None, released: Location, options: Namespace
) -> tuple[Verification, Provenance]:
    if missing := [option for option in ("k", "columns") if not hasattr(options, option)]:
        named = " and ".join({"k": "-k", "columns": "--columns"}[option] for option in missing)
        raise InputError(f"verify needs {named}, or --plan with the plan of the release")
    before = None if original is None else _read(workspace.read, original, options)
    after = _read(workspace.read, released, options, skipped=() if original is None else _OF_ORIGINAL)
    names = column_names(after, options.columns)
    return verify(before, after, options.k, names), provenance_of(options, before, after)


def _verify_plan(
    workspace: Workspace, original: Location | None, released: Location, options: Namespace
) -> tuple[Verification, Provenance]:
    if given(options, ("k", "columns")):
        raise InputError("-k or --columns is given besides --plan, which has its own: leave one of them out")
    plan = Plan.from_toml(options.plan).with_options(**given(options, READING))
    before = None if original is None else _read(workspace.read, original, options, plan)
    after = read_release(released, plan.reading, workspace.read)
    _print_reading(after, options)
    return verify(before, after, plan=plan), provenance_of(options, before, after, plan)


def _certify(options: Namespace) -> int:
    data = _read(read, options.data, options)
    with running(options, time_limit=options.time_limit) as run:
        certification = certify(options.certificate, data, run=run)
    print_report(options, report(certification, options.format))
    return SUCCESS if certification.passed else FAILED


def _measure(options: Namespace) -> int:
    wanted = given(options, tuple(ASSESSMENT_OPTIONS))
    if wanted and not options.all:
        raise InputError(f"{ASSESSMENT_OPTIONS[next(iter(wanted))]} is for --all, which is not given: add it")
    check_report(options, [options.original, options.released, options.plan])
    if wants_document(options) and not options.all:
        raise InputError("a report that ends in .html tells all measures: add --all, or write a .txt or .json file")
    plan = None if options.plan is None else Plan.from_toml(options.plan)
    with Workspace(options.memory) as workspace:
        original = _read(workspace.read, options.original, options, plan)
        released = _read(workspace.read, options.released, options, skipped=_OF_ORIGINAL)
        measured = typed_options(original, given(options, ("columns", "standardise", "nominal", "ordinal")))
        if options.all:
            with running(options) as run:
                workspace.equip(run)
                result: Any = assess(
                    original, released, plan=plan, run=run, **measured, **typed_options(original, wanted)
                )
        else:
            result = measure(original, released, plan=plan, **measured)
        provenance = provenance_of(options, original, released, plan)
    deliver_report(result, options, provenance)
    return SUCCESS


def _changes(options: Namespace) -> int:
    plan = None if options.plan is None else Plan.from_toml(options.plan).with_options(**given(options, READING))
    with Workspace(options.memory) as workspace:
        original = _read(workspace.read, options.original, options, plan)
        if plan is None:
            released = _read(workspace.read, options.released, options, skipped=_OF_ORIGINAL)
        else:
            released = read_release(options.released, plan.reading, workspace.read)
            _print_reading(released, options)
        found = changes(original, released, plan=plan)
    print_report(options, report(found, options.format))
    return SUCCESS


def _methods(options: Namespace) -> int:
    print_report(options, report(methods(options.word, bounds=True), options.format))
    return SUCCESS


def _warm_up(options: Namespace) -> int:
    with running(options) as run:
        warm_up(run=run)
    print_message(options, "compiled: the kernels are on disk")
    return SUCCESS


def _read(
    read_table: Callable[..., Table],
    path: Location,
    options: Namespace,
    plan: Plan | None = None,
    *,
    skipped: tuple[str, ...] = (),
) -> Table:
    """Read a file by the given options but some, and those of the plan; print how it was read, if that is wanted."""
    reading = {name: value for name, value in given(options, READING).items() if name not in skipped}
    table = read_table(path, Reading(**reading) if plan is None else plan.with_options(**reading).reading)
    _print_reading(table, options)
    return table


def _print_reading(table: Table, options: Namespace) -> None:
    """Print how a table was read, if details are wanted."""
    if options.verbose:
        print_sentence(f"read: {table.source!r}")


COMMANDS: dict[str, Command] = {
    "inspect": _inspect,
    "protect": _protect,
    "compare": _compare,
    "bound": _bound,
    "verify": _verify,
    "certify": _certify,
    "measure": _measure,
    "changes": _changes,
    "methods": _methods,
    "warm-up": _warm_up,
    **WEB_COMMANDS,
    **CLUSTER_COMMANDS,
}
"""The function that runs each command."""
