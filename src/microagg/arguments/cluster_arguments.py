"""Arguments of the commands that work on Apache Spark, and their texts for the help."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from microagg.arguments.command_arguments import DescribedCommand
from microagg.arguments.option_groups import (
    NOT_GIVEN,
    add_aggregate,
    add_codes,
    add_columns,
    add_file,
    add_force,
    add_k,
    add_no_standardise,
    add_parts_group,
    add_printing_group,
    add_privacy_group,
    add_quiet_option,
    add_report,
    add_roles,
    add_switch,
    add_values_group,
    columns_group,
    untimed_method_group,
)
from microagg.arguments.value_types import frame_name, integer, setting
from microagg.model.one_machine_options import NOT_ON_CLUSTER

_INPUT = "a Parquet folder or file in any file system that Spark can read, or table:NAME of the catalogue"
_DETAILS = "what Spark logs, and the time of each stage"

GROUPS = {
    "spark": (
        "do the same on Apache Spark, for data that are already in a cluster",
        """examples:
  microagg spark inspect hdfs:///people --plan release.toml --master yarn --staging hdfs:///tmp
  microagg spark protect hdfs:///people -o hdfs:///safe --plan release.toml --master yarn
  microagg spark verify hdfs:///people hdfs:///safe --plan release.toml --master yarn --staging hdfs:///tmp
  microagg spark protect --help""",
    )
}
"""Summary and examples of each group of commands, by its name."""

_READING = ("delimiter", "decimal", "encoding", "header", "table_name", "memory")


def _refusals(names: Iterable[str]) -> dict[str, str]:
    """Return why options of one machine are refused, by the options as they are typed."""
    typed = {f"--{name.replace('_', '-')}": NOT_ON_CLUSTER[name] for name in names}
    return typed | ({"--no-header": NOT_ON_CLUSTER["header"]} if "header" in names else {})


_ASSESSMENT = "on a cluster only the information loss is measured: use 'microagg measure --all' on one machine"

REFUSALS = {
    "spark protect": _refusals(NOT_ON_CLUSTER),
    "spark verify": {
        **_refusals(_READING),
        "--original": "the original is named before the release: microagg spark verify ORIGINAL RELEASED",
    },
    "spark measure": {
        **_refusals(_READING),
        **dict.fromkeys(("--all", "--domains", "--regression", "--sampling-fraction", "-k"), _ASSESSMENT),
    },
    "spark inspect": _refusals(_READING),
}
"""Why options that commands on one machine have are refused on Spark, by the command and the option."""


def _add_protect(command: ArgumentParser) -> None:
    _add_frame(command, "input", f"records to protect: {_INPUT}")
    output = "new folder to write, as Parquet; an existing one is never overwritten"
    command.add_argument("-o", "--output", required=True, type=frame_name, metavar="OUTPUT", help=output)
    add_k(command, default=NOT_GIVEN)
    add_file(command, "--plan", "plan in TOML; other options may add to it, but not contradict it")
    columns = columns_group(command)
    add_columns(columns, "--columns", "columns to protect; there is no default on a cluster")
    add_columns(columns, "--exclude", "columns that you know to be released unchanged")
    add_columns(columns, "--drop", "columns to leave out of the release")
    add_roles(columns, renumber=False)
    add_aggregate(add_values_group(command, ranked=False))
    add_parts_group(command)
    add_privacy_group(command, whole_table=False)
    add_switch(untimed_method_group(command), "--weighted-loss", "use the sampling weights in the objective")
    release = command.add_argument_group("release")
    add_switch(release, "--keep-integers", "round the means of columns of whole numbers")
    add_switch(release, "--allow-k1", "allow k = 1, which protects nothing")
    add_switch(release, "--strict", "release nothing unless k holds on all released columns that others may know")
    add_report(release, "also write the report to this file, on the driver's machine")
    add_file(
        release, "--save-plan", "write the plan that was carried out to this file, in TOML, to verify or repeat it"
    )
    release.add_argument("-f", "--force", action="store_true", help="replace an existing report or plan")
    _add_frame_options(_add_spark_group(command), "the folder of the output")
    add_printing_group(command, _DETAILS)


def _add_verify(command: ArgumentParser) -> None:
    frames = f"released records, or the original and the released ones: {_INPUT}"
    command.add_argument("frames", type=frame_name, nargs="+", metavar="[ORIGINAL] RELEASED", help=frames)
    add_k(command, default=NOT_GIVEN)
    add_file(command, "--plan", "plan of the release (TOML), instead of -k and --columns: check all that it promises")
    add_columns(columns_group(command), "--columns", "columns that must be k-anonymous together")
    output = command.add_argument_group("output")
    add_report(output, "also write the verdict and every finding to this file, on the driver's machine")
    add_force(output)
    _add_frame_options(_add_spark_group(command), "on one machine, the folder for temporary files")
    add_printing_group(command, _DETAILS)


def _add_measure(command: ArgumentParser) -> None:
    _add_frame(command, "original", f"original records: {_INPUT}")
    _add_frame(command, "released", "released records, in the same order or with the same --row-id")
    add_file(command, "--plan", "plan of the release (TOML): its columns are measured on its scales")
    columns = columns_group(command)
    add_columns(columns, "--columns", "columns to measure (default: every numeric column that was changed)")
    add_no_standardise(columns, "measure the columns on their own scales, not scaled to variance 1")
    add_codes(columns)
    output = command.add_argument_group("output")
    add_report(output, "also write the report to this file, on the driver's machine")
    add_force(output)
    _add_frame_options(_add_spark_group(command), "on one machine, the folder for temporary files")
    add_printing_group(command, _DETAILS)


def _add_inspect(command: ArgumentParser) -> None:
    _add_frame(command, "input", f"records to inspect: {_INPUT}")
    plan = command.add_argument_group("starter plan")
    add_file(plan, "--plan", "write a starter plan to this file, in TOML with comments")
    add_force(plan)
    sample = "number of records to sample (default: 100000)"
    command.add_argument("--sample", default=NOT_GIVEN, type=integer, metavar="N", help=sample)
    _add_frame_options(_add_spark_group(command), "on one machine, the folder for temporary files")
    add_printing_group(command, _DETAILS)


def _add_warm_up(command: ArgumentParser) -> None:
    _add_spark_group(command)
    add_quiet_option(command)
    command.add_argument("-v", "--verbose", action="store_true", help="also print what Spark logs")


def _add_frame(command: ArgumentParser, name: str, text: str) -> None:
    command.add_argument(name, type=frame_name, metavar=name.upper(), help=text)


def _add_spark_group(command: ArgumentParser) -> Any:
    """Add and return the group of options of the session."""
    group = command.add_argument_group("Spark", "Under spark-submit, its session is used, with its own settings.")
    master = "local[N], spark://…, yarn or k8s://… (default: set by the environment, else local[*])"
    group.add_argument("--master", metavar="URL", help=master)
    conf = "Spark setting, e.g. spark.executor.memory=8g; may be repeated"
    group.add_argument("--conf", type=setting, action="append", default=[], metavar="KEY=VALUE", help=conf)
    return group


def _add_frame_options(group: Any, default_staging: str) -> None:
    """Add the options of how records are numbered, and where they rest between jobs."""
    row_id = "column without duplicates that numbers the records (default: file name and position in the file)"
    group.add_argument("--row-id", metavar="NAME", help=row_id)
    staging = f"folder for temporary files that all executors can reach (default: {default_staging})"
    group.add_argument("--staging", type=frame_name, metavar="FOLDER", help=staging)


CLUSTER_COMMANDS = {
    "spark protect": DescribedCommand(
        _add_protect,
        "protect records on a cluster: replace columns by the means of groups of at least k records",
        "INPUT -o OUTPUT (-k K --columns NAMES | --plan FILE) [options]",
        """examples:
  microagg spark protect people/ -o safe/ -k 5 --columns income,assets
  microagg spark protect people/ -o safe/ --plan release.toml --report report.html --master 'local[4]'
  microagg spark protect hdfs:///people -o hdfs:///safe --plan release.toml --master yarn
  microagg spark protect table:survey.people -o s3a://bucket/safe --plan release.toml --row-id person
  spark-submit --master yarn submit.py spark protect hdfs:///people -o hdfs:///safe --plan release.toml""",
    ),
    "spark verify": DescribedCommand(
        _add_verify,
        "check a release on a cluster, made by any tool: PASS or FAIL",
        "[ORIGINAL] RELEASED (-k K --columns NAMES | --plan FILE) [options]",
        """examples:
  microagg spark verify safe/ -k 5 --columns income,assets
  microagg spark verify people/ safe/ --plan release.toml
  microagg spark verify hdfs:///people hdfs:///safe --plan release.toml --master yarn --staging hdfs:///tmp""",
    ),
    "spark measure": DescribedCommand(
        _add_measure,
        "measure the information loss of a release on a cluster",
        "ORIGINAL RELEASED [options]",
        """examples:
  microagg spark measure people/ safe/ --plan release.toml
  microagg spark measure people/ safe/ --columns income,assets --format json""",
    ),
    "spark inspect": DescribedCommand(
        _add_inspect,
        "describe the columns of a sample of records on a cluster, and write a starter plan",
        "INPUT [--plan FILE] [options]",
        """examples:
  microagg spark inspect people/
  microagg spark inspect hdfs:///people --plan release.toml --master yarn --staging hdfs:///tmp --sample 50000""",
    ),
    "spark warm-up": DescribedCommand(
        _add_warm_up,
        "compile the kernels on every executor in advance, in two to three minutes",
        "[options]",
        """examples:
  microagg spark warm-up --master 'local[4]'
  microagg spark warm-up --master yarn --conf spark.executorEnv.NUMBA_CACHE_DIR=/var/tmp/microagg""",
    ),
}
"""Every command that works on Spark, by its name."""
