"""Figures by which candidates are compared."""

import pytest

from microagg import Aim, InputError
from microagg.measure.candidate_figures import axis_figure, measured_names

QUICK = ("information_loss", "il1s", "dld", "id", "sdid", "reidentification_marketer")


def test_axes_that_are_measured_anyway_add_nothing() -> None:
    assert measured_names(Aim()) == QUICK
    assert measured_names(Aim(utility="il1s", risk="sdid")) == QUICK


def test_other_axes_are_measured_besides_utility_first() -> None:
    assert measured_names(Aim(utility="pil", risk="pld")) == (*QUICK[:2], "pil", *QUICK[2:], "pld")


def test_an_axis_is_a_figure_of_its_topic() -> None:
    assert axis_figure("utility", "pil").value is None
    assert axis_figure("risk", "k_reached").higher == "safer"
    for topic, name in (("utility", "dld"), ("risk", "pil"), ("risk", "score"), ("utility", "regression_overlap")):
        with pytest.raises(InputError, match=f"{topic} = '{name}' is no figure of {topic} to compare by"):
            axis_figure(topic, name)
