"""Groups of options that several commands share, and single arguments that recur."""

import argparse
from pathlib import Path
from typing import Any

from microagg.arguments.value_types import delimiter, integer, memory, method_names, number, table_location
from microagg.model.missing_policy import MISSING_POLICIES, SMALL_STRATA
from microagg.refine.search import EFFORTS
from microagg.report import EDITIONS

NOT_GIVEN = argparse.SUPPRESS
"""Default of an option that leaves no attribute when it is not given."""

ASSESSMENT_OPTIONS = {
    "k": "-k",
    "regressions": "--regression",
    "domains": "--domains",
    "sampling_fraction": "--sampling-fraction",
}
"""Options of an assessment, as they are typed."""


def columns_group(command: argparse.ArgumentParser) -> Any:
    """Add and return the group of options that name columns."""
    return command.add_argument_group(
        "columns", "NAMES are column names separated by commas; an option may be repeated."
    )


def add_roles(group: Any, *, renumber: bool = True) -> None:
    """Add the options that say what other columns are; `--renumber` only if all records are in one place."""
    add_columns(group, "--identifiers", "columns that identify a person, such as names: left out of the release")
    if renumber:
        add_columns(group, "--renumber", "identifiers to replace by new numbers in random order")
    add_columns(group, "--confidential", "sensitive columns, for l-diversity and t-closeness; released unchanged")
    _add_option(group, "--weight", str, "NAME", "column of sampling weights of the means; released unchanged")
    _add_option(group, "--unit", str, "NAME", "column of households, enterprises, …: k counts units, not records")


def add_values_group(command: argparse.ArgumentParser, *, ranked: bool = True) -> Any:
    """Add and return the options of how the values of columns are compared; `ranked` where all values are at hand."""
    group = command.add_argument_group(
        "values",
        f"VALUE is one for all columns, or COLUMN=VALUE, which may be repeated: --scale {'mad' if ranked else 'none'}, "
        "--scale age=range.",
    )
    scales = "deviation, mad, iqr, range, rank, none" if ranked else "deviation, range, none"
    _add_by_column(group, "--scale", f"{scales}, or a weight for the column")
    transforms = "log, rank or none" if ranked else "log or none"
    _add_by_column(group, "--transform", f"{transforms}, for the distances only")
    add_codes(group)
    return group


def add_codes(group: Any) -> None:
    """Add the options that name columns of codes."""
    add_columns(group, "--nominal", "columns whose values are categories, even if they are numbers")
    _add_by_column(group, "--ordinal", "columns of ordered categories: education, or education='none<primary<higher'")


def add_aggregate(group: Any) -> None:
    """Add the option of how the values of a group are aggregated."""
    _add_by_column(group, "--aggregate", "mean, median, trimmed, mode, medoid or set")


def add_parts_group(command: argparse.ArgumentParser) -> None:
    """Add the options of strata and missing values."""
    group = command.add_argument_group("strata and missing values")
    add_columns(group, "--strata", "columns that define strata, which no group crosses")
    small = "strata, or patterns of missing values, of fewer than k records: leave them out, or merge with the nearest"
    group.add_argument("--small-strata", default=NOT_GIVEN, choices=SMALL_STRATA, help=small)
    missing = (
        "what to do about missing values in protected columns: impute the group's value (fill), blank the cell for the "
        "whole group (blank), group only records that lack the same columns (pattern), leave the records out (drop), "
        "or keep missing cells, a weaker promise (available); default: error"
    )
    group.add_argument("--missing", default=NOT_GIVEN, choices=MISSING_POLICIES, help=missing)
    _add_by_column(
        group, "--missing-values", "values that stand for a missing one: -99 in any column, or income=-9,999,age=-9"
    )


def add_privacy_group(command: argparse.ArgumentParser, *, whole_table: bool = True) -> None:
    """Add the options of privacy on top of k; those that compare a group with all records only if these are at hand."""
    group = command.add_argument_group(
        "privacy on top of k", "For every confidential column, or as COLUMN=VALUE, which may be repeated."
    )
    _add_by_column(group, "--l-diversity", "minimum number of distinct values in each group")
    _add_by_column(
        group, "--entropy-l-diversity", "minimum effective number of values (exp of the entropy) in each group"
    )
    if whole_table:
        _add_by_column(group, "--t-closeness", "maximum earth mover's distance of a group from all records, e.g. 0.2")
    _add_by_column(group, "--dominance", "n,share: the n largest hold at most this share of a group, e.g. 1,0.8")
    _add_by_column(group, "--p-percent", "a group's total without the two largest is at least p %% of the largest")


def method_group(command: argparse.ArgumentParser) -> Any:
    """Add and return the group of options of solving."""
    group = command.add_argument_group("method and limits")
    _add_method(group)
    _add_solving(group)
    add_file(
        group,
        "--certificate",
        "with --method exact or --bound exact: write the proof to this file, for 'microagg certify'",
    )
    return group


def untimed_method_group(command: argparse.ArgumentParser) -> Any:
    """Add and return the group of options of solving on many machines: without limits that depend on their speed."""
    group = command.add_argument_group("method")
    _add_method(group)
    _add_untimed_solving(group)
    return group


def methods_group(command: argparse.ArgumentParser) -> Any:
    """Add and return the group of options of solving by several methods."""
    group = command.add_argument_group(
        "methods and limits", "Effort and limits hold for those methods that have something to limit."
    )
    methods = "methods to compare, separated by commas; a refiner alone follows mdav (default: mdav,search)"
    _add_option(group, "--methods", method_names, "METHODS", methods)
    _add_solving(group)
    return group


def aim_group(command: argparse.ArgumentParser) -> None:
    """Add the options of what candidates are compared by."""
    group = command.add_argument_group("recommendation", "FIGURE is the name of a measure: see docs/measures.md.")
    _add_option(group, "--utility", str, "FIGURE", "measure of loss (default: information_loss)")
    _add_option(group, "--risk", str, "FIGURE", "measure of risk (default: dld, record linkage by distance)")
    _add_option(group, "--max-loss", number, "VALUE", "recommend the lowest risk with at most this loss")
    _add_option(group, "--max-risk", number, "VALUE", "recommend the lowest loss with at most this risk")


def _add_method(group: Any) -> None:
    group.add_argument(
        "--method", default=NOT_GIVEN, help="how to group the records: see 'microagg methods' (default: auto)"
    )


def _add_solving(group: Any) -> None:
    """Add the options of solving that do not depend on how many methods there are."""
    _add_untimed_solving(group)
    _add_option(group, "--time-limit", number, "SECONDS", "limit on solving time")
    _add_option(group, "--target-gap", number, "GAP", "stop at this relative gap to the bound, e.g. 0.01")
    group.add_argument("--workers", type=integer, metavar="N", help="number of threads (default: one per processor)")


def _add_untimed_solving(group: Any) -> None:
    """Add the options of solving that give the same groups on any machine."""
    effort = "effort of the search (default: standard, or all that the limits allow)"
    group.add_argument("--effort", default=NOT_GIVEN, choices=tuple(EFFORTS), help=effort)
    _add_option(group, "--block-size", integer, "N", "records per block of a large file (default: by method)")
    _add_option(group, "--rounds", integer, "N", "rounds of blocks, redrawn each time (default: by effort)")
    add_no_standardise(group, "use the columns on their own scales, not scaled to variance 1")
    _add_option(group, "--random-state", integer, "N", "the same number gives the same groups (default: 0)")
    _add_option(group, "--iterations", integer, "N", "limit on the iterations of each refiner")


def add_assessment_group(command: argparse.ArgumentParser) -> None:
    """Add the options of measuring everything."""
    group = command.add_argument_group("all measures", "Utility and risk: every figure of docs/measures.md.")
    group.add_argument("--all", action="store_true", help="measure everything")
    group.add_argument("-k", default=NOT_GIVEN, type=integer, metavar="K", help="smallest group size required")
    formula = (
        "regression to fit to both files, e.g. 'income ~ age + sex'; names with blanks in backticks; may be repeated"
    )
    group.add_argument(
        "--regression", dest="regressions", action="append", default=NOT_GIVEN, metavar="FORMULA", help=formula
    )
    add_columns(group, "--domains", "columns that define the domains whose totals are compared")
    _add_option(group, "--sampling-fraction", number, "F", "share of the population that is in the data, e.g. 0.05")


def add_reading_group(command: argparse.ArgumentParser) -> None:
    """Add the options that say how a file is to be read."""
    group = command.add_argument_group("reading files (detected unless given)")
    _add_option(group, "--delimiter", delimiter, "CHAR", "character between two fields; \\t for a tab")
    group.add_argument("--decimal", default=NOT_GIVEN, choices=(".", ","), metavar="SIGN", help="decimal sign: . or ,")
    _add_option(group, "--encoding", str, "NAME", "such as utf-8 or cp1252")
    header = "whether the first line names the columns"
    group.add_argument("--header", default=NOT_GIVEN, action=argparse.BooleanOptionalAction, help=header)
    table = "sheet of a workbook (default: the first), object of an R file, or table of a database"
    _add_option(group, "--table-name", str, "NAME", table)


def add_printing_group(command: argparse.ArgumentParser, details: str | None) -> None:
    """Add the options of what is printed; `--verbose` only if there are details to print."""
    group = command.add_argument_group("printed output")
    group.add_argument(
        "--format", choices=["text", "json"], default="text", help="format of the report (default: text)"
    )
    loudness = group.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    if details is not None:
        loudness.add_argument("-v", "--verbose", action="store_true", help=f"also print {details}")


def add_memory(group: Any) -> None:
    """Add the memory budget."""
    text = "memory that the program may use, e.g. 2G or 512M; larger files are read column by column (default: half of "
    group.add_argument("--memory", type=memory, metavar="SIZE", help=f"{text}what is free)")


def add_quiet_option(command: argparse.ArgumentParser) -> None:
    """Add the switch of a command that prints no report."""
    command.add_argument("-q", "--quiet", action="store_true", help="print only errors")


def add_k(command: argparse.ArgumentParser, default: Any = None) -> None:
    """Add k, which is required unless it has a default."""
    command.add_argument(
        "-k", required=default is None, default=default, type=integer, metavar="K", help="smallest group size"
    )


def add_file(command: Any, name: str, text: str) -> None:
    """Add a file: an argument, or an option if its name starts with dashes."""
    command.add_argument(name, type=Path, metavar="FILE" if name.startswith("-") else name.upper(), help=text)


def add_table(command: Any, name: str, text: str) -> None:
    """Add a file with a table, or a table of a database: an argument, or an option if its name starts with dashes."""
    metavar = "FILE" if name.startswith("-") else name.upper()
    command.add_argument(name, type=table_location, metavar=metavar, help=text)


def add_columns(group: Any, name: str, text: str) -> None:
    """Add an option that names columns."""
    group.add_argument(name, action="append", default=NOT_GIVEN, metavar="NAMES", help=text)


def _add_by_column(group: Any, name: str, text: str) -> None:
    """Add an option with a value for all columns, or by column."""
    group.add_argument(name, action="append", default=NOT_GIVEN, metavar="VALUE", help=text)


def add_no_standardise(group: Any, text: str) -> None:
    """Add the switch that leaves columns on their own scales."""
    group.add_argument("--no-standardise", dest="standardise", default=NOT_GIVEN, action="store_false", help=text)


def add_report(group: Any, text: str) -> None:
    """Add the file that a report is written to, and the edition of one that is a document."""
    add_file(group, "--report", f"{text}: .txt, .json, or .html (a document to sign)")
    edition = "edition of an .html report: internal (default), or public, without figures of the original data"
    group.add_argument("--edition", choices=EDITIONS, help=edition)


def add_force(group: Any) -> None:
    """Add the switch that allows to replace files."""
    group.add_argument("-f", "--force", action="store_true", help="replace existing files")


def add_switch(group: Any, name: str, text: str) -> None:
    """Add an option without a value."""
    group.add_argument(name, action="store_true", default=NOT_GIVEN, help=text)


def add_bound(group: Any, text: str, **options: Any) -> None:
    """Add the option of a bound, by its name."""
    known = "see 'microagg methods' (default: automatic)"
    group.add_argument(
        "--bound", default=NOT_GIVEN, type=_bound_name, metavar="NAME", help=f"{text}: {known}", **options
    )


def _bound_name(text: str) -> str:
    """Refuse a file in place of a bound's name, as in 'protect --bound people.csv'."""
    if Path(text).is_file():
        raise argparse.ArgumentTypeError(f"expected the name of a bound, found the file {text!r}: name the file first")
    return text


def _add_option(group: Any, name: str, value_type: Any, metavar: str, text: str) -> None:
    group.add_argument(name, default=NOT_GIVEN, type=value_type, metavar=metavar, help=text)
