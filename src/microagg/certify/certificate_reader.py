"""Hold a certificate of optimality: what is claimed, and the proof that is offered.

It is JSON, and read without belief: what is here has the right shape, and may be wrong. `certify` says whether it is.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from microagg.model.arrays import FloatArray, IntArray, read_only
from microagg.model.checks import flag, one_of, whole_number
from microagg.model.errors import InputError, ReadError

FORMAT = "microagg certificate 2"
ENDS = ("bound", "integer", "branches")
_LARGEST = 1e290  # the sum of a few thousand such numbers is still finite


class Rule(NamedTuple):
    """Say of two records whether they are together, in one group, or apart."""

    one: int
    other: int
    together: bool


@dataclass(frozen=True)
class Cut:
    """Hold a cut: Σ ⌊w(C)/q⌋ over the groups C of a partition is at most ⌊w/q⌋, w being all weights together."""

    records: tuple[int, ...]
    weights: tuple[int, ...]
    denominator: int
    dual: float


@dataclass(frozen=True, eq=False)
class Proof:
    """Hold the duals of records, and cuts with theirs."""

    duals: FloatArray = field(repr=False)
    cuts: tuple[Cut, ...]


@dataclass(frozen=True)
class Node:
    """Hold a node of the branching tree; the root has no parent and no rule.

    Parameters
    ----------
    parent
        The place of the node it branches from.
    rule
        What it adds to the rules of that node.
    lists
        Whether its first proof looks at all groups, not only at those that the parent's proofs left.
    proofs
        Each but the first looks at the groups that the one before it left.
    ends
        Why nothing is to be found here: by a proof's "bound", since the groups left make no better partition
        ("integer"), or since there is nothing in either of the "branches".
    """

    parent: int | None
    rule: Rule | None
    lists: bool
    proofs: tuple[Proof, ...]
    ends: str


@dataclass(frozen=True, eq=False)
class Certificate:
    """Hold what is claimed of some data, and the branching tree that is to prove it."""

    k: int
    n_records: int
    columns: tuple[str, ...]
    standardise: bool
    labels: IntArray = field(repr=False)
    sse: float
    lower_bound: float
    nodes: tuple[Node, ...] = field(repr=False)


def read_certificate(source: str | PathLike[str] | Mapping[str, Any]) -> Certificate:
    """Read a certificate from a file, or from what a file would hold; entries of other names are left alone."""
    facts = source if isinstance(source, Mapping) else _load(Path(source))
    found = _entry(facts, "format", "the certificate")
    if found != FORMAT:
        raise InputError(f"expected a certificate of format {FORMAT!r}, found {found!r}")

    def entry(name: str) -> Any:
        return _entry(facts, name, "the certificate")

    n = whole_number("n_records", entry("n_records"), at_least=1)
    columns = _list("columns", entry("columns"))
    if not columns or not all(isinstance(name, str) for name in columns):
        raise InputError(f"columns must be a list of names, found {columns!r}")
    labels = np.array(_whole_numbers("labels", entry("labels"), n), dtype=np.int64)
    read_only(labels)
    nodes = _list("nodes", entry("nodes"))
    if not nodes:
        raise InputError("nodes must be a list of at least one node, found none")
    return Certificate(
        whole_number("k", entry("k"), at_least=1),
        n,
        tuple(columns),
        flag("standardise", entry("standardise")),
        labels,
        _number("sse", entry("sse")),
        _number("lower_bound", entry("lower_bound")),
        tuple(_node(f"node {place}", node, n) for place, node in enumerate(nodes)),
    )


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ReadError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, or not JSON
        raise ReadError(f"{path} is not a certificate: expected JSON, {error}") from None


def _node(where: str, facts: Any, n: int) -> Node:
    parent = _entry(facts, "parent", where)
    proofs = _list(f"{where}: proofs", _entry(facts, "proofs", where))
    return Node(
        None if parent is None else whole_number(f"{where}: parent", parent, at_least=0),
        _rule(where, _entry(facts, "pair", where), _entry(facts, "together", where)),
        flag(f"{where}: lists", _entry(facts, "lists", where)),
        tuple(_proof(f"{where}, proof {place}", proof, n) for place, proof in enumerate(proofs)),
        one_of(f"{where}: ends", _entry(facts, "ends", where), ENDS),
    )


def _rule(where: str, pair: Any, together: Any) -> Rule | None:
    if pair is None and together is None:
        return None
    one, other = _whole_numbers(f"{where}: pair", pair, 2)
    return Rule(one, other, flag(f"{where}: together", together))


def _proof(where: str, facts: Any, n: int) -> Proof:
    duals = np.array(_numbers(f"{where}: duals", _entry(facts, "duals", where), n), dtype=np.float64)
    read_only(duals)
    cuts = _list(f"{where}: cuts", _entry(facts, "cuts", where))
    return Proof(duals, tuple(_cut(f"{where}, cut {place}", cut) for place, cut in enumerate(cuts)))


def _cut(where: str, facts: Any) -> Cut:
    records = _whole_numbers(f"{where}: records", _entry(facts, "records", where))
    return Cut(
        tuple(records),
        tuple(_whole_numbers(f"{where}: weights", _entry(facts, "weights", where), len(records))),
        _whole_numbers(f"{where}: denominator", [_entry(facts, "denominator", where)])[0],
        _number(f"{where}: dual", _entry(facts, "dual", where)),
    )


def _entry(facts: Any, name: str, where: str) -> Any:
    if not isinstance(facts, Mapping):
        raise InputError(f"{where} must be an object with entries, found {_shown(facts)}")
    if name not in facts:
        raise InputError(f"{where} has no entry {name!r}")
    return facts[name]


def _list(name: str, value: Any, length: int | None = None) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise InputError(f"{name} must be a list, found {_shown(value)}")
    if length is not None and len(value) != length:
        raise InputError(f"{name} must be a list of {length}, found one of {len(value)}")
    return list(value)


def _numbers(name: str, value: Any, length: int) -> list[float]:
    return [_number(name, item) for item in _list(name, value, length)]


def _number(name: str, value: Any) -> float:
    """Give a number as a float, or say what was found in its place."""
    try:
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    except OverflowError:
        number = math.nan
    if not abs(number) < _LARGEST:
        raise InputError(f"{name} must be a number below {_LARGEST:g}, found {_shown(value)}")
    return number


def _whole_numbers(name: str, value: Any, length: int | None = None) -> list[int]:
    """Give whole numbers that any arithmetic can hold."""
    numbers = _list(name, value, length)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or abs(number) >= 2**31:
            raise InputError(f"{name} must be whole numbers between −2^31 and 2^31, found {_shown(number)}")
    return numbers


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
