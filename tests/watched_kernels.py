"""Compiled functions as Python calls them; a call of one of them may end a run."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from microagg import Run, kernels


class WatchedKernels:
    """Kernels whose calls are counted, and of which one may cancel the run at some call.

    Parameters
    ----------
    monkeypatch
        Puts the kernels back after the test.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.n_calls: Counter[str] = Counter()
        self._fatal = ("", 0)
        self._run = Run()
        found = pkgutil.walk_packages(kernels.__path__, "microagg.kernels.")
        modules = [importlib.import_module(info.name) for info in found]  # all first: else one imports what is watched
        for module in modules:
            for name, value in list(vars(module).items()):
                if hasattr(value, "py_func"):
                    monkeypatch.setattr(module, name, self._watched(value))

    def _watched(self, kernel: Any) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            name, number = self._fatal
            qualname = kernel.py_func.__qualname__
            self.n_calls[qualname] += 1
            if qualname == name and self.n_calls[name] >= number:
                self._run.cancel()
                self._run.check()
            return kernel(*arguments)

        return call

    def calls_of(self, work: Callable[[Run], Any]) -> list[tuple[str, int]]:
        """List calls of the kernels that some work needs: of each kernel, the first call and one half way."""
        self.n_calls.clear()
        work(Run())
        assert self.n_calls
        return [(name, number) for name, count in self.n_calls.items() for number in {1, 1 + count // 2}]

    def run_ended_by(self, call: tuple[str, int]) -> Run:
        """Return a run that is cancelled out of a kernel, at some call of it."""
        self._fatal = call
        self.n_calls.clear()
        self._run = Run()
        return self._run
