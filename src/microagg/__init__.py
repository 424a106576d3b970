"""Protect microdata by microaggregation: groups of at least k records, the least information lost."""

import importlib
import logging
from importlib.util import find_spec
from typing import TYPE_CHECKING

from microagg.assess import assess
from microagg.certify import certify
from microagg.compare import compare
from microagg.control.run import Run
from microagg.estimate import estimate
from microagg.inspect import inspect
from microagg.list_changes import changes
from microagg.measure import measure
from microagg.methods import Method, methods
from microagg.model.assessment import (
    Assessment,
    CategoryAssessment,
    Coefficient,
    ConfidentialColumn,
    CorrelationChange,
    Distribution,
    DomainTotal,
    NumberAssessment,
    PartAnonymity,
    RegressionComparison,
)
from microagg.model.change_report import CellChanges, ChangeReport, ColumnChange, MetadataChange
from microagg.model.column import Column
from microagg.model.column_set import ColumnSet
from microagg.model.comparison import Aim, Candidate, Comparison
from microagg.model.encoding import Encoding
from microagg.model.errors import (
    CancelledError,
    DoubtError,
    InputError,
    MethodError,
    MicroaggError,
    PartitionError,
    ReadError,
    VerificationError,
    WriteError,
)
from microagg.model.figure import Figure
from microagg.model.history import Step
from microagg.model.inspection import ColumnInspection, Inspection
from microagg.model.limits import Limits
from microagg.model.measures import CategoryMeasures, ColumnMeasures, Measures
from microagg.model.partition import Partition
from microagg.model.plan import Plan
from microagg.model.presentation import register_hooks
from microagg.model.problem import Problem
from microagg.model.release import Release, SetRelease
from microagg.model.run_estimate import Estimate
from microagg.model.solution import LowerBound, Solution
from microagg.model.table import Table
from microagg.model.verification import Certification, Finding, Verification
from microagg.plots import plot
from microagg.protect import protect
from microagg.protect_file import protect_file
from microagg.read import read
from microagg.report.certificate import as_certificate
from microagg.solve import lower_bound, solve
from microagg.solve_range import solve_range
from microagg.source.plain_frame import plain_frame
from microagg.verify import verify
from microagg.version import __version__
from microagg.warm_up import warm_up
from microagg.write import write

if TYPE_CHECKING:
    from microagg.estimator import Microaggregation

__all__ = [
    "Aim",
    "Assessment",
    "CancelledError",
    "Candidate",
    "CategoryAssessment",
    "CategoryMeasures",
    "CellChanges",
    "Certification",
    "ChangeReport",
    "Coefficient",
    "Column",
    "ColumnChange",
    "ColumnInspection",
    "ColumnMeasures",
    "ColumnSet",
    "Comparison",
    "ConfidentialColumn",
    "CorrelationChange",
    "Distribution",
    "DomainTotal",
    "DoubtError",
    "Encoding",
    "Estimate",
    "Figure",
    "Finding",
    "InputError",
    "Inspection",
    "Limits",
    "LowerBound",
    "Measures",
    "MetadataChange",
    "Method",
    "MethodError",
    "MicroaggError",
    "Microaggregation",
    "NumberAssessment",
    "PartAnonymity",
    "Partition",
    "PartitionError",
    "Plan",
    "Problem",
    "ReadError",
    "RegressionComparison",
    "Release",
    "Run",
    "SetRelease",
    "Solution",
    "Step",
    "Table",
    "Verification",
    "VerificationError",
    "WriteError",
    "__version__",
    "as_certificate",
    "assess",
    "certify",
    "changes",
    "compare",
    "estimate",
    "inspect",
    "lower_bound",
    "measure",
    "methods",
    "protect",
    "protect_file",
    "read",
    "solve",
    "solve_range",
    "verify",
    "warm_up",
    "write",
]

if find_spec("sklearn") is None:
    list.remove(__all__, "Microaggregation")  # for `from microagg import *`; to type checkers it stays exported

logging.getLogger(__name__).addHandler(logging.NullHandler())
register_hooks(write=write, frame=plain_frame, plot=plot)


def __getattr__(name: str) -> object:
    """Import what needs more packages, or is seldom needed, only when it is used: estimator, data sets, Spark."""
    if name == "Microaggregation":
        return importlib.import_module("microagg.estimator").Microaggregation
    if name in ("datasets", "spark"):
        return importlib.import_module(f"microagg.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
