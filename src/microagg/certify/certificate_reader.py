"""Reader of certificates: JSON of the right shape, or an error that says where it is not."""

import json
import math
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from microagg.certify.claim import ENDS, Certificate, ClaimedPart, Cut, Decision, DualSolution, Node
from microagg.model.arrays import IntArray, read_only
from microagg.model.checks import flag, one_of, whole_number
from microagg.model.errors import InputError, ReadError

FORMAT = "microagg certificate 2"
_CERTIFICATE = "the certificate"
_MAX_NUMBER = 1e290  # the sum of a few thousand such numbers is still finite
_MAX_INTEGER = 2**31  # sums of products of such numbers fit in 64 bits
_MAX_SHOWN = 40  # characters of a value that an error message repeats


def read_certificate(source: str | PathLike[str] | Mapping[str, Any]) -> Certificate:
    """Read a certificate from a file, or from the mapping that a file would hold; unknown keys are ignored.

    Raises
    ------
    ReadError
        If the file cannot be read, or is not JSON.
    InputError
        If an entry is missing or of the wrong shape.
    """
    if isinstance(source, Mapping):
        facts: Any = source
    elif isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("{"):
        facts = _parsed(source.lstrip("\ufeff"), "the text")
    else:
        facts = _load(Path(source))
    found = _entry(facts, "format", _CERTIFICATE)
    if found != FORMAT:
        raise InputError(f"expected a certificate of format {FORMAT!r}, found {_shown(found)}")
    n = whole_number("n_records", _entry(facts, "n_records", _CERTIFICATE), at_least=1)
    lower_bound = _number("lower_bound", _entry(facts, "lower_bound", _CERTIFICATE))
    return Certificate(
        whole_number("k", _entry(facts, "k", _CERTIFICATE), at_least=1),
        n,
        _names("columns", _entry(facts, "columns", _CERTIFICATE)),
        flag("standardise", _entry(facts, "standardise", _CERTIFICATE)),
        _integer_array("labels", _entry(facts, "labels", _CERTIFICATE), n),
        _number("sse", _entry(facts, "sse", _CERTIFICATE)),
        lower_bound,
        _parts(facts, n, lower_bound),
        is_divided="parts" in facts,
    )


def _load(path: Path) -> Any:
    try:
        return _parsed(path.read_bytes().decode("utf-8-sig"), str(path))
    except OSError as error:
        raise ReadError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ReadError(f"{path} is not a certificate: expected JSON, {error}") from None


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{where} is not a certificate: expected JSON, {error}") from None


def _parts(facts: Mapping[str, Any], n: int, lower_bound: float) -> tuple[ClaimedPart, ...]:
    """Return the parts; where the certificate is not divided, one of all records."""
    if "parts" not in facts:
        nodes = _nodes("nodes", _entry(facts, "nodes", _CERTIFICATE), n)
        if not nodes:
            raise InputError("nodes must be a list of at least one node, found none")
        return (ClaimedPart(_integer_array("records", list(range(n)), n), lower_bound, nodes),)
    if "nodes" in facts:
        raise InputError("the certificate has nodes and parts: expected nodes in each part, or no parts")
    parts = _list("parts", facts["parts"])
    if not parts:
        raise InputError("parts must be a list of at least one part, found none")
    return tuple(_part(f"parts[{place}]", part) for place, part in enumerate(parts))


def _part(where: str, facts: Any) -> ClaimedPart:
    records = _integer_array(f"{where}.records", _entry(facts, "records", where))
    if not len(records):
        raise InputError(f"{where}.records must be a list of at least one record, found none")
    return ClaimedPart(
        records,
        _number(f"{where}.lower_bound", _entry(facts, "lower_bound", where)),
        _nodes(f"{where}.nodes", _entry(facts, "nodes", where), len(records)),
    )


def _nodes(where: str, value: Any, n: int) -> tuple[Node, ...]:
    return tuple(_node(f"{where}[{place}]", node, n) for place, node in enumerate(_list(where, value)))


def _node(where: str, facts: Any, n: int) -> Node:
    parent = _entry(facts, "parent", where)
    proofs = _list(f"{where}.proofs", _entry(facts, "proofs", where))
    return Node(
        None if parent is None else whole_number(f"{where}.parent", parent, at_least=0),
        _decision(where, _entry(facts, "pair", where), _entry(facts, "together", where)),
        flag(f"{where}.lists", _entry(facts, "lists", where)),
        tuple(_dual_solution(f"{where}.proofs[{place}]", proof, n) for place, proof in enumerate(proofs)),
        one_of(f"{where}.ends", _entry(facts, "ends", where), ENDS),
    )


def _decision(where: str, pair: Any, together: Any) -> Decision | None:
    if pair is None and together is None:
        return None
    one, other = _integers(f"{where}.pair", pair, 2)
    return Decision(one, other, flag(f"{where}.together", together))


def _dual_solution(where: str, facts: Any, n: int) -> DualSolution:
    numbers = _list(f"{where}.duals", _entry(facts, "duals", where), n)
    duals = np.array([_number(f"{where}.duals", number) for number in numbers], dtype=np.float64)
    read_only(duals)
    cuts = _list(f"{where}.cuts", _entry(facts, "cuts", where))
    return DualSolution(duals, tuple(_cut(f"{where}.cuts[{place}]", cut) for place, cut in enumerate(cuts)))


def _cut(where: str, facts: Any) -> Cut:
    records = _integers(f"{where}.records", _entry(facts, "records", where))
    weights = _integers(f"{where}.weights", _entry(facts, "weights", where), len(records))
    return Cut(
        tuple(records),
        tuple(weights),
        _integer(f"{where}.denominator", _entry(facts, "denominator", where)),
        _number(f"{where}.dual", _entry(facts, "dual", where)),
    )


def _entry(facts: Any, name: str, where: str) -> Any:
    if not isinstance(facts, Mapping):
        raise InputError(f"{where} must be an object with entries, found {_shown(facts)}")
    if name not in facts:
        raise InputError(f"{where} has no entry {name!r}")
    return facts[name]


def _names(where: str, value: Any) -> tuple[str, ...]:
    names = _list(where, value)
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"{where} must be a list of names, found {_shown(names)}")
    return tuple(names)


def _list(where: str, value: Any, length: int | None = None) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise InputError(f"{where} must be a list, found {_shown(value)}")
    if length is not None and len(value) != length:
        raise InputError(f"{where} must be a list of {length}, found one of {len(value)}")
    return list(value)


def _number(where: str, value: Any) -> float:
    """Return a number as a float; a list with NaN, text or a truth value in it is refused."""
    try:
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    except OverflowError:
        number = math.nan
    if not abs(number) < _MAX_NUMBER:
        raise InputError(f"{where} must be a number below {_MAX_NUMBER:g}, found {_shown(value)}")
    return number


def _integers(where: str, value: Any, length: int | None = None) -> list[int]:
    return [_integer(where, number) for number in _list(where, value, length)]


def _integer_array(where: str, value: Any, length: int | None = None) -> IntArray:
    array = np.array(_integers(where, value, length), dtype=np.int64)
    read_only(array)
    return array


def _integer(where: str, value: Any) -> int:
    """Return a whole number that 64-bit arithmetic can hold."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= _MAX_INTEGER:
        raise InputError(f"{where} must be a whole number between −2^31 and 2^31, found {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
