"""Verdicts: the tone of what was counted, by the gravest that was counted."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from microagg import protect
from microagg.model.inspection import SinglingOut
from microagg.model.measures import Measures
from microagg.model.plan import Plan
from microagg.model.verdict import Exposure
from microagg.verdict import exposure_warnings, percent, verdict_on


class Counted:
    """What was counted of a column set."""

    def __init__(self, k_reached: int, agreeing: int | None = None) -> None:
        self.columns = ("x",)
        self.k = 5
        self.measures = Measures(100, k_reached, 20, 1.0, ())
        self.n_below_k = 0 if k_reached >= 5 else 38
        self.k_if_missing_agrees = agreeing


def tone_of(*sets: Counted, together: int, n_below_k: int = 0, **options: Any) -> tuple[str, str]:
    exposure = Exposure(("x", "y"), (), ("y",), 100, 5, 5 if not n_below_k else 1, n_below_k, n_below_k)
    found = verdict_on(Plan(k=5, columns=["x"]), sets, together, exposure, **options)
    return found.tone, found.headline


def test_tones_at_their_edges() -> None:
    assert tone_of(Counted(5), together=5) == ("verified", "verified")
    assert tone_of(Counted(5), together=5, n_below_k=1) == ("limited", "verified on the protected columns only")
    assert tone_of(Counted(4), together=4) == ("not verified", "not verified")
    assert tone_of(Counted(4, 4), together=4) == ("not verified", "not verified")
    assert tone_of(Counted(4, 5), together=4) == ("limited", "k holds only if a missing cell may be any value")
    assert tone_of(Counted(5), Counted(5), together=5) == ("verified", "verified")
    assert tone_of(Counted(5), Counted(5), together=4) == ("limited", "verified on each column set alone")
    assert tone_of(Counted(5), together=5, is_changed=False) == ("limited", "no cell was changed")


def test_both_figures_are_one_sentence() -> None:
    found = verdict_on(Plan(k=5, columns=["x"]), [Counted(1, 5)], 1, None)
    said = "k = 1 by released values, 38 records in classes below 5; k = 5 if a missing cell may be any value"
    assert found.sentences[0] == said
    assert [one.about for one in found.warnings] == ["missing"]
    assert found.sentences[1] == "the release was not looked at as a whole"


def singled_out(*found: tuple[int, int], n_unchanged: int) -> str:
    """Return the warning about combinations of so many unchanged columns, each with its number of unique records."""
    names = tuple(f"c{number}" for number in range(n_unchanged))
    combinations = tuple(SinglingOut(names[:size], n_unique, n_unique, n_unique) for size, n_unique in found)
    exposure = Exposure(names, (), names, 100, 5, 1, 100, 100, singling_out=combinations)
    (warning,) = exposure_warnings(exposure)
    return warning.sentence


def test_few_columns_are_named_where_only_all_of_them_single_out_every_record() -> None:
    assert singled_out((1, 20), (2, 95), (9, 100), n_unchanged=9).startswith(
        "95 of 100 records (95.0 %) are unique in 'c0', 'c1', released unchanged: "
    )
    assert singled_out((1, 20), (4, 60), (9, 100), n_unchanged=9).startswith(
        "60 of 100 records (60.0 %) are unique in 'c0', 'c1', 'c2', 'c3', released unchanged, and 100.0 % in all 9 "
        "unchanged columns: "
    )
    assert singled_out((9, 3), n_unchanged=9).startswith("3 of 100 records (3.0 %) are unique in 'c0', 'c1', 'c2'")


@pytest.mark.parametrize(
    ("share", "text"), [(0.0, "0.0 %"), (0.0001, "< 0.1 %"), (0.5, "50.0 %"), (0.9999, "> 99.9 %"), (1.0, "100.0 %")]
)
def test_shares_are_not_rounded_to_none_or_all(share: float, text: str) -> None:
    assert percent(share) == text


def test_the_first_sentence_of_several_sets_has_the_joint_k() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"x": rng.normal(size=60), "y": rng.normal(size=60)})
    release = protect(frame, k=3, sets=[{"columns": ["x"]}, {"columns": ["y"]}])
    assert release.together is not None
    assert release.together.k_reached == 1
    assert release.verdict is not None
    assert release.verdict.tone == "limited"
    assert release.verdict.sentences[0].startswith("k = 1 on all protected columns together")
    assert "verified on each column set alone, k = 1" in repr(release)


def test_a_plan_that_changes_no_cell_is_not_green() -> None:
    frame = pl.DataFrame({"x": [1.0] * 4 + [2.0] * 4})
    release = protect(frame, k=4, columns=["x"])
    assert release.verdict is not None
    assert (release.verdict.tone, release.verdict.headline) == ("limited", "no cell was changed")
    changed = protect(frame.with_columns(x=pl.Series([1.0] * 3 + [1.5] + [2.0] * 4)), k=4, columns=["x"])
    assert changed.verdict is not None
    assert changed.verdict.tone == "verified"
