"""Page of all measures: docs/measures.md, made of the catalogues of figures.

`python benchmarks/measures_page.py` writes it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from documents import DOCS, fill
from microagg.measure import risk_catalogue, utility_catalogue
from microagg.model.figure import Figure

_TEMPLATE = Path(__file__).parent / "measures.in.md"
PAGE = DOCS / "measures.md"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page())


def page() -> str:
    """Return the page."""
    utility = utility_catalogue
    risk = risk_catalogue
    return fill(
        _TEMPLATE,
        {
            "utility": _entries(utility.UTILITY_FIGURES, utility.FORMULAS, utility.REFERENCES),
            "risk": _entries(risk.RISK_FIGURES, risk.FORMULAS, risk.REFERENCES),
        },
    )


def _entries(
    figures: Mapping[str, Figure], formulas: Mapping[str, str], references: Mapping[str, Sequence[str]]
) -> str:
    return "\n\n".join(_entry(figure, formulas[name], references[name]) for name, figure in figures.items())


def _entry(figure: Figure, formula: str, references: Sequence[str]) -> str:
    unit = f"in {figure.unit}" if figure.unit else "a number without a unit"
    lines = [
        f"### `{figure.name}`: {figure.title}",
        f"{figure.sentence} *{unit[0].upper()}{unit[1:]}; a higher value {_MEANS[figure.higher]}.*",
        f"**Definition.** {formula}",
        f"**From** {'; '.join(references)}.",
    ]
    return "\n\n".join(lines)


_MEANS = {
    "loses more": "loses more",
    "keeps more": "keeps more",
    "riskier": "is riskier",
    "safer": "is safer",
}


if __name__ == "__main__":
    main()
