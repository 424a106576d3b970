"""Protect microdata by microaggregation: groups of at least k records, the least information lost."""

import importlib
import logging
from typing import TYPE_CHECKING

from microagg.certify import Certification, certify
from microagg.errors import (
    InputError,
    MethodError,
    MicroaggError,
    PartitionError,
    ReadError,
    VerificationError,
    WriteError,
)
from microagg.measure import measure
from microagg.methods import Method, methods
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.protect import protect
from microagg.read import read
from microagg.release import ColumnMeasures, Measures, Release
from microagg.report.certificate import as_certificate
from microagg.solution import LowerBound, Solution, Step
from microagg.solve import solve
from microagg.table import Table
from microagg.verify import Finding, Verification, verify
from microagg.write import write

if TYPE_CHECKING:
    from microagg.estimator import Microaggregation

__version__ = "0.1.0"

__all__ = [
    "Certification",
    "ColumnMeasures",
    "Finding",
    "InputError",
    "LowerBound",
    "Measures",
    "Method",
    "MethodError",
    "MicroaggError",
    "Microaggregation",
    "Partition",
    "PartitionError",
    "Problem",
    "ReadError",
    "Release",
    "Solution",
    "Step",
    "Table",
    "Verification",
    "VerificationError",
    "WriteError",
    "as_certificate",
    "certify",
    "measure",
    "methods",
    "protect",
    "read",
    "solve",
    "verify",
    "write",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> object:
    """Import the estimator only when it is asked for, as scikit-learn takes its time; likewise the data sets."""
    if name == "Microaggregation":
        from microagg.estimator import Microaggregation

        return Microaggregation
    if name == "datasets":
        return importlib.import_module("microagg.datasets")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
