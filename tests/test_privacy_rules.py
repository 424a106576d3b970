"""Rules of privacy that a plan sets: every group of a release satisfies them, by what they mean."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import InputError, protect, verify
from microagg.model.release import Release


def released(data: Any, **options: Any) -> Release:
    """Protect the column x, and check that the release passes its own verification."""
    release = protect(data, columns=["x"], method="mdav", **options)
    assert verify(data, release.data, plan=release.plan).passed
    return release


def groups(release: Release, values: Any) -> Iterator[list[Any]]:
    """Yield the values of each group."""
    for label in range(release.n_groups):
        yield [value for value, own in zip(values, release.labels, strict=True) if own == label]


EDUCATION = np.repeat([1.0, 2.0, 3.0, 4.0], 10)


@pytest.mark.parametrize("values", [EDUCATION, EDUCATION.astype(int), EDUCATION.astype(int).astype(str)])
@pytest.mark.parametrize("missing", [False, True])
def test_an_order_holds_however_its_values_are_stored(values: Any, missing: bool) -> None:
    data = pd.DataFrame({"x": np.arange(40.0), "edu": values})
    if missing:
        data.loc[[3, 17, 25, 38], "edu"] = None
    options: dict[str, Any] = {"confidential": ["edu"], "ordinal": {"edu": [1, 2, 3, 4]}, "k": 5}
    release = released(data, t_closeness=0.1, **options)
    assert release.n_groups > 1
    assert all(len(set(group)) >= 4 for group in groups(release, data["edu"]))


def test_an_order_must_name_every_category() -> None:
    data = pl.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "edu": [1, 2, 3, 4]})
    with pytest.raises(InputError, match="'edu' has the category 4, which its order does not name"):
        released(data, k=2, confidential=["edu"], ordinal={"edu": [1, 2, 3]}, t_closeness=0.2)


def test_text_has_no_order_unless_it_is_given() -> None:
    data = pl.DataFrame({"x": [*range(6)], "c": ["low", "high", "middle"] * 2})
    options: dict[str, Any] = {"k": 2, "confidential": ["c"], "t_closeness": 0.4}
    released(data, **options)
    released(data, ordinal={"c": ["low", "middle", "high"]}, **options)
    with pytest.raises(InputError, match=r"'c' is of kind text, whose categories have no order: give it"):
        released(data, ordinal=["c"], **options)


def test_what_may_be_numbers_or_not_is_named() -> None:
    data = pl.DataFrame({"x": [*range(20)], "c": [str(number % 3) for number in range(19)] + ["refused"]})
    options: dict[str, Any] = {"k": 2, "confidential": ["c"], "t_closeness": 0.4}
    with pytest.raises(InputError, match="'c', which may or may not be numbers: name it in nominal"):
        released(data, **options)
    released(data, nominal=["c"], **options)
    released(data, ordinal={"c": ["0", "1", "2", "refused"]}, **options)
    released(data, missing_values={"c": ["refused"]}, **options)


FIRMS = pl.DataFrame(
    {"x": [*range(8)], "firm": [*"aaabcdef"], "t": [300.0, 300.0, 300.0, 10.0, 100.0, 100.0, 100.0, 100.0]}
)
BY_FIRM: dict[str, Any] = {"k": 2, "confidential": ["t"], "unit": "firm"}


def _sums(members: list[int]) -> list[float]:
    """Return what each firm has in a group, the largest first."""
    return sorted((sum(FIRMS["t"][i] for i in members if FIRMS["firm"][i] == firm) for firm in "abcdef"), reverse=True)


def test_contributors_are_units() -> None:
    with pytest.raises(InputError, match=r"largest contributing unit with at most 60 %.* reach 0\.68"):
        released(FIRMS, dominance=[1, 0.6], **BY_FIRM)
    for members in groups(released(FIRMS, dominance=[1, 0.7], **BY_FIRM), range(8)):
        assert _sums(members)[0] <= 0.7 * sum(_sums(members))
    for members in groups(released(FIRMS, p_percent=10, **BY_FIRM), range(8)):
        assert sum(_sums(members)[2:]) >= 0.1 * _sums(members)[0]


def test_units_may_contribute_to_several_groups() -> None:
    rng = np.random.default_rng(2)
    firm = rng.integers(0, 12, 60)
    data = pl.DataFrame({"x": rng.normal(size=60), "firm": firm, "t": rng.lognormal(0.0, 1.0, 60)})
    release = released(data, k=3, confidential=["t"], unit="firm", dominance=[1, 0.5], p_percent=20)
    assert release.n_groups > 3


@pytest.mark.parametrize("option", [{"l_diversity": 2}, {"entropy_l_diversity": 1.5}])
@pytest.mark.parametrize("marks", [(None, None), ("-9", "-8")])
def test_missing_confidential_values_are_no_values(option: dict[str, Any], marks: tuple[Any, Any]) -> None:
    values = ["A", "A", "A", marks[0], "B", marks[1], "A", "B", *marks, "B", "A"]
    data = pl.DataFrame({"x": [*range(12)], "c": values})
    options: dict[str, Any] = {} if marks[0] is None else {"missing_values": {"c": ["-9", "-8"]}}
    release = released(data, k=2, confidential=["c"], **option, **options)
    assert release.n_groups > 1
    assert all({"A", "B"} <= set(group) for group in groups(release, values))
    with pytest.raises(InputError, match=r"at least 3 different values of 'c' .* reach 2"):
        released(data, k=2, confidential=["c"], l_diversity=3, **options)
    nothing = data.with_columns(c=pl.lit(None, dtype=pl.String))
    with pytest.raises(InputError, match="reach 0"):
        released(nothing, k=2, confidential=["c"], **option)
