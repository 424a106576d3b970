"""Public docstrings: every parameter, result and error is documented, and every example is true."""

import ast
import doctest
import functools
import inspect
import re
import textwrap
from collections.abc import Iterator
from types import FunctionType
from typing import Any, NoReturn

import pytest

import microagg
from microagg import InputError, MicroaggError
from microagg.model.plan import PLAN_OPTIONS

NAMES = [name for name in microagg.__all__ if not name.startswith("__")]
every_name = pytest.mark.parametrize(
    "name", NAMES
)  # members are looked up in tests: the estimator imports scikit-learn


class Documented:
    """A public function, class, method or property, with its docstring in numpy's style.

    Parameters
    ----------
    path
        Its name, with that of its class.
    value
        The thing itself, as it stands in its module or class.
    """

    def __init__(self, path: str, value: Any) -> None:
        self.path = path
        self.value = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        self.doc = inspect.getdoc(self.value) or ""
        parts = re.split(r"^(\w+)\n-{3,}\n", self.doc, flags=re.MULTILINE)
        self.sections = dict(zip(parts[1::2], parts[2::2], strict=True))

    def entries(self, section: str) -> set[str]:
        """Return what a section describes: the names at the beginning of its lines."""
        lines = self.sections.get(section, "").splitlines()
        heads = [line.partition(" : ")[0] for line in lines if line and not line.startswith(" ")]
        return {name.strip() for head in heads for name in head.split(",")}

    def parameters(self) -> set[str]:
        """Return the names of its parameters, as numpydoc writes them."""
        names = set()
        for one in inspect.signature(self.value).parameters.values():
            stars = "**" if one.kind is one.VAR_KEYWORD else "*" if one.kind is one.VAR_POSITIONAL else ""
            names.add(stars + one.name)
        return names - {"self", "cls"}

    def raised(self) -> set[str]:
        """Return the errors of this package that it raises itself; of a class, when a value is made."""
        if isinstance(self.value, FunctionType):
            return _raised(self.value)
        made = [vars(self.value).get(name) for name in ("__init__", "__post_init__")]
        own = [one for one in made if isinstance(one, FunctionType) and one.__code__.co_filename != "<string>"]
        return {error for function in own for error in _raised(function)}


def _raised(function: FunctionType) -> set[str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    calls = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    names = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
    return {name for name in names if hasattr(microagg, name)}


def _documented(name: str) -> Iterator[Documented]:
    """Iterate over a public name and, of a class, its public members, those of its bases in this package too."""
    value = getattr(microagg, name)
    yield Documented(name, value)
    seen: set[str] = set()
    for base in value.__mro__ if inspect.isclass(value) else ():
        if base.__module__.startswith("microagg"):
            for member, each in vars(base).items():
                if not member.startswith("_") and member not in seen and _is_member(each):
                    seen.add(member)
                    yield Documented(f"{name}.{member}", each)


def _is_member(value: object) -> bool:
    return _is_property(value) or isinstance(value, classmethod | staticmethod | FunctionType)


def _is_property(value: object) -> bool:
    return isinstance(value, property | functools.cached_property)


def _functions(name: str) -> list[Documented]:
    return [one for one in _documented(name) if isinstance(one.value, FunctionType)]


def _is_plain_error(value: object) -> bool:
    return inspect.isclass(value) and issubclass(value, MicroaggError) and "__init__" not in vars(value)


@every_name
def test_examples_are_true(name: str) -> None:
    runner = doctest.DocTestRunner()
    for one in _documented(name):
        runner.run(doctest.DocTestParser().get_doctest(one.doc, {}, one.path, None, None))
    assert runner.summarize(verbose=False).failed == 0


@every_name
def test_summaries_are_one_line(name: str) -> None:
    for one in _documented(name):
        summary = one.doc.partition("\n\n")[0]
        assert summary.endswith("."), one.path
        assert "\n" not in summary, one.path


@every_name
def test_parameters_are_documented(name: str) -> None:
    for one in _functions(name):
        assert one.entries("Parameters") == one.parameters(), one.path
    value = next(_documented(name))
    if inspect.isclass(value.value) and not _is_plain_error(value.value):
        assert value.entries("Parameters") == (set(PLAN_OPTIONS) if name == "Plan" else value.parameters())


@every_name
def test_results_are_documented(name: str) -> None:
    for one in _functions(name):
        returned = inspect.signature(one.value).return_annotation
        assert returned is not inspect.Signature.empty, one.path
        documented = bool({"Returns", "Yields"} & set(one.sections))
        assert documented is (returned not in (None, NoReturn)), one.path


@every_name
def test_errors_are_documented(name: str) -> None:
    for one in _documented(name):
        if not _is_property(one.value):
            assert one.raised() <= one.entries("Raises"), one.path


@every_name
def test_there_is_an_example(name: str) -> None:
    one = next(_documented(name))
    assert _is_plain_error(one.value) or ">>> " in one.sections.get("Examples", "")


def test_these_checks_can_fail() -> None:
    def careless(number: int, *rest: int) -> int:
        """Return a number.

        Parameters
        ----------
        numbr
            A number.

        Examples
        --------
        >>> 1 + 1
        3
        """
        raise InputError(f"no {number}")

    one = Documented("careless", careless)
    assert (one.entries("Parameters"), one.parameters()) == ({"numbr"}, {"number", "*rest"})
    assert (one.entries("Raises"), one.raised()) == (set(), {"InputError"})
    assert set(one.sections) == {"Parameters", "Examples"}
    assert Documented("Limits", microagg.Limits).raised() == {"InputError"}
    assert {one.path for one in _documented("Release")} > {"Release", "Release.labels", "Release.write"}
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(one.doc, {}, one.path, None, None), out=lambda text: None)
    assert runner.summarize(verbose=False).failed == 1
