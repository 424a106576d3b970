"""Published names: none is unknown, and each stands for what the papers say."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from microagg import MethodError, solve
from microagg.construct import CONSTRUCTORS
from microagg.methods import ALIASES, INDIVIDUAL_RANKING, SYSTEMS, Pipeline, pipeline
from microagg.refine import REFINERS

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def _published_names() -> list[str]:
    """Return the names of the reference files, without remarks such as "(best of 200 k-means starts)"."""
    names = set()
    for file in ("published_information_loss.csv", "published_names.csv", "published_improvements.csv"):
        rows = csv.DictReader((BENCHMARKS / file).read_text(encoding="utf-8").splitlines())
        names |= {row["method"].partition(" (")[0] for row in rows}
    return sorted(names)


def _stages(method: str) -> Pipeline:
    return replace(pipeline(method), name="")


@pytest.mark.parametrize("name", _published_names())
def test_every_published_name_is_known(name: str) -> None:
    assert name.casefold() in REFINERS or pipeline(name).name == name.casefold()


def test_no_alias_hides_a_method() -> None:
    assert not {*ALIASES} & {*CONSTRUCTORS, *SYSTEMS, *REFINERS}


@pytest.mark.parametrize(
    "alias", [alias for alias in ALIASES.values() if alias.method != INDIVIDUAL_RANKING], ids=lambda alias: alias.name
)
def test_an_alias_stands_for_its_method(alias: Any) -> None:
    assert _stages(alias.name) == _stages(alias.method)
    assert pipeline(alias.name).name == alias.name
    assert alias.reference


def test_the_fixed_size_methods_are_those_of_the_igd_paper() -> None:
    assert _stages("CBFS") == _stages("cbfs-nc")
    assert _stages("TFRP") == _stages("tfrp-nn")
    assert _stages("GSMS-T2") == _stages("gsms-nn+tfrp2")
    assert _stages("MDAV-NN3") == _stages("mdav-nn+igd")


def test_an_alias_works_wherever_a_method_does() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    refined = solve(X, 3, method="CBFS + igd")
    assert refined.method == "cbfs+igd"
    assert refined.sse == solve(X, 3, method="cbfs-nc+igd").sse
    assert _stages("tfrp-2+recut") == _stages("tfrp-nn(points=left)+tfrp2+recut")
    listed: Any = ["cbfs", REFINERS["igd"]]
    assert _stages(listed) == _stages("cbfs-nc+igd")


def test_parameters_of_an_alias_are_those_of_its_last_stage() -> None:
    assert _stages("gsms(memory_limit=1e6)") == _stages("gsms-nn(memory_limit=1e6)")
    assert _stages("gsms-t2(centroids=moved)") == _stages("gsms-nn+tfrp2(centroids=moved)")
    assert _stages("srh(pricing=ilp)") == _stages("column-generation(rounding=simple,pricing=ilp)")
    with pytest.raises(MethodError, match="'tfrp2' has no parameter 'memory_limit'"):
        pipeline("gsms-t2(memory_limit=1e6)")


def test_an_alias_is_suggested_and_does_not_follow_another_stage() -> None:
    with pytest.raises(MethodError, match="no method 'repordmik': did you mean 'repordmic'"):
        pipeline("repordmik")
    with pytest.raises(MethodError, match="no refiner 'gsms-t2'"):
        pipeline("mdav+gsms-t2")
