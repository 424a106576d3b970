"""All measures of risk together: complete, in order, and within memory."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from large_sources import large_table, small_batches
from microagg import InputError, Plan, Run, protect, read
from microagg.control.stopping import StoppedError
from microagg.encode import fit_encoding
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.risk import measure_risk
from microagg.measure.risk_catalogue import RISK_FIGURES
from risk_tables import compared, numbers, of
from runs import cancelled

SCORES = ("score", "score_classic")


def test_figures_are_complete_and_in_order() -> None:
    found = measure_risk(numbers([0.0, 2.0, 10.0, 12.0], [1.0, 1.0, 11.0, 11.0], k=2), None, Run())
    assert [figure.name for figure in found.figures] == [name for name in RISK_FIGURES if name not in SCORES]
    assert of(found.figures, "dld") == of(found.figures, "dld_nearest_two") == of(found.figures, "pld") == 50.0
    assert of(found.figures, "id") == 0.0
    assert of(found.figures, "disclosure_risk") == 25.0
    assert of(found.figures, "k_reached") == 2
    assert found.group_sizes == ((2, 2),)
    assert found.confidential == ()
    assert found.singling_out == ()


def test_linkage_says_that_it_is_of_records_where_there_are_units() -> None:
    frame = pl.DataFrame({"x": [1.0, 1.0, 5.0, 5.0], "house": [1, 2, 3, 4]})
    plan = Plan(k=2, columns=["x"], unit="house")
    notes = {one.name: one.note for one in measure_risk(compared(frame, frame, ["x"], 2, plan), None, Run()).figures}
    for name in ("dld", "dld_nearest_two", "pld"):
        assert notes[name] == (
            "records are linked, not units: a unit of several records is linked wherever one of them is"
        )


def test_release_of_a_plan(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    n = 60
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 70, size=n),
            "income": rng.lognormal(8, 1, size=n).round(2),
            "sex": rng.choice(["f", "m"], size=n),
            "region": rng.choice(["N", "S"], size=n),
            "weight": rng.uniform(5, 15, size=n).round(1),
            "ill": rng.choice(["yes", "no"], size=n),
        }
    )
    release = protect(
        frame, k=5, columns=["age", "income", "sex"], confidential=["ill"], strata=["region"], weight="weight"
    )
    tables = compared(frame, release.data, ["age", "income", "sex"], 5, release.plan)
    found = measure_risk(tables, None, Run())
    k = of(found.figures, "k_reached")
    assert k is not None
    assert k >= 5
    for name in ("dld", "dld_nearest_two", "pld", "reidentification_prosecutor", "reidentification_marketer"):
        value = of(found.figures, name)
        assert value is not None
        assert 0 <= value <= 100 / 5 + 1e-9
    journalist, marketer = (of(found.figures, f"reidentification_{name}") for name in ("journalist", "marketer"))
    assert journalist is not None
    assert marketer is not None
    assert journalist < marketer
    assert [part.part for part in found.parts] == [
        "all records",
        *dict.fromkeys(f"region = {one}" for one in frame["region"]),
    ]
    assert [one.name for one in found.confidential] == ["ill"]
    assert found.singling_out[-1].columns == ("region", "weight", "ill")
    assert sum(size * count for size, count in found.group_sizes) == n


def test_sampling_fraction_is_checked() -> None:
    with pytest.raises(InputError, match="sampling_fraction must be at most 1, found 20"):
        measure_risk(numbers([1.0, 2.0], [1.5, 1.5]), 20, Run())


def test_cancelled_run_ends_the_measures() -> None:
    with pytest.raises(StoppedError):
        measure_risk(numbers([1.0, 2.0], [1.5, 1.5]), None, cancelled())


@pytest.mark.parametrize("n", [1, 6])
def test_records_that_are_all_equal(n: int) -> None:
    found = measure_risk(numbers([5] * n, [5] * n, k=1), 0.5, Run())
    names = ("dld", "dld_nearest_two", "pld", "reidentification_prosecutor", "reidentification_marketer")
    assert [of(found.figures, name) for name in names] == pytest.approx([100 / n] * 5)
    assert of(found.figures, "reidentification_journalist") == pytest.approx(50 / n)


def test_tables_larger_than_memory_have_all_but_linkage(tmp_path: Path) -> None:
    before = pl.DataFrame({"x": [0.0, 2.0, 10.0, 12.0], "s": ["a", "b", "b", "b"]})
    after = before.with_columns(x=pl.Series([1.0, 1.0, 11.0, 11.0]))
    for name, frame in (("before", before), ("after", after)):
        frame.write_parquet(tmp_path / f"{name}.parquet")
    whole = measure_risk(compared(before, after, ["x"], 2), None, Run())
    with small_batches():
        tables = [large_table(tmp_path / f"{name}.parquet", tmp_path) for name in ("before", "after")]
        encoding = fit_encoding(tables[0], ["x"])
        found = measure_risk(ComparedTables(tables[0], tables[1], encoding, 2), None, Run())
    linked = ("dld", "dld_nearest_two", "pld", "disclosure_risk")
    for one, other in zip(found.figures, whole.figures, strict=True):
        if one.name in linked:
            assert one.value is None
        else:
            assert one == other
    assert "larger than memory" in found.figures[0].note
    assert found[1:] == whole[1:]


def test_tables_and_run_are_left_as_they_were() -> None:
    before = read(pl.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "s": ["a", "b", "c", "c"]}))
    tables = ComparedTables(before, before, fit_encoding(before, ["x"]), 2, Plan(k=2, columns=["x"]))
    assert measure_risk(tables, None, Run()) == measure_risk(tables, None, Run())
