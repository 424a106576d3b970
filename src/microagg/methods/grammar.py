"""Grammar of method names: stages joined by "+", parameters in parentheses, as in "v-mdav(gamma=1.1)+recut"."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from microagg.control.stage_fields import parameters
from microagg.model.column_set import MethodLike
from microagg.model.errors import MethodError
from microagg.model.names import listing, nearest

Value = int | float | str

_BETWEEN_STAGES = re.compile(r"\+(?![^()]*\))")  # no plus inside parentheses, as in "(memory_limit=1e+9)"


class StageName(NamedTuple):
    """Name of one stage, with its parameters."""

    text: str  # as it was written, without blanks and capitals
    name: str
    values: Mapping[str, Value]  # of its parameters


def read_method(text: str) -> list[StageName]:
    """Split a method's name into its stages; capitals and blanks do not matter."""
    folded = "".join(text.casefold().split())
    return [_stage_name(stage) for stage in _BETWEEN_STAGES.split(folded)]


def listed_stages(method: MethodLike) -> list[Any]:
    """List the stages of a method: a `StageName` for each name, stage objects as they are."""
    listed: Sequence[Any] = method if isinstance(method, list | tuple) else [method]
    stages: list[Any] = []
    for one in listed:
        if isinstance(one, str):
            stages += read_method(one)
        elif callable(one) and not isinstance(one, type):
            stages.append(one)
        else:
            raise MethodError(f"a method is a name such as 'mdav', or a stage that can be called, found {one!r}")
    if not stages:
        raise MethodError("a method needs at least one stage, found none")
    return stages


def _stage_name(text: str) -> StageName:
    name, parenthesis, rest = text.partition("(")
    values: dict[str, Value] = {}
    if not parenthesis:
        return StageName(text, name, values)
    for assignment in rest.removesuffix(")").split(","):
        parameter, equals, value = assignment.partition("=")
        if not (rest.endswith(")") and equals and value):
            raise MethodError(f"parameters are written as in 'v-mdav(gamma=0.5)', found {text!r}")
        if parameter in values:
            raise MethodError(f"{name!r} has one parameter {parameter!r}, found two in {text!r}")
        values[parameter] = _value(value)
    return StageName(text, name, values)


def _value(text: str) -> Value:
    """Read a parameter's value: a number if it looks like one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def set_parameters(stage: Any, written: StageName) -> Any:
    """Return a stage with the parameters that were written after its name."""
    paths = parameters(stage)
    by_path: dict[tuple[str, ...], dict[str, Value]] = {}
    for parameter, value in written.values.items():
        if parameter not in paths:
            takes = f"its parameters are {', '.join(paths)}" if paths else "it has none"
            raise MethodError(f"{written.name!r} has no parameter {parameter!r}: {takes}")
        by_path.setdefault(paths[parameter], {})[parameter] = value
    for path, values in by_path.items():
        stage = _replace_at(stage, path, values)
    return stage


def _replace_at(stage: Any, path: tuple[str, ...], values: dict[str, Value]) -> Any:
    """Return a stage with other values in the component that a path of fields leads to."""
    if not path:
        return replace(stage, **values)
    first, *rest = path
    return replace(stage, **{first: _replace_at(getattr(stage, first), tuple(rest), values)})


def find_stage(kind: str, written: StageName, registry: Mapping[str, Any], others: list[str]) -> Any:
    """Find a stage by its name; raise an error that suggests a similar name if there is none.

    Parameters
    ----------
    kind
        "method", "refiner" or "bound".
    written
        The name.
    registry
        The stages of that kind.
    others
        Names to suggest besides those of the registry.
    """
    name = written.name
    if name in registry:
        return registry[name]
    known = list(dict.fromkeys([*others, *registry]))
    longer = [other for other in known if other.startswith(f"{name}-")]
    meant = longer[0] if longer else nearest(name, known)
    hint = f"did you mean {meant!r}?" if meant else f"known are {listing(known, len(known))}"
    raise MethodError(f"there is no {kind} {name!r}: {hint}")
