"""The catalogue of the figures of risk: everything that a page about them prints."""

import pytest

from microagg.measure.risk_catalogue import FORMULAS, REFERENCES, RISK_FIGURES


def test_every_figure_is_defined_and_has_a_reference() -> None:
    assert list(FORMULAS) == list(REFERENCES) == list(RISK_FIGURES)


@pytest.mark.parametrize("name", RISK_FIGURES)
def test_every_figure_explains_itself(name: str) -> None:
    figure = RISK_FIGURES[name]
    assert figure.name == name
    assert (figure.topic, figure.value, figure.note) == ("risk", None, "")
    assert figure.unit in ("%", "records", "")
    assert figure.higher == ("safer" if name == "k_reached" else "riskier")
    assert figure.sentence.endswith(".")
    assert figure.sentence.count(". ") == 0
    assert REFERENCES[name]
