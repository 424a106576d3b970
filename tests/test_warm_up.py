"""Compilation ahead of the first use."""

import re
import subprocess
import sys

import pytest

from microagg import CancelledError, InputError, Run, warm_up
from runs import CancelledAt

_PRINT_UNCOMPILED = """
import importlib
import pkgutil

from microagg import kernels, warm_up

reports = []
warm_up(progress=lambda *report: reports.append(report))
print(reports[0][:2], reports[-1])
modules = [info.name for info in pkgutil.walk_packages(kernels.__path__, "microagg.kernels.")]
values = [value for module in modules for value in vars(importlib.import_module(module)).values()]
every = {value.py_func.__name__: value for value in values if hasattr(value, "py_func")}
called = {name for name, kernel in every.items() if kernel.signatures}
inside = {name for caller in called for name in every[caller].py_func.__code__.co_names}  # compiled with their callers
print(sorted(every.keys() - called - inside))
"""


def test_every_kernel_is_compiled_and_progress_reported() -> None:
    # in a process of its own: in this one, other tests have called kernels
    found = subprocess.check_output([sys.executable, "-c", _PRINT_UNCOMPILED], text=True)
    assert found == "('warm-up', 0.0) ('warm-up', 1.0, '')\n[]\n"


def test_without_scikit_learn_everything_else_is_compiled() -> None:
    block = "import sys; sys.modules.update({'sklearn': None, 'threadpoolctl': None}); from microagg import cli; "
    done = subprocess.run(
        [sys.executable, "-c", f"{block}cli.main(['warm-up'])"], capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    missing, *_, result = done.stderr.splitlines()  # and progress between them, where no kernel is on disk yet
    assert missing == "not compiled: kmeans, reporder, which need scikit-learn: pip install 'microagg[sklearn]'"
    assert result == "compiled: the kernels are on disk"


def test_a_cancelled_warm_up_says_how_far_it_came() -> None:
    run = CancelledAt(2)
    with pytest.raises(CancelledError) as error:
        warm_up(run=run)
    found = re.fullmatch(r"cancelled: 2 of (\d+) methods are compiled", str(error.value))
    assert found is not None
    assert run.shares == [0.0, 1 / int(found[1])]


def test_limits_are_refused() -> None:
    with pytest.raises(InputError, match="a warm-up has nothing that time_limit could limit"):
        warm_up(run=Run(time_limit=60))
