"""Commands that work on Apache Spark: one function each, which returns the exit code."""

import sys
import warnings
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import microagg.spark as cluster
from microagg.arguments import Command, given
from microagg.cli.exit_codes import FAILED, SUCCESS
from microagg.cli.output_files import (
    check_output_file,
    check_report,
    deliver_report,
    write_cluster_files,
    write_plan,
)
from microagg.cli.printing import print_message, print_report, print_verdict, print_warnings, printed_columns
from microagg.cli.report_files import check_edition, cluster_provenance, command_of, report_text
from microagg.cli.shown_progress import running, shown
from microagg.cli.typed_options import column_names, typed_options
from microagg.control.run import Run
from microagg.model.errors import CancelledError, InputError, MicroaggError
from microagg.model.plan import PLAN_OPTIONS, Plan
from microagg.protect import complete_plan
from microagg.read import read
from microagg.report import OutputFile, report
from microagg.spark.executor_warm_up import warm_up
from microagg.spark.local_paths import local_path
from microagg.spark.named_frames import empty_table, named_frame
from microagg.spark.session import SAID_BY_SPARK, described_session, opened_session, spark_error
from microagg.spark.settled_schema import check_plan
from microagg.spark.staging import check_local_folder, check_new_folder, check_new_local
from microagg.terminal import INTERRUPTION

_PROMISE = "the jobs on Spark are ended, and nothing is written"


def _protect(options: Namespace) -> int:
    plan = None if options.plan is None else Plan.from_toml(options.plan)
    _check_files(options)
    _check_folders(options, _settings(options))
    _check_options(options, plan)
    with _session(options) as spark:
        check_new_folder(spark, options.output)
        frame = named_frame(spark, options.input)
        whole_plan = complete_plan(plan, typed_options(empty_table(frame), given(options, PLAN_OPTIONS)))
        staging = _folder_of(options.output) if options.staging is None else options.staging
        work = partial(cluster.protect, frame, plan=whole_plan, row_id=options.row_id, staging=staging)
        with shown(options, tells_stages=True) as bars:
            with bars.of_run() as run:
                unwritten = work(run=run)
            with unwritten as release:
                _check_uncancelled(run)
                bars("write", None)
                printed = _write(release, options)
        _print_times(options, release.stage_times)
    print_report(options, printed)
    print_verdict(options, release)
    print_message(options, INTERRUPTION.outcome)
    print_warnings(options, release)
    return SUCCESS


def _write(release: cluster.SparkRelease, options: Namespace) -> str:
    """Write a release, its report and its plan; return the report to print."""
    output = OutputFile(_last_name(options.output), None)
    printed = report(release, options.format, output, max_columns=printed_columns(options))
    filed = None if options.report is None else report_text(release, options, command_of(options), output)
    release.write(options.output)
    INTERRUPTION.outcome = f"written: {options.output}"
    INTERRUPTION.outcome = write_cluster_files(release.plan, filed, options)
    return printed


def _verify(options: Namespace) -> int:
    *originals, released = options.frames
    if len(originals) > 1:
        raise InputError("verify takes the released records, and at most the original ones before them: found more")
    check_report(options, [options.plan])
    plan = _checked_plan(options)
    with _session(options) as spark:
        before = named_frame(spark, originals[0]) if originals else None
        after = named_frame(spark, released)
        wanted: dict[str, Any] = {"plan": plan}
        if plan is None:
            wanted = {"k": options.k, "columns": column_names(empty_table(after), options.columns)}
        with running(options, tells_stages=True) as run:
            verification = cluster.verify(before, after, **_frame_options(options), run=run, **wanted)
    roles = dict(zip(("release", "original"), (released, *originals), strict=False))
    deliver_report(verification, options, cluster_provenance(options, roles, plan))
    return SUCCESS if verification.passed else FAILED


def _checked_plan(options: Namespace) -> Plan | None:
    """Return the plan to verify by; None where k and columns are given in its place."""
    if options.plan is not None:
        if given(options, ("k", "columns")):
            raise InputError("-k or --columns is given besides --plan, which has its own: leave one of them out")
        return Plan.from_toml(options.plan)
    if missing := [option for option in ("k", "columns") if not hasattr(options, option)]:
        named = " and ".join({"k": "-k", "columns": "--columns"}[option] for option in missing)
        raise InputError(f"verify needs {named}, or --plan with the plan of the release")
    return None


def _measure(options: Namespace) -> int:
    check_report(options, [options.plan])
    plan = None if options.plan is None else Plan.from_toml(options.plan)
    with _session(options) as spark:
        original = named_frame(spark, options.original)
        released = named_frame(spark, options.released)
        typed = given(options, ("columns", "standardise", "nominal", "ordinal"))
        wanted = typed_options(empty_table(original), typed)
        with running(options, tells_stages=True) as run:
            measures = cluster.measure(original, released, plan=plan, **_frame_options(options), run=run, **wanted)
    roles = {"original": options.original, "release": options.released}
    deliver_report(measures, options, cluster_provenance(options, roles, plan))
    return SUCCESS


def _inspect(options: Namespace) -> int:
    if options.plan is not None:
        check_output_file("plan", options.plan, [], force=options.force)
    elif options.force:
        raise InputError("--force replaces an existing plan, found no --plan: name one, or leave --force out")
    with _session(options) as spark:
        frame = named_frame(spark, options.input)
        with running(options, tells_stages=True) as run:
            inspection = cluster.inspect(frame, **_frame_options(options), run=run, **given(options, ("sample",)))
    inspection = replace(inspection, file=options.input)
    if options.plan is not None:
        command = _protecting_command(options)
        INTERRUPTION.outcome = write_plan(inspection.to_toml(str(options.plan), command), options, command)
    print_report(options, report(inspection, options.format, max_columns=printed_columns(options)))
    if options.plan is not None:
        print_message(options, INTERRUPTION.outcome)
    return SUCCESS


def _protecting_command(options: Namespace) -> list[str]:
    """Return the words of the command that protects by a starter plan, where and as the records were inspected."""
    words = ["microagg", "spark", "protect", options.input, "--plan", str(options.plan), "-o", "safe/"]
    for option, value in (("--master", options.master), ("--staging", options.staging), ("--row-id", options.row_id)):
        words += [] if value is None else [option, value]
    return words + [word for name, value in options.conf for word in ("--conf", f"{name}={value}")]


def _warm_up(options: Namespace) -> int:
    with _session(options) as spark:
        print_message(options, "compiling takes two to three minutes; the default method comes first, within one")
        with running(options, tells_stages=True) as run:
            machines = warm_up(spark, run=run)
    print_message(options, f"compiled: every kernel is on the disk of {', '.join(machines)}")
    return SUCCESS


def _frame_options(options: Namespace) -> dict[str, Any]:
    """Return how records are numbered, and where they rest between jobs."""
    return {"row_id": options.row_id, "staging": options.staging}


def _check_files(options: Namespace) -> None:
    """Raise `InputError` if the report or the plan cannot be written, before any work is done."""
    taken = [options.plan] if options.plan is not None else []
    for what in ("report", "save_plan"):
        path = getattr(options, what)
        if path is not None:
            check_output_file(what.replace("save_", ""), path, taken, force=options.force)
            taken.append(path)
    check_edition(options)


def _settings(options: Namespace) -> dict[str, str]:
    """Return the settings of Spark."""
    conf = dict(options.conf)
    if len(conf) < len(options.conf):
        raise InputError("--conf has a setting twice: leave one of them out")
    return conf


def _check_folders(options: Namespace, conf: dict[str, str]) -> None:
    """Raise `InputError` if folders of this machine cannot be written, before Spark is started."""
    output = local_path(options.output, options.master, conf)
    if output is not None:
        check_new_local(output, options.output)
    staging = None if options.staging is None else local_path(options.staging, options.master, conf)
    if staging is not None:
        check_local_folder(staging, "staging")


def _check_options(options: Namespace, plan: Plan | None) -> None:
    """Raise `InputError` if a cluster cannot carry out the plan, as far as that is known before Spark is started."""
    typed = given(options, PLAN_OPTIONS)
    names = [text for texts in typed.values() if isinstance(texts, list) for text in texts]
    try:
        whole_plan = complete_plan(plan, typed_options(read([[0.0]]), typed))  # names of columns are not known yet
    except InputError:
        if any(mark in text for text in names for mark in ",="):  # which may be part of the name of a column
            return
        raise
    check_plan(whole_plan, whole_plan.limits)


@contextmanager
def _session(options: Namespace) -> Iterator[Any]:
    """Open a session of Spark in a `with` block, and say which; tell its errors in a sentence."""
    conf = _settings(options)
    if not options.verbose:
        warnings.filterwarnings("ignore", module=r"pyspark\.")
    promise = INTERRUPTION.promise
    INTERRUPTION.promise = _PROMISE
    try:
        with opened_session(options.master, conf, shows_log=options.verbose) as spark:
            INTERRUPTION.install()  # again, as a new session has installed a handler of its own
            print_message(options, f"with {described_session(spark)}")
            yield spark
    except Exception as error:
        INTERRUPTION.check()  # Spark turns an interruption into an error of its own
        own = error if isinstance(error, MicroaggError) else spark_error(error)
        if own is None:
            raise
        if SAID_BY_SPARK in str(own) and not options.verbose:
            raise type(own)(f"{own} (--verbose shows its log)") from error
        if own is error:
            raise
        raise own from error
    finally:
        INTERRUPTION.promise = promise


def _check_uncancelled(run: Run) -> None:
    """Raise `CancelledError` if a run was cancelled too late to end it: that nothing is written has been said."""
    if run.cancelled:
        raise CancelledError("the run was cancelled: nothing is written")


def _last_name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _folder_of(path: str) -> str:
    """Return the folder that a path is in: on the same file system, whichever that is."""
    folder, slash, _ = path.rstrip("/").rpartition("/")
    return f"{folder}{slash}" if slash else "."


def _print_times(options: Namespace, times: Any) -> None:
    """Print the time of each stage, if details are wanted."""
    if options.verbose:
        for one in times:
            tasks = "" if one.tasks is None else f", {one.tasks} tasks"
            print(f"{one.seconds:9.2f} s  {one.name}{tasks}", file=sys.stderr)


CLUSTER_COMMANDS: dict[str, Command] = {
    "spark protect": _protect,
    "spark verify": _verify,
    "spark measure": _measure,
    "spark inspect": _inspect,
    "spark warm-up": _warm_up,
}
"""The function that runs each command on Spark."""
