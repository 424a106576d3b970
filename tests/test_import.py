"""Importing is quick and quiet, and the public names are there."""

import doctest
import os
import subprocess
import sys

import pytest

import microagg

HEAVY = ["numba", "pandas", "polars", "narwhals", "pyarrow", "sklearn", "scipy", "highspy", "rich", "tomlkit"]


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


def test_library_is_silent_even_while_it_compiles(companies, tmp_path):
    program = f"import microagg; microagg.protect({str(companies)!r}, 3)"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_changed_kernel_is_compiled_anew(tmp_path):
    """numba looks at a kernel's own file only; a stale callee would be a wrong result without a word."""
    from microagg.kernels import jit

    (tmp_path / "old.nbi").touch()
    (tmp_path / "kernels-0123").touch()
    jit._forget_old(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"kernels-{jit._DIGEST}"]
    (tmp_path / "new.nbi").touch()
    jit._forget_old(tmp_path)
    assert (tmp_path / "new.nbi").exists()


@pytest.mark.parametrize("name", microagg.__all__)
def test_examples_of_public_docstrings_are_true(name):
    public = getattr(microagg, name)
    finder = doctest.DocTestFinder(recurse=False)
    runner = doctest.DocTestRunner()
    for example in finder.find(public, name, globs={}):
        runner.run(example)
    assert runner.summarize(verbose=False).failed == 0
