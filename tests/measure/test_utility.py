"""Utility of a release: every figure by hand or against the oracle, and what is said where there is none."""

import math
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_utility as naive
from measured_tables import AMOUNTS, compared, group_means, labour_force
from microagg import InputError, Plan, Run
from microagg.control.stopping import StoppedError
from microagg.measure.utility import UtilityMeasures, measure_utility
from microagg.measure.utility_catalogue import FORMULAS, REFERENCES, UTILITY_FIGURES
from microagg.model import row_slices

ASKED = ("regression_overlap", "domain_total_difference", "suppressed_cells")
CELL = st.one_of(st.integers(-8, 8).map(float), st.integers(-8, 8).map(float), st.integers(0, 1).map(float), st.none())


def _measured(
    before: pl.DataFrame,
    after: pl.DataFrame,
    names: tuple[str, ...],
    plan: Plan | None = None,
    regressions: tuple[str, ...] = (),
    domains: tuple[str, ...] = (),
    **codes: object,
) -> UtilityMeasures:
    return measure_utility(compared(before, after, names, plan, **codes), regressions, domains, Run())


def _values(measures: UtilityMeasures) -> dict[str, float | None]:
    return {figure.name: figure.value for figure in measures.figures}


def _notes(measures: UtilityMeasures) -> dict[str, str]:
    return {figure.name: figure.note for figure in measures.figures if figure.note}


def test_every_figure_is_in_the_catalogue_with_a_formula_and_a_reference() -> None:
    before = labour_force()
    released = group_means(before)
    released = released.with_columns(income=pl.when(pl.int_range(pl.len()) > 0).then(pl.col("income")))
    found = _measured(before, released, AMOUNTS, None, ("income ~ age",), ("region",))
    assert [figure.name for figure in found.figures] == list(UTILITY_FIGURES)
    assert list(FORMULAS) == list(REFERENCES) == list(UTILITY_FIGURES)
    without = _measured(before, group_means(before), AMOUNTS)
    assert [figure.name for figure in without.figures] == [name for name in UTILITY_FIGURES if name not in ASKED]
    for figure in found.figures:
        template = UTILITY_FIGURES[figure.name]
        assert template.value is None
        assert (figure.title, figure.unit, figure.higher) == (template.title, template.unit, template.higher)
        assert figure.sentence.endswith(".")
        assert figure.topic == "utility"


def test_figures_by_hand() -> None:
    before = pl.DataFrame({"x": [0.0, 2.0, 10.0, 12.0], "c": ["a", "a", "b", "b"]})
    after = pl.DataFrame({"x": [1.0, 1.0, 11.0, 11.0], "c": ["a", "a", "b", "a"]})
    found = _measured(before, after, ("x", "c"))
    values = _values(found)
    deviation = math.sqrt(104 / 3)
    assert values["il1s"] == pytest.approx(1 / (math.sqrt(2) * deviation))
    assert values["il1"] == pytest.approx((1 / 2 + 1 / 10 + 1 / 12) / 3)
    assert values["changed_cells"] == 100 * 5 / 8
    assert values["changed_categories"] == 25.0
    assert values["mean_difference"] == 0.0
    assert values["variance_difference"] == pytest.approx(100 * 4 / 104)
    assert values["skewness_difference"] == pytest.approx(0.0, abs=1e-12)
    assert values["zero_share_difference"] == 25.0
    quantiles = [
        abs(naive.quantile(list(before["x"]), q / 20) - naive.quantile(list(after["x"]), q / 20)) for q in range(1, 20)
    ]
    assert values["quantile_difference"] == pytest.approx(naive.mean(quantiles) / deviation)
    for name in ("covariance_difference", "correlation_difference", "eigenvalue_difference", "pil_covariances"):
        assert values[name] is None
        assert _notes(found)[name] == "there are fewer than two columns of numbers that vary"
    assert values["pil_means"] == 0.0
    parts = [values[name] for name in ("pil_quantiles", "pil_means", "pil_variances")]
    assert values["pil"] == pytest.approx(naive.mean(naive.present(parts)))
    assert _notes(found)["pil"] == "without covariances and correlations"
    assert _notes(found)["il1"] == "without 1 zero of the original"
    assert [one.name for one in found.numbers] == ["x"]
    assert found.categories[0].after_counts == (3, 1)
    assert found.correlations is None


@given(st.lists(st.tuples(CELL, CELL, CELL, CELL), min_size=3, max_size=12))
def test_figures_are_those_of_the_oracle(rows: list[tuple[float | None, ...]]) -> None:
    x, y, new_x, new_y = (list(column) for column in zip(*rows, strict=True))
    new_x = [None if old is None else new or 0.0 for old, new in zip(x, new_x, strict=True)]
    new_y = [None if old is None else new or 0.0 for old, new in zip(y, new_y, strict=True)]
    schema = {"x": pl.Float64, "y": pl.Float64}
    found = _measured(
        pl.DataFrame({"x": x, "y": y}, schema), pl.DataFrame({"x": new_x, "y": new_y}, schema), ("x", "y")
    )
    values = _values(found)
    columns = [(x, new_x), (y, new_y)]
    varying = [pair for pair in columns if len(set(naive.present(pair[0]))) > 1]
    cells = [pair for before, after in columns for pair in naive.both(before, after)]
    if cells:
        assert values["changed_cells"] == pytest.approx(100 * sum(old != new for old, new in cells) / len(cells))
    if any(old for old, _ in cells):
        assert values["il1"] == pytest.approx(naive.il1(columns))
    if not varying:
        assert values["il1s"] is None
        return
    assert values["il1s"] == pytest.approx(naive.il1s(columns))
    there = [[naive.present(side) for side in pair] for pair in varying]
    differences = [abs(naive.variance(new) - naive.variance(old)) / naive.variance(old) for old, new in there]
    assert values["variance_difference"] == pytest.approx(100 * naive.mean(differences), abs=1e-9)
    means = [abs(naive.mean(new) - naive.mean(old)) / math.sqrt(naive.variance(old)) for old, new in there]
    assert values["mean_difference"] == pytest.approx(naive.mean(means), abs=1e-9)
    if len(varying) == 2 and len(naive.both(x, y)) > 1:
        scale = math.sqrt(naive.variance(naive.present(x)) * naive.variance(naive.present(y)))
        apart = abs(naive.covariance(x, y) - naive.covariance(new_x, new_y))
        assert values["covariance_difference"] == pytest.approx(100 * apart / scale, abs=1e-9)


def test_formulas_of_sdcmicro_on_a_labour_force_survey() -> None:
    """IL1s is its sum over cells divided by their number, IL1 likewise and by 100, eigen is the same."""
    before = labour_force()
    after = group_means(before)
    X = before.select(AMOUNTS).to_numpy()
    Y = after.select(AMOUNTS).to_numpy()
    values = _values(_measured(before, after, AMOUNTS))
    sum_il1s = (np.abs(X - Y) / (X.std(axis=0, ddof=1) * np.sqrt(2))).sum()
    assert values["il1s"] == pytest.approx(sum_il1s / X.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = 100 * np.abs(X - Y) / np.abs(X)
    sum_il1 = ratios[np.isfinite(ratios)].sum()
    assert values["il1"] == pytest.approx(sum_il1 / 100 / np.count_nonzero(X))
    eigenvalues = [np.sort(np.linalg.eigvalsh(np.cov(((Z - Z.mean(0)) / Z.std(0, ddof=1)).T)))[::-1] for Z in (X, Y)]
    assert values["eigenvalue_difference"] == pytest.approx(
        (np.abs(eigenvalues[0] - eigenvalues[1]) / eigenvalues[0]).sum()
    )
    assert values["correlation_difference"] == pytest.approx(
        np.abs(np.corrcoef(X.T) - np.corrcoef(Y.T))[np.triu_indices(3, 1)].mean()
    )


def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = labour_force()
    after = group_means(before)
    asked = {"regressions": ("income ~ age + region",), "domains": ("region",)}
    whole = _values(_measured(before, after, AMOUNTS, **asked))  # type: ignore[arg-type]
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", 7)
    sliced = _values(_measured(before, after, AMOUNTS, **asked))  # type: ignore[arg-type]
    assert {name for name, value in whole.items() if value is None} == {"changed_categories"}
    for name, value in whole.items():
        assert sliced[name] == (None if value is None else pytest.approx(value, rel=1e-9, abs=1e-9)), name


def test_columns_without_variance() -> None:
    frame = pl.DataFrame({"x": [0.0, 2.0, 10.0, 12.0], "y": [1.0, 2.0, 3.0, 5.0], "k": [7.0] * 4})
    after = pl.DataFrame({"x": [1.0, 1.0, 11.0, 11.0], "y": [1.5, 1.5, 4.0, 4.0], "k": [7.0] * 4})
    found = _measured(frame, after, ("x", "y", "k"))
    values = _values(found)
    without = _values(_measured(frame, after, ("x", "y")))
    for name in ("il1s", "mean_difference", "variance_difference", "covariance_difference", "eigenvalue_difference"):
        assert values[name] == pytest.approx(without[name])
    assert _notes(found)["il1s"] == "without 1 constant column"
    assert found.numbers[2].il1s is None
    assert values["pil"] == pytest.approx(without["pil"])


def test_release_in_which_all_are_one_group() -> None:
    frame = pl.DataFrame({"x": [0.0, 2.0, 10.0], "y": [1.0, 2.0, 4.5]})
    after = pl.DataFrame({"x": [4.0] * 3, "y": [2.5] * 3})
    values = _values(_measured(frame, after, ("x", "y")))
    assert values["variance_difference"] == 100.0
    assert values["correlation_difference"] == pytest.approx(np.corrcoef(frame["x"], frame["y"])[0, 1])
    assert values["information_loss"] == pytest.approx(100.0)


def test_one_record() -> None:
    frame = pl.DataFrame({"x": [5.0], "y": [1.0]})
    found = _measured(frame, pl.DataFrame({"x": [6.0], "y": [1.0]}), ("x", "y"))
    values = _values(found)
    assert (values["il1s"], values["pil"], values["pmse"], values["eigenvalue_difference"]) == (None,) * 4
    assert _notes(found)["pil"] == "no column of numbers varies"
    assert values["il1"] == pytest.approx((1 / 5) / 2)
    assert values["changed_cells"] == 50.0
    assert found.numbers[0].before.variance is None


def test_categories_only() -> None:
    frame = pl.DataFrame({"c": ["a", "b", "a", "b", "b"]})
    found = _measured(frame, pl.DataFrame({"c": ["a", "b", "b", "b", "b"]}), ("c",))
    values = _values(found)
    assert values["changed_cells"] == values["changed_categories"] == 20.0
    assert values["il1s"] is None
    assert (
        _notes(found)["il1s"]
        == _notes(found)["mean_difference"]
        == _notes(found)["pil"]
        == "no column of numbers varies"
    )
    assert values["pmse"] is not None
    assert found.numbers == ()


def test_dates_count_as_days() -> None:
    before = pl.DataFrame({"d": [date(1970, 1, 1), date(1970, 1, 3), date(1970, 1, 11), date(1970, 1, 13)]})
    after = pl.DataFrame({"d": [date(1970, 1, 2)] * 2 + [date(1970, 1, 12)] * 2})
    found = _measured(before, after, ("d",))
    values = _values(found)
    assert values["il1s"] == pytest.approx(1 / math.sqrt(2 * 104 / 3))
    assert values["il1"] is None, "its zero is arbitrary"
    (column,) = found.numbers
    assert (column.unit, column.before.quantiles[0], column.before.quantiles[-1]) == (
        "days since 1970-01-01",
        0.0,
        12.0,
    )


def test_ordinal_and_nominal_codes_are_categories() -> None:
    before = pl.DataFrame({"o": ["lo", "hi", "lo", "hi"], "n": [1, 2, 3, 3]})
    after = pl.DataFrame({"o": ["lo", "lo", "lo", "hi"], "n": [1, 2, 3, 2]})
    found = _measured(before, after, ("o", "n"), ordinal={"o": ["lo", "hi"]}, nominal=["n"])
    assert [(one.name, one.changed) for one in found.categories] == [("o", 25.0), ("n", 25.0)]
    assert found.categories[1].categories == ("3", "1", "2")


def test_columns_without_any_value() -> None:
    schema = {"x": pl.Float64, "y": pl.Float64}
    before = pl.DataFrame({"x": [None] * 3, "y": [1.0, 2.0, 4.0]}, schema)
    found = _measured(before, before, ("x", "y"))
    assert [(one.name, one.before.count, one.before.n_missing) for one in found.numbers] == [("x", 0, 3), ("y", 3, 0)]
    assert _values(found)["il1s"] == 0.0
    nothing = _measured(before.select("x"), before.select("x"), ("x",))
    assert (_values(nothing)["changed_cells"], _notes(nothing)["changed_cells"]) == (None, "every value is missing")


def test_weights_of_the_plan_count_in_regressions_and_totals() -> None:
    before = labour_force(60)
    after = group_means(before)
    plan = Plan(k=3, columns=list(AMOUNTS), weight="weight")
    asked = {"regressions": ("income ~ age",), "domains": ("region",)}
    weighted = _measured(before, after, AMOUNTS, plan, **asked)
    plain = _measured(before, after, AMOUNTS, **asked)  # type: ignore[arg-type]
    assert weighted.regressions[0].coefficients != plain.regressions[0].coefficients
    total = sum(one.before for one in weighted.domains if one.column == "income")
    assert total == pytest.approx(float((before["income"] * before["weight"]).sum()))
    differences = [abs(one.after - one.before) / one.before for one in weighted.domains]
    assert _values(weighted)["domain_total_difference"] == pytest.approx(100 * naive.mean(differences))
    overlaps = [one.overlap for one in weighted.regressions[0].coefficients]
    assert _values(weighted)["regression_overlap"] == pytest.approx(naive.mean(overlaps))


def test_totals_of_zero_have_no_ratio() -> None:
    before = pl.DataFrame({"r": ["a", "b"], "x": [0.0, 4.0]})
    found = _measured(before, pl.DataFrame({"r": ["a", "b"], "x": [2.0, 2.0]}), ("x",), domains=("r",))
    assert (_values(found)["domain_total_difference"], _notes(found)["domain_total_difference"]) == (
        50.0,
        "without 1 total of 0",
    )
    zeros = pl.DataFrame({"r": ["a", "b"], "x": [0.0, 0.0]})
    nothing = _measured(zeros, zeros, ("x",), domains=("r",))
    assert _notes(nothing)["domain_total_difference"] == "every total is 0 in the original"


def test_what_is_asked_for_is_checked_before_anything_is_measured() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0], "y": [1.0, None]})
    for asked in ({"regressions": ("x ~ z",)}, {"domains": ("z",)}):
        with pytest.raises(InputError, match="there is no column 'z'"):
            _measured(frame, frame.with_columns(y=pl.Series([1.0, 1.0])), ("x", "y"), **asked)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="the release has no column 'z': leave it out of regressions and domains"):
            _measured(frame.with_columns(z=pl.lit(1.0)), frame, ("x",), **asked)  # type: ignore[arg-type]


def test_suppressed_and_imputed_cells_are_counted_and_left_out() -> None:
    """Over the common cells, everything is as in tables that have these cells only."""
    before = pl.DataFrame({"x": [0.0, 2.0, 10.0, 12.0, 90.0, None], "c": ["a", "b", "b", "a", "rare", "b"]})
    after = pl.DataFrame({"x": [1.0, 1.0, 11.0, 11.0, None, 7.0], "c": ["a", "b", "b", "b", None, "b"]})
    found = _measured(before, after, ("x", "c"))
    assert _values(found)["suppressed_cells"] == pytest.approx(100 * 2 / 11)
    assert _notes(found)["suppressed_cells"] == ("2 of 11 values; the release has 1 value where the original has none")
    assert _notes(found)["information_loss"] == "over the values that both tables have: see suppressed cells"
    alone = [frame.with_columns(x=pl.Series([*frame["x"][:4], None, None])) for frame in (before, after)]
    alone = [frame.with_columns(c=pl.Series([*frame["c"][:4], None, frame["c"][5]])) for frame in alone]
    expected = _values(_measured(alone[0], alone[1], ("x", "c")))
    for name in ("il1s", "changed_cells", "changed_categories", "mean_difference", "quantile_difference", "pmse"):
        assert _values(found)[name] == pytest.approx(expected[name]), name
    assert [(one.before.count, one.after.count) for one in found.numbers] == [(4, 4)]
    assert _values(_measured(before, after, ("x",)))["information_loss"] == pytest.approx(100 * 4 / 104)
    assert _values(_measured(before, after, ("c",)))["information_loss"] == pytest.approx(100 * 1 / 1.2)


def test_column_that_is_suppressed_as_a_whole() -> None:
    before = pl.DataFrame({"x": [1.0, 2.0, 4.0], "y": [1.0, 2.0, 3.0]})
    after = pl.DataFrame({"x": [None] * 3, "y": [1.0, 2.0, 3.0]}, schema={"x": pl.Float64, "y": pl.Float64})
    found = _values(_measured(before, after, ("x", "y")))
    assert (found["suppressed_cells"], found["information_loss"]) == (50.0, 0.0)


def test_a_cancelled_run_ends() -> None:
    frame = labour_force(20)
    run = Run()
    run.cancel()
    with pytest.raises(StoppedError):
        measure_utility(compared(frame, frame, AMOUNTS), (), (), run)
