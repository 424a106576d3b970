"""Importing is quick and quiet, and the public names are there."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

import microagg

HEAVY = [
    "numba",
    "pandas",
    "polars",
    "narwhals",
    "pyarrow",
    "sklearn",
    "scipy",
    "highspy",
    "rich",
    "tomlkit",
    "pyreadstat",
    "openpyxl",
    "rdata",
    "duckdb",
    "sqlite3",
    "matplotlib",
]


def test_importing_pulls_in_nothing_heavy() -> None:
    program = f"import sys, microagg; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_every_public_name_is_there() -> None:
    for name in microagg.__all__:
        assert getattr(microagg, name) is not None
    assert callable(microagg.solve)
    assert callable(microagg.protect)


def test_names_are_listed_once_and_in_order() -> None:
    assert len(set(microagg.__all__)) == len(microagg.__all__)
    assert microagg.__all__ == sorted(microagg.__all__)
    assert microagg.__version__.count(".") == 2


def test_names_that_take_long_are_imported_when_they_are_used() -> None:
    assert microagg.Microaggregation.__module__ == "microagg.estimator"
    assert microagg.datasets is sys.modules["microagg.datasets"]


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'microagg' has no attribute 'anonymise'"):
        microagg.anonymise  # noqa: B018


def test_log_records_go_nowhere_unless_asked_for() -> None:
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger("microagg").handlers)


def test_library_is_silent(companies: Path, capfd: pytest.CaptureFixture[str]) -> None:
    microagg.protect(companies, 3, method="mdav", identifiers=["company"])
    assert capfd.readouterr() == ("", "")


def test_library_is_silent_even_while_it_compiles(tmp_path: Path) -> None:
    """One kernel is enough: the notice comes with the first that is compiled."""
    program = "import numpy, microagg.kernels.geometry.distances as one; one.distance_matrix(numpy.eye(3))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    assert [*tmp_path.rglob("*.nbc")], "something was compiled"


_WITHOUT_SKLEARN = "import sys; sys.modules['sklearn'] = None\n"


def test_everything_else_can_be_imported_without_scikit_learn() -> None:
    program = f"{_WITHOUT_SKLEARN}from microagg import *\nprint(protect.__name__, 'Microaggregation' in globals())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("protect False\n", "")


@pytest.mark.parametrize(
    "use",
    [
        "import microagg; microagg.Microaggregation",
        "from microagg import Microaggregation",
        "import microagg.estimator",
    ],
)
def test_the_estimator_says_which_extra_it_needs(use: str) -> None:
    done = subprocess.run([sys.executable, "-c", _WITHOUT_SKLEARN + use], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: microagg.Microaggregation needs the package sklearn: pip install 'microagg[sklearn]'"
    )
