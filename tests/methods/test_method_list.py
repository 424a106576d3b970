"""The list of all methods."""

import microagg
from microagg.construct import CONSTRUCTORS
from microagg.refine import REFINERS


def test_methods_lists_name_summary_and_reference() -> None:
    listed = {method.name: method for method in microagg.methods()}
    assert list(listed) == [
        *CONSTRUCTORS,
        "auto",
        "search",
        "imhm",
        "icsm",
        "reporder",
        "column-generation",
        "exact",
        *(f"+{name}" for name in REFINERS),
    ]
    assert "Domingo-Ferrer" in listed["mdav"].reference
    assert listed["cbfs-nc"].summary == (
        "Start each group at the record farthest from the centroid of those left. "
        "Grow it by the record nearest to its centroid, again and again (NC)."
    )
    assert listed["reporder"].parameters == ("starts",)
    assert listed["icsm"].parameters == listed["+icsm"].parameters == ("max_iterations", "starts", "perturb")
    assert listed["column-generation"].parameters == ("pricing", "rounding")
    assert listed["univariate"].summary.startswith("Sort the one column")
