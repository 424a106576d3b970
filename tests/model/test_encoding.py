"""How columns become coordinates: the one definition of standardised loss."""

import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg import Column, InputError
from microagg.model.arrays import FloatArray
from microagg.model.by_column import ByColumn
from microagg.model.column_encoding import MAX_CATEGORIES, ScaledColumn
from microagg.model.encoding import Encoding
from microagg.model.treatment import Treatment

RAW = Treatment.plain(False)


def _numbers(*columns: Any) -> list[Column]:
    return [Column.of_numbers(f"x{j}", np.array(column, dtype=np.float64)) for j, column in enumerate(columns)]


def _treatment(**options: Any) -> Treatment:
    return Treatment(**options)


def _texts(*texts: str | None) -> Column:
    return Column.of_objects("c", texts)


@pytest.mark.parametrize("treatment", [Treatment(), RAW])
def test_numbers_are_shifted_and_scaled(treatment: Treatment) -> None:
    columns = _numbers([2.0, 4.0, 9.0], [5.0, 5.0, 5.0])
    encoding = Encoding.fit(columns, treatment)
    assert encoding.names == ("x0", "x1")
    assert encoding.widths == (1, 1)
    assert encoding.standardise is treatment.standardise
    assert encoding.is_plain
    scale = (26.0 / 3) ** 0.5 if treatment.standardise else 1.0
    X, missing = encoding.apply(columns)
    assert missing is None
    np.testing.assert_array_equal(X[:, 0], (columns[0].values - 2.0) / scale)
    assert X[:, 1].tolist() == [0.0] * 3


def test_an_encoding_needs_its_columns() -> None:
    encoding = Encoding.fit(_numbers([1.0, 2.0]))
    with pytest.raises(ValueError, match="zip"):
        encoding.apply(_numbers([1.0], [2.0]))
    with pytest.raises(ValueError, match="zip"):
        encoding.loss(_numbers([1.0]), _numbers([1.0], [2.0]))


def test_loss_by_hand() -> None:
    before = _numbers([0.0, 2.0, 10.0, 12.0], [5.0] * 4)
    after = _numbers([1.0, 1.0, 11.0, 11.0], [6.0] * 4)
    for treatment in (Treatment(), RAW):
        encoding = Encoding.fit(before, treatment)
        assert encoding.loss(before, after) == pytest.approx(100 * 4 / 104)  # a constant column carries no weight
        assert encoding.loss(before, before) == 0.0
    assert Encoding.fit(before[1:]).loss(before[1:], after[1:]) == 0.0


def test_loss_weighs_standardised_columns_alike() -> None:
    before = _numbers([0.0, 2.0], [0.0, 20.0])
    after = _numbers([1.0, 1.0], [0.0, 20.0])
    assert Encoding.fit(before).loss(before, after) == pytest.approx(50.0)
    assert Encoding.fit(before, RAW).loss(before, after) == pytest.approx(100 * 2 / 202)
    double = Encoding.fit(before, _treatment(scale={"x0": 3}))
    assert double.loss(before, after) == pytest.approx(75.0)


@given(st.lists(st.sampled_from("abcde"), min_size=2, max_size=20), st.sampled_from([None, 0.25, 9]))
def test_two_different_categories_are_equally_far_apart(texts: list[str], weight: float | None) -> None:
    column = _texts(*texts)
    encoding = Encoding.fit([column], Treatment() if weight is None else _treatment(scale=weight))
    X, missing = encoding.apply([column])
    assert missing is None
    assert encoding.widths == (X.shape[1],)
    for one, other in itertools.combinations(range(len(texts)), 2):
        squares = np.square(X[one] - X[other]).sum()
        assert squares == pytest.approx(0.0 if texts[one] == texts[other] else weight or 1.0)
    sst = np.square(X - X.mean(axis=0)).sum()
    assert encoding.columns[0].total == pytest.approx(sst, abs=1e-12)


def test_two_categories_need_one_coordinate() -> None:
    assert Encoding.fit([_texts("a", "b", "a")]).widths == (1,)
    assert Encoding.fit([_texts("a", "a")]).widths == (1,)
    assert Encoding.fit([_texts("a", "b", "c")]).widths == (3,)
    booleans = Column("b", "boolean", np.array([True, False, True]))
    assert Encoding.fit([booleans]).apply([booleans])[0].ravel().tolist() == [1.0, 0.0, 1.0]


def test_a_changed_category_loses_one() -> None:
    before = _texts("a", "a", "b", "b", "c", None)
    after = _texts("a", "b", "b", "{a, b}", "c", None)
    encoding = Encoding.fit([before])
    total = 5 / 2 * (1 - 4 / 25 - 4 / 25 - 1 / 25)
    assert encoding.loss([before], [after]) == pytest.approx(100 * 2 / total)


@given(hnp.arrays(np.float64, (12, 2), elements=st.integers(-5, 5).map(float)), st.data())
def test_missing_cells_count_nowhere(X: FloatArray, data: st.DataObject) -> None:
    missing = data.draw(hnp.arrays(np.bool_, X.shape))
    holed = np.where(missing, np.nan, X)
    columns = _numbers(*holed.T)
    encoding = Encoding.fit(columns)
    points, mask = encoding.apply(columns)
    assert np.isfinite(points).all()
    np.testing.assert_array_equal(np.zeros_like(missing) if mask is None else mask, missing)
    for j in range(2):
        there = holed[~missing[:, j], j]
        expected = len(there) if len(set(there)) > 1 else 0.0
        assert np.square(points[:, j] - points[:, j].mean()).sum() == pytest.approx(expected, abs=1e-9)
    assert encoding.loss(columns, columns) == 0.0
    filled = _numbers(*np.where(missing, 7.0, X).T)
    assert encoding.loss(columns, filled) == 0.0


def test_missing_categories_are_at_the_mean() -> None:
    column = _texts("a", "b", "c", "a", None)
    X, missing = Encoding.fit([column]).apply([column])
    assert missing is not None
    assert missing.sum(axis=1).tolist() == [0, 0, 0, 0, 3]
    np.testing.assert_allclose(X[4], X[:4].mean(axis=0))


def test_columns_of_which_nothing_is_there_carry_no_weight() -> None:
    columns = [*_numbers([np.nan, np.nan]), _texts(None, None)]
    X, missing = Encoding.fit(columns).apply(columns)
    assert X.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert missing is not None
    assert missing.all()


def test_ordinals_are_ranks_in_the_given_order() -> None:
    column = _texts("mid", "low", "high", "low")
    treatment = _treatment(ordinal={"c": ["low", "mid", "high"]}, scale="none")
    assert Encoding.fit([column], treatment).apply([column])[0].ravel().tolist() == [1.0, 0.0, 2.0, 0.0]
    wide = _treatment(ordinal={"c": ["low", "mid", "better", "high"]}, scale="none")
    assert Encoding.fit([column], wide).apply([column])[0].ravel().tolist() == [1.0, 0.0, 3.0, 0.0]
    with pytest.raises(InputError) as caught:
        Encoding.fit([column], _treatment(ordinal={"c": ["low", "high"]}))
    assert str(caught.value) == (
        "column 'c' has the category 'mid', which its order does not name: name every category in ordinal"
    )


def test_ordinals_without_a_given_order_need_one_of_their_own() -> None:
    codes = Column.of_numbers("c", np.array([30, 10, 20, 10]))
    treatment = _treatment(ordinal=["c"], scale="none")
    assert Encoding.fit([codes], treatment).apply([codes])[0].ravel().tolist() == [2.0, 0.0, 1.0, 0.0]
    ordered = Column("c", "category", np.array([1, 0]), ("low", "mid", "high"), ordered=True)
    assert Encoding.fit([ordered], treatment).apply([ordered])[0].ravel().tolist() == [1.0, 0.0]
    with pytest.raises(InputError) as caught:
        Encoding.fit([_texts("a", "b")], treatment)
    assert str(caught.value) == (
        "column 'c' is of kind text, whose categories have no order: give it, as in ordinal={'c': [lowest, …, highest]}"
    )


@pytest.mark.parametrize("unit", ["D", "s", "us", "ns"])
def test_dates_are_numbers_in_their_unit(unit: str) -> None:
    days = np.array(["2020-01-02", "2020-01-01", "NaT", "2020-01-05"], dtype=f"M8[{unit}]")
    kind = "date" if unit == "D" else "datetime"
    column = Column("d", kind, days, missing=np.isnat(days))  # type: ignore[arg-type]
    X, missing = Encoding.fit([column]).apply([column])
    expected = np.array([1.0, 0.0, np.nan, 4.0])
    np.testing.assert_allclose(X[[0, 1, 3], 0], expected[[0, 1, 3]] / np.nanstd(expected))
    assert missing is not None
    with pytest.raises(InputError, match="of kind text: expected dates"):
        Encoding.fit([column]).apply([_texts("a", "b", "c", "d")])


def test_transforms_and_ranks_are_for_the_distances_only() -> None:
    before = _numbers([1.0, 10.0, 100.0, 1000.0])
    after = _numbers([5.5, 5.5, 550.0, 550.0])
    plain = Encoding.fit(before)
    for options in ({"transform": "log"}, {"transform": "rank"}, {"scale": "rank"}):
        encoding = Encoding.fit(before, _treatment(**options))
        assert not encoding.is_plain
        assert encoding.loss(before, after) == plain.loss(before, after)
        X, _ = encoding.apply(before)
        assert X.std() == pytest.approx(1.0)
        assert np.diff(X[:, 0]).std() < 0.2 * np.diff(plain.apply(before)[0][:, 0]).std()


def test_linear_scales_count_in_the_loss() -> None:
    before = _numbers([0.0, 2.0, 10.0, 12.0], [0.0, 1.0, 2.0, 30.0])
    after = _numbers([1.0, 1.0, 11.0, 11.0], [0.5, 0.5, 16.0, 16.0])
    for scale in ("deviation", "mad", "iqr", "range", "none", 2.5):
        encoding = Encoding.fit(before, _treatment(scale=scale))
        X, _ = encoding.apply(before)
        Y, _ = encoding.apply(after)
        loss = 100 * np.square(X - Y).sum() / np.square(X - X.mean(axis=0)).sum()
        assert encoding.loss(before, after) == pytest.approx(loss)


def test_scales_that_were_replaced_are_told() -> None:
    columns = _numbers([0.0, 0.0, 0.0, 0.0, 9.0], [1.0, 2.0, 3.0, 4.0, 5.0], [3.0] * 5)
    encoding = Encoding.fit(columns, _treatment(scale="mad"))
    assert encoding.replaced_scales == (("x0", "mad", "deviation"),)
    assert Encoding.fit(columns).replaced_scales == ()


def test_too_many_categories_are_refused() -> None:
    most = Column.of_objects("c", [f"{number}" for number in range(MAX_CATEGORIES)])
    assert Encoding.fit([most]).widths == (MAX_CATEGORIES,)
    with pytest.raises(InputError) as caught:
        Encoding.fit([Column.of_objects("c", [f"{number}" for number in range(MAX_CATEGORIES + 1)])])
    assert str(caught.value) == (
        "column 'c' of kind text has 201 categories, more than the 200 that a nominal column may have: leave it out, "
        "or put rare categories together"
    )


def test_codes_are_nominal_where_they_are_named() -> None:
    codes = Column.of_numbers("c", np.array([3, 1, 7, 3]))
    encoding = Encoding.fit([codes], Treatment(nominal=("c",)))
    assert encoding.widths == (3,)
    assert not encoding.is_plain
    assert encoding.columns[0].read(Column.of_objects("c", ["3", "1", "{1, 7}", None])).tolist()[:3] == [1.0, 0.0, -1.0]


def test_encodings_pickle_and_show_no_value() -> None:
    columns = [*_numbers([4711.0, 815.0]), _texts("Smith", "Jones")]
    encoding = Encoding.fit(columns, Treatment(scale=ByColumn("mad")))
    assert pickle.loads(pickle.dumps(encoding)) == encoding
    for secret in ("4711", "815", "Smith", "Jones"):
        assert secret not in repr(encoding)
    ranked = pickle.loads(pickle.dumps(Encoding.fit(columns[:1], _treatment(scale="rank"))))
    assert isinstance(ranked.columns[0], ScaledColumn)
    assert ranked.apply(columns[:1])[0].ravel().tolist() == [2.0, 0.0]
