"""Fields of a stage: parameters that a method's name can set, components with parameters of their own, other stages."""

from dataclasses import Field, fields
from typing import Any

COMPONENT = {"microagg": "component"}
"""Metadata of a field that holds a component of the stage: the parameters of the component are those of the stage."""

INJECTED = {"microagg": "injected"}
"""Metadata of a field that holds other stages, which only code can set: it is no parameter."""


def components(stage: Any) -> tuple[Any, ...]:
    """Return the components of a stage and their components, innermost first."""
    found: list[Any] = []
    for one in _fields(stage):
        if one.metadata == COMPONENT:
            component = getattr(stage, one.name)
            found += [*components(component), component]
    return tuple(found)


def parameters(stage: Any) -> dict[str, tuple[str, ...]]:
    """Return the names of a stage's parameters, each with the fields that lead to the component that has it."""
    paths: dict[str, tuple[str, ...]] = {}
    for one in _fields(stage):
        if one.metadata == COMPONENT:
            inner = parameters(getattr(stage, one.name))
            paths |= {name: (one.name, *path) for name, path in inner.items()}
        elif one.metadata != INJECTED:
            paths[one.name] = ()
    return paths


def stage_name(stage: Any) -> str:
    """Return the name under which a stage is reported: its own, or that of its function or class."""
    return str(getattr(stage, "name", None) or getattr(stage, "__name__", None) or type(stage).__name__)


def _fields(stage: Any) -> tuple[Field[Any], ...]:
    return fields(stage) if hasattr(stage, "__dataclass_fields__") else ()
