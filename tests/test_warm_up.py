"""Compilation ahead of the first use."""

import importlib
import pkgutil

import pytest

from microagg import CancelledError, InputError, Run, kernels, warm_up
from runs import CancelledAt


def test_every_kernel_is_compiled() -> None:
    reports: list[tuple[str, float | None, str]] = []
    warm_up(progress=lambda stage, done, note="": reports.append((stage, done, note)))
    assert reports[0][:2] == ("warm-up", 0.0)
    assert reports[-1] == ("warm-up", 1.0, "")
    uncompiled = [
        f"{module.name}.{name}"
        for module in pkgutil.walk_packages(kernels.__path__, "microagg.kernels.")
        for name, value in vars(importlib.import_module(module.name)).items()
        if hasattr(value, "py_func") and value.py_func.__module__ == module.name and not value.signatures
    ]
    assert uncompiled == []


def test_a_cancelled_warm_up_says_how_far_it_came() -> None:
    with pytest.raises(CancelledError, match="cancelled: 2 of"):
        warm_up(run=CancelledAt(2))


def test_limits_are_refused() -> None:
    with pytest.raises(InputError, match="a warm-up has nothing that time_limit could limit"):
        warm_up(run=Run(time_limit=60))
