"""State of the sources that a result depends on: results of another state do not count.

A state is a digest of the code, without comments and docstrings, of some modules and of all those of the package that
they import, one through another, and of the parameters of a method. A new method, or a better explanation, changes no
other method's state; nor does the machinery that compiles kernels, controls runs and reports.
"""

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from microagg.methods import pipeline

_SOURCES = Path(__file__).parent.parent / "src"
_PACKAGE = "microagg"
_ALWAYS = ("microagg.encode", "microagg.model.partition")  # of every result
_MACHINERY = (  # what no result depends on
    "microagg.control.",
    "microagg.kernels.compile_hook",
    "microagg.kernels.inner_library",
    "microagg.kernels.jit",
    "microagg.kernels.kernel_cache",
    "microagg.kernels.kernel_compiler",
    "microagg.kernels.tick",
    "microagg.model.column",
    "microagg.model.errors",
    "microagg.model.names",
    "microagg.model.source_protocol",
    "microagg.model.table",
    "microagg.version",
)


@cache
def method_state(method: str) -> str:
    """Return the state of the sources that a method depends on, and of its parameters, wherever they are set."""
    stages = pipeline(method).stages
    sources = modules_state(tuple(sorted(set(_modules_of(stages)))))
    parameters = re.sub(r" at 0x[0-9a-f]+", "", repr(stages))
    return hashlib.sha256(f"{sources} {parameters}".encode()).hexdigest()[:16]


@cache
def modules_state(modules: tuple[str, ...]) -> str:
    """Return the state of some modules of the package, and of what they import."""
    found: set[str] = set()
    waiting = [*_ALWAYS, *modules]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += _imported(module)
    code = "\n".join(_code(module) for module in sorted(found))
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def _modules_of(value: Any) -> Iterator[str]:
    """Generate the modules of a stage, and of what is in its fields."""
    if isinstance(value, tuple):
        for one in value:
            yield from _modules_of(one)
    elif is_dataclass(value):
        yield type(value).__module__
        for one in fields(value):
            yield from _modules_of(getattr(value, one.name))
    elif callable(value):
        yield value.__module__


@cache
def _code(module: str) -> str:
    """Return the code of a module as text."""
    return f"{module} {ast.dump(_CodeOnly().visit(_tree(module)))}"


class _CodeOnly(ast.NodeTransformer):
    """Transformer that leaves out what changes no result: docstrings, imports, and how functions are compiled."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Leave out the docstring of a module, class or function, and the decorators of a function."""
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = []
        return super().generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        """Leave out an import: the modules themselves count."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Leave out an import: the modules themselves count."""


@cache
def _imported(module: str) -> tuple[str, ...]:
    """List the modules of the package that a module imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    ours = (name for name in sorted(names) if name.startswith(f"{_PACKAGE}.") and _path(name))
    return tuple(name for name in ours if not name.startswith(_MACHINERY))


def _path(module: str) -> Path | None:
    """Return the file of a module, if it is one."""
    base = _SOURCES / Path(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.exists()), None)


def _tree(module: str) -> ast.Module:
    path = _path(module)
    return ast.parse(path.read_text() if path else "")
