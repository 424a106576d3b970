"""What a run is expected to take: printed in place of the run, or before one that takes longer than a minute."""

from argparse import Namespace
from contextlib import suppress

from microagg.arguments import given
from microagg.cli.exit_codes import SUCCESS
from microagg.cli.output_files import check_release_files
from microagg.cli.printing import print_message, print_report
from microagg.cli.typed_options import typed_options
from microagg.data_size import first_records
from microagg.estimate import estimate
from microagg.model.errors import InputError
from microagg.model.plan import PLAN_OPTIONS, READING, Plan
from microagg.model.reading import Reading
from microagg.model.table import Table
from microagg.protect import complete_plan
from microagg.report import report
from microagg.report.estimate_lines import expected_in_words
from microagg.write import STANDARD_OUTPUT

_SECONDS_ANNOUNCED = 60.0
_TOO_FEW_RECORDS = 5000  # to take so long, unless a method's time cannot be predicted anyway


def print_estimate(options: Namespace) -> int:
    """Print what a run is expected to take, from the beginning and the metadata of its input; return the exit code."""
    plan = None if options.plan is None else Plan.from_toml(options.plan)
    reading = given(options, READING)
    first = first_records(options.input, Reading(**reading) if plan is None else plan.with_options(**reading).reading)
    whole = complete_plan(plan, typed_options(first.table, given(options, PLAN_OPTIONS)))
    check_release_files(options, first.table, whole)
    expected = estimate(options.input, plan=whole, memory=options.memory, workers=options.workers)
    print_report(options, report(expected, options.format))
    return SUCCESS


def announce(options: Namespace, table: Table, plan: Plan) -> None:
    """Say what a run is expected to take, if that is more than a minute."""
    if options.quiet or table.path is None or table.n_records < _TOO_FEW_RECORDS:
        return
    with suppress(InputError):  # the run itself will say what is wrong, if anything is
        expected = estimate(options.input, plan=plan, memory=options.memory, workers=options.workers)
        if expected.seconds is not None and expected.seconds > _SECONDS_ANNOUNCED:
            resumed = "" if options.output == STANDARD_OUTPUT else ", and --resume goes on if it is killed"
            print_message(options, f"this takes {expected_in_words(expected)}; Ctrl-C ends it{resumed}")
