"""The list of all methods."""

import pytest

from microagg import MethodError, methods
from microagg.construct import CONSTRUCTORS
from microagg.methods import SYSTEMS
from microagg.methods.systems import NAMED_BOUNDS
from microagg.refine import REFINERS


def test_every_method_is_described() -> None:
    described = methods()
    refiners = [f"+{name}" for name in REFINERS]
    assert {method.name for method in described} == {*SYSTEMS, *CONSTRUCTORS, "individual-ranking", *refiners}
    for method in described:
        assert method.summary.endswith(".")
        assert method.reference


def test_bounds_are_listed_where_they_are_wanted() -> None:
    listed = {method.name: method for method in methods(bounds=True)}
    assert set(listed) - {method.name for method in methods()} == {f"bound={name}" for name in NAMED_BOUNDS}
    assert listed["bound=dual-ascent"].parameters == ("steps",)
    assert listed["bound=neighbours"].summary.startswith("Bound by the nearest neighbours")
    assert [method.name for method in methods("neighbours of each record, whose", bounds=True)] == ["bound=neighbours"]


def test_a_method_of_components_is_described_by_them() -> None:
    described = {method.name: method for method in methods()}
    assert described["gsms-nn"].parameters == ("memory_limit",)
    assert described["gsms-nn"].summary.startswith("Successive group selection")
    assert described["gsms-nn"].summary.endswith("(NN).")
    assert described["search"].summary.endswith(described["+search"].summary)


def test_methods_lists_name_summary_and_reference() -> None:
    listed = {method.name: method for method in methods()}
    assert list(listed) == [
        *CONSTRUCTORS,
        "auto",
        "search",
        "imhm",
        "icsm",
        "reporder",
        "column-generation",
        "exact",
        "ls",
        "ona",
        "mdav-2",
        "dba-2",
        "dba-2p",
        "individual-ranking",
        *(f"+{name}" for name in REFINERS),
    ]
    assert "Domingo-Ferrer" in listed["mdav"].reference
    assert listed["cbfs-nc"].summary.startswith("Centroid-based fixed size: each group around the record farthest")
    assert listed["cbfs-nc"].summary.endswith(
        "Growth by the record nearest to the centroid of the group, k − 1 times (NC)."
    )
    assert listed["dba-2p"].parameters == ("p", "memory_limit")
    assert listed["reporder"].parameters == ("starts", "insertion", "start")
    icsm_parameters = ("max_iterations", "starts", "perturb", "pool", "pairs", "cycles")
    assert listed["icsm"].parameters == listed["+icsm"].parameters == icsm_parameters
    assert listed["column-generation"].parameters == ("pricing", "rounding", "cuts")
    assert listed["univariate"].summary.startswith("Optimum of one column")


def test_published_names_stand_beside_the_method_that_they_begin_with() -> None:
    described = {method.name: method for method in methods()}
    assert [alias.name for alias in described["gsms-nn"].aliases] == ["gsms", "gsms-t2", "gsms-nn2", "gsms-nn3"]
    assert [alias.method for alias in described["mst"].aliases] == ["mst"]
    assert described["v-mdav"].aliases == ()


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("gsms", ["gsms-nn"]),
        ("GSMS-T2", ["gsms-nn"]),
        ("icsm", ["icsm", "+icsm"]),
        ("+IGD", ["+igd"]),
        ("mdav", ["mdav"]),
        ("-mhm-tour", ["npn-mhm-tour", *(f"{one}-mhm-tour" for one in ("md", "mdav", "cbfs", "pca", "zscore", "tsp"))]),
        ("spanning tree", ["mst"]),
        ("solanas", ["v-mdav", "mu-approx"]),
        ("decomposition", ["+igd"]),
    ],
)
def test_a_word_lists_the_methods_that_have_it(word: str, names: list[str]) -> None:
    assert [method.name for method in methods(word)] == names


def test_a_word_that_no_method_has_gets_a_suggestion() -> None:
    with pytest.raises(MethodError, match="no method has 'gmss' in its name or description: did you mean 'gsms'"):
        methods("gmss")
