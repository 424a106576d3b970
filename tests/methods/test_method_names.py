"""Names of methods and their parameters."""

from typing import Any

import numpy as np
import pytest

from microagg import (
    InputError,
    MethodError,
    solve,
)
from microagg.construct import CONSTRUCTORS
from microagg.construct.gsms import Gsms
from microagg.construct.kmeans import KMeans
from microagg.construct.mf_tsp import MfTsp
from microagg.construct.v_mdav import VMdav
from microagg.methods import pipeline
from microagg.model.arrays import FloatArray


@pytest.fixture(name="X")
def _points() -> FloatArray:
    return np.random.default_rng(0).normal(size=(40, 3))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mdva", "no method 'mdva': did you mean 'mdav'?"),
        ("univariat", "did you mean 'univariate'?"),
        (
            "%%%",
            "known are 'auto', 'search', 'imhm', 'icsm', 'reporder', 'column-generation', 'exact', 'univariate', ",
        ),
        ("mdav+recutt", "no refiner 'recutt': did you mean 'recut'?"),
        ("mdav+", "no refiner ''"),
        ("npn", "did you mean 'npn-mhm'?"),
        ("recut", "'recut' is a refiner: it follows a constructor, as in 'mdav+recut'"),
        ("", "no method ''"),
        (None, "a method is a name"),
    ],
)
def test_unknown_method_gets_the_nearest_name(X: FloatArray, name: str, words: str) -> None:
    with pytest.raises(MethodError) as caught:
        solve(X, 3, method=name)
    assert words in str(caught.value)


def test_stages_take_parameters(X: FloatArray) -> None:
    assert pipeline("v-mdav(gamma=0.5)").construct == VMdav(gamma=0.5)
    assert pipeline("kmeans( means = 7 )+recut").construct == KMeans(means=7)
    assert pipeline("mf-tsp(path=nearest, memory_limit=1e6)").construct == MfTsp("nearest", memory_limit=1e6)
    fixed_size: Any = pipeline("gsms-nn(memory_limit=1e+9)").construct
    assert fixed_size.first == Gsms(1e9)
    assert solve(X, 3, method=" V-MDAV (gamma=0.2) + recut ").method == "v-mdav(gamma=0.2)+recut"


def test_published_names_may_have_capitals() -> None:
    assert pipeline("CBFS-NC").construct is CONSTRUCTORS["cbfs-nc"]
    assert pipeline("IMHM") == pipeline("imhm")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("v-mdav(g=1)", "'v-mdav' has no parameter 'g': its parameters are gamma"),
        ("mdav(gamma=1)", "'mdav' has no parameter 'gamma': its parameters are rest"),
        ("mst(gamma=1)", "'mst' has no parameter 'gamma': it has none"),
        ("mdav+recut(x=1)", "'recut' has no parameter 'x': it has none"),
        ("v-mdav(gamma=-1)", "gamma must be a positive number, found -1"),
        ("v-mdav(gamma=much)", "gamma must be a positive number, found 'much'"),
        (f"v-mdav(gamma=1{'0' * 400})", "gamma must be a positive number, found 1000"),
        ("kmeans(means=2.5)", "means must be a whole number, found 2.5"),
        ("kmeans(means=0)", "means must be at least 1, found 0"),
        ("v-mdav(gamma=1,gamma=2)", "has one parameter 'gamma', found two"),
        ("kmeans(means=41)", "means must be at most 40, as many different records as there are: found 41"),
        ("mf-tsp(path=shortest)", "random-insertion, found 'shortest'"),
        ("imhm(x=1)", "'imhm' has no parameter 'x': its parameters are rest"),
        ("icsm(start=2)", "'icsm' has no parameter 'start': its parameters are max_iterations, starts, perturb, "),
        ("univariate(x=1)", "'univariate' has no parameter 'x': it has none"),
        ("v-mdav()", "parameters are written as in 'v-mdav(gamma=0.5)', found 'v-mdav()'"),
        ("v-mdav(gamma)", "parameters are written as in"),
        ("v-mdav(gamma=1", "parameters are written as in"),
        ("v-mdav(gamma=1)x", "parameters are written as in"),
    ],
)
def test_wrong_parameter_says_what_is_right(X: FloatArray, name: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        solve(X, 3, method=name)
    assert words in str(caught.value)
