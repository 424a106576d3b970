"""Importing is quick and quiet, and the public names are there."""

import subprocess
import sys

import microagg

HEAVY = ["numba", "pandas", "polars", "narwhals", "pyarrow", "sklearn", "scipy", "highspy", "rich"]


def test_importing_pulls_in_nothing_heavy():
    program = f"import sys, microagg; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_every_public_name_is_there():
    for name in microagg.__all__:
        assert getattr(microagg, name) is not None
    assert callable(microagg.solve)
    assert callable(microagg.protect)


def test_unknown_name_is_an_attribute_error():
    assert not hasattr(microagg, "anonymise")


def test_library_is_silent(companies, capfd):
    microagg.protect(companies, 3)
    assert capfd.readouterr() == ("", "")
