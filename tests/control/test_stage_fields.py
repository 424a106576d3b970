"""Parameters, components and names of stages."""

from dataclasses import dataclass, field

from microagg.control.stage_fields import COMPONENT, INJECTED, components, parameters, stage_name


@dataclass(frozen=True)
class _Inner:
    width: int = 1


@dataclass(frozen=True)
class _Middle:
    inner: _Inner = field(default=_Inner(), metadata=COMPONENT)
    depth: int = 2


@dataclass(frozen=True)
class _Outer:
    middle: _Middle = field(default=_Middle(), metadata=COMPONENT)
    other: object = field(default=None, metadata=INJECTED)
    height: int = 3


def test_parameters_are_found_in_components_but_not_in_other_stages() -> None:
    assert parameters(_Outer()) == {"width": ("middle", "inner"), "depth": ("middle",), "height": ()}
    assert parameters(lambda problem, rng, run: None) == {}


def test_components_come_innermost_first() -> None:
    assert components(_Outer()) == (_Inner(), _Middle())
    assert components(_Inner()) == ()


def test_stages_are_named_by_themselves_their_function_or_their_class() -> None:
    def mine() -> None: ...

    class Named:
        name = "its own"

    assert [stage_name(stage) for stage in (Named(), mine, _Inner())] == ["its own", "mine", "_Inner"]
