"""Arguments of each command, and its texts for the help."""

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from microagg.arguments.option_groups import (
    NOT_GIVEN,
    add_aggregate,
    add_assessment_group,
    add_bound,
    add_codes,
    add_columns,
    add_file,
    add_force,
    add_k,
    add_memory,
    add_no_standardise,
    add_parts_group,
    add_printing_group,
    add_privacy_group,
    add_quiet_option,
    add_reading_group,
    add_report,
    add_roles,
    add_switch,
    add_table,
    add_values_group,
    aim_group,
    columns_group,
    method_group,
    methods_group,
)
from microagg.arguments.value_types import integers, number, table_location
from microagg.protect import MEASURES

_ADDRESS = "the address of a table of a database, such as duckdb:///file.db?table=name or sqlite:///file.db?table=name"
_KINDS = f"CSV, Parquet, Arrow, Stata, SPSS, SAS, Excel or R; - for standard input; or {_ADDRESS}"
_READING_DETAILS = "how files were read"
_SOLVING_DETAILS = "every column of a long table, how the file was read and how the loss decreased"


class DescribedCommand(NamedTuple):
    """Arguments of a command, and its texts for the help.

    Parameters
    ----------
    add_arguments
        Adds the arguments to the command's parser.
    summary
        What the command does, without a full stop.
    usage
        What is typed after the command's name.
    examples
        Whole commands, one a line.
    """

    add_arguments: Callable[[ArgumentParser], None]
    summary: str
    usage: str
    examples: str


def _add_inspect(command: ArgumentParser) -> None:
    add_table(command, "input", f"file to inspect: {_KINDS}")
    plan = command.add_argument_group("starter plan")
    add_file(plan, "--plan", "write a starter plan to this file, in TOML with comments")
    add_force(plan)
    add_memory(command)
    add_reading_group(command)
    add_printing_group(command, f"every column of a long table, and {_READING_DETAILS}")


def _add_protect(command: ArgumentParser) -> None:
    add_table(command, "input", f"file to protect: {_KINDS}")
    output = "file to write; the extension sets the format: .csv, .parquet, .dta, .sav, .xlsx, …; - for standard output"
    command.add_argument("-o", "--output", type=table_location, metavar="OUTPUT", help=f"{output}; or {_ADDRESS}")
    add_k(command, default=NOT_GIVEN)
    add_file(command, "--plan", "plan in TOML; other options may add to it, but not contradict it")
    columns = columns_group(command)
    add_columns(columns, "--columns", "columns to protect (default: every numeric column, unless one is ambiguous)")
    add_columns(columns, "--exclude", "columns that you know to be released unchanged")
    add_columns(columns, "--drop", "columns to leave out of the release")
    add_roles(columns)
    add_aggregate(add_values_group(command))
    add_parts_group(command)
    add_privacy_group(command)
    solving = method_group(command)
    add_bound(solving, "also prove a lower bound on the information loss", nargs="?", const=True)
    add_switch(solving, "--weighted-loss", "use the sampling weights in the objective")
    release = command.add_argument_group("release")
    add_switch(release, "--keep-integers", "round the means of columns of whole numbers")
    rounding = "with --keep-integers: to the nearest integer, or so that the column total hardly changes"
    release.add_argument("--rounding", default=NOT_GIVEN, choices=("nearest", "total"), help=rounding)
    add_switch(release, "--shuffle", "release the records in random order")
    add_switch(release, "--allow-k1", "allow k = 1, which protects nothing")
    add_switch(release, "--strict", "release nothing unless k holds on all released columns that others may know")
    release.add_argument("--measures", choices=MEASURES, help="also compute all measures of utility and risk")
    add_report(release, "also write the report to this file")
    add_file(
        release, "--save-plan", "write the plan that was carried out to this file, in TOML, to verify or repeat it"
    )
    add_force(release)
    large = command.add_argument_group("large files")
    add_memory(large)
    resume = "continue an interrupted run of the same command"
    large.add_argument("--resume", action="store_true", help=resume)
    estimate = "print the estimated time and memory on this machine, and write nothing"
    large.add_argument("--estimate", action="store_true", help=estimate)
    add_reading_group(command)
    add_printing_group(command, _SOLVING_DETAILS)


def _add_compare(command: ArgumentParser) -> None:
    add_table(command, "input", f"file to protect: {_KINDS}; no release is written")
    sizes = "values of k to compare, separated by commas (default: 3,5,10)"
    command.add_argument("-k", default=NOT_GIVEN, type=integers, metavar="K,K,…", help=sizes)
    add_file(command, "--plan", "plan in TOML; the compared k and methods replace its own")
    columns = columns_group(command)
    add_columns(columns, "--columns", "columns to protect (default: every numeric column, unless one is ambiguous)")
    add_columns(columns, "--exclude", "columns that you know to be released unchanged")
    add_columns(columns, "--drop", "columns to leave out of the release")
    add_roles(columns)
    values = add_values_group(command)
    add_aggregate(values)
    add_switch(values, "--keep-integers", "round the means of columns of whole numbers")
    add_parts_group(command)
    add_privacy_group(command)
    add_switch(methods_group(command), "--weighted-loss", "use the sampling weights in the objective")
    aim_group(command)
    output = command.add_argument_group("output")
    add_file(output, "--report", "also write the report to this file: .txt, .json or .html")
    table = "also write the table of candidates to this file: .csv, .parquet, .arrow, …"
    output.add_argument("-o", "--output", type=Path, metavar="FILE", help=table)
    add_file(output, "--save-plan", "write the plan of the recommended candidate to this file, for 'microagg protect'")
    checkpoint = "save finished candidates in this file and reuse those already in it"
    add_file(output, "--checkpoint", checkpoint)
    add_force(output)
    add_reading_group(command)
    add_printing_group(command, _READING_DETAILS)


def _add_bound(command: ArgumentParser) -> None:
    add_table(command, "input", f"file to group: {_KINDS}; no data are written")
    add_k(command)
    columns = columns_group(command)
    add_columns(columns, "--columns", "columns to group by (default: every numeric column, unless one is ambiguous)")
    add_columns(columns, "--exclude", "numeric columns not to group by")
    add_values_group(command)
    solving = method_group(command)
    add_bound(solving, "how to prove the bound")
    add_force(solving)
    add_reading_group(command)
    add_printing_group(command, _SOLVING_DETAILS)


def _add_verify(command: ArgumentParser) -> None:
    files = "the released file, or the original and the released file"
    command.add_argument("files", type=table_location, nargs="+", metavar="[ORIGINAL] RELEASED", help=files)
    add_k(command, default=NOT_GIVEN)
    add_file(command, "--plan", "plan of the release (TOML), instead of -k and --columns: check all that it promises")
    add_table(command, "--original", "original file to compare with")
    add_columns(columns_group(command), "--columns", "columns that must be k-anonymous together")
    output = command.add_argument_group("output")
    add_report(output, "also write the verdict, every finding and the checksums of the files to this file")
    add_force(output)
    add_memory(command)
    add_reading_group(command)
    add_printing_group(command, _READING_DETAILS)


def _add_certify(command: ArgumentParser) -> None:
    add_file(command, "certificate", "certificate, in JSON")
    add_table(command, "data", "file that the certificate is about")
    command.add_argument("--time-limit", type=number, metavar="SECONDS", help="limit on checking time")
    add_reading_group(command)
    add_printing_group(command, _READING_DETAILS)


def _add_changes(command: ArgumentParser) -> None:
    add_table(command, "original", "original file")
    add_table(command, "released", "released file")
    add_file(command, "--plan", "plan of the release (TOML), with the intended changes and omissions")
    add_memory(command)
    add_reading_group(command)
    add_printing_group(command, _READING_DETAILS)


def _add_measure(command: ArgumentParser) -> None:
    add_table(command, "original", "original file")
    add_table(command, "released", "released file, with the records in the same order")
    add_file(command, "--plan", "plan of the release (TOML): its columns are measured on its scales")
    columns = columns_group(command)
    add_columns(columns, "--columns", "columns to measure (default: every numeric column that was changed)")
    add_no_standardise(columns, "measure the columns on their own scales, not scaled to variance 1")
    add_codes(columns)
    add_assessment_group(command)
    output = command.add_argument_group("output")
    add_report(output, "also write the report to this file")
    add_force(output)
    add_memory(command)
    add_reading_group(command)
    add_printing_group(command, _READING_DETAILS)


def _add_methods(command: ArgumentParser) -> None:
    word = "describe the method of this name in full, or list those whose names or descriptions contain this word"
    command.add_argument("word", nargs="?", metavar="WORD", help=word)
    add_printing_group(command, details=None)


def _add_warm_up(command: ArgumentParser) -> None:
    add_quiet_option(command)


COMMANDS = {
    "inspect": DescribedCommand(
        _add_inspect,
        "describe the columns of a file, and write a starter plan",
        "INPUT [--plan FILE] [options]",
        """examples:
  microagg inspect people.csv
  microagg inspect people.csv --plan release.toml
  microagg protect people.csv --plan release.toml -o safe.csv""",
    ),
    "protect": DescribedCommand(
        _add_protect,
        "protect a file: replace columns by the means of groups of at least k records",
        "INPUT -o OUTPUT (-k K | --plan FILE) [options]",
        """examples:
  microagg protect people.csv -k 5 -o safe.csv --columns income,assets
  microagg protect people.csv -k 5 -o safe.parquet --exclude id,weight --drop name --bound --report report.json
  microagg protect people.csv --plan release.toml -o safe.csv --report report.html
  microagg protect people.csv -k 5 -o safe.csv --columns income,sex --identifiers name --strata region --weight w
  microagg protect census.parquet -k 5 --columns income,assets --estimate
  microagg protect census.parquet -k 5 -o safe.parquet --columns income,assets --memory 2G
  microagg protect - -k 3 -o - --columns 'income,net wealth' < people.csv > safe.csv
  microagg protect people.csv -k 3 -o best.csv --columns income,assets --method exact --certificate proof.json""",
    ),
    "compare": DescribedCommand(
        _add_compare,
        "compare the loss and risk of several k and methods, and recommend one",
        "INPUT [-k K,K,…] [--methods METHODS] [options]",
        """examples:
  microagg compare people.csv -k 3,5,10 --methods mdav,igd,search --columns income,assets
  microagg compare people.csv --plan release.toml --max-risk 10 --save-plan chosen.toml
  microagg compare people.csv --columns income,assets --report map.html --checkpoint candidates.jsonl
  microagg compare people.csv -k 3,5 --methods 'v-mdav(gamma=1.1),search' --columns income,assets -o table.csv""",
    ),
    "bound": DescribedCommand(
        _add_bound,
        "prove a lower bound on the information loss of any partition",
        "INPUT -k K [options]",
        """examples:
  microagg bound people.csv -k 5 --columns income,assets --time-limit 600
  microagg bound people.csv -k 3 --columns income,assets --method exact --certificate proof.json""",
    ),
    "verify": DescribedCommand(
        _add_verify,
        "check a release made by any tool: PASS or FAIL",
        "[ORIGINAL] RELEASED (-k K --columns NAMES | --plan FILE) [options]",
        """examples:
  microagg verify safe.csv -k 5 --columns income,assets
  microagg verify people.csv safe.csv -k 5 --columns income,assets
  microagg verify safe.csv --plan release.toml --original people.csv
  microagg verify safe.csv --plan release.toml --original people.csv --report verification.html""",
    ),
    "certify": DescribedCommand(
        _add_certify,
        "check a certificate: the proof of a lower bound",
        "CERTIFICATE DATA [options]",
        """examples:
  microagg certify proof.json people.csv""",
    ),
    "measure": DescribedCommand(
        _add_measure,
        "measure the information loss of a release, or all of its utility and risk",
        "ORIGINAL RELEASED [options]",
        """examples:
  microagg measure people.csv safe.csv
  microagg measure people.csv safe.csv --plan release.toml
  microagg measure people.csv safe.csv --all -k 5 --regression 'income ~ age + sex' --domains region,sex
  microagg measure people.csv safe.csv --columns income,assets --format json""",
    ),
    "changes": DescribedCommand(
        _add_changes,
        "list everything that differs between a file and its release: values, types, labels, columns, records",
        "ORIGINAL RELEASED [--plan FILE] [options]",
        """examples:
  microagg changes people.sav safe.sav
  microagg changes people.xlsx safe.xlsx --plan release.toml
  microagg changes 'duckdb:///people.duckdb?table=people' safe.parquet --format json""",
    ),
    "methods": DescribedCommand(
        _add_methods,
        "list the methods",
        "[WORD] [options]",
        """examples:
  microagg methods
  microagg methods gsms
  microagg methods --format json""",
    ),
    "warm-up": DescribedCommand(
        _add_warm_up,
        "compile all kernels in advance, for containers and clusters",
        "[options]",
        """examples:
  microagg warm-up
  NUMBA_CACHE_DIR=/opt/microagg microagg warm-up --quiet""",
    ),
}
"""Every command, by its name."""
