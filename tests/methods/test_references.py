"""The bibliography: every entry is read whole, and every short reference in the code leads to one."""

import re

import pytest

from microagg import methods
from microagg.methods import ALIASES
from microagg.methods.references import bibliography, entries, full_reference, reference


def test_every_line_of_the_bibliography_is_read() -> None:
    written = re.findall(r"^  (\w+) = ", bibliography(), re.MULTILINE)
    assert len(written) == sum(map(len, entries().values()))
    assert bibliography().count("\n@") == len(entries())


def test_every_entry_has_what_a_citation_needs() -> None:
    for key, entry in entries().items():
        assert {"title", "keywords"} <= set(entry), key
        assert "note" in entry or {"author", "year"} <= set(entry), key
        assert entry.get("doi", "10.").startswith("10."), key


def test_short_references_lead_to_one_entry_each() -> None:
    methods_without_entry = []
    cited = {method.reference for method in methods()} | {alias.reference for alias in ALIASES.values()}
    for short in sorted(cited):
        try:
            full_reference(short)
        except KeyError:
            methods_without_entry.append(short)
    assert methods_without_entry == []


@pytest.mark.parametrize(
    ("short", "start", "end"),
    [
        ("Lin et al. 2010", "J.-L. Lin, T.-H. Wen, J.-C. Hsieh, P.-C. Chang. Density-based", "37(4):3256–3263, 2010"),
        ("Lin, Wen, Hsieh & Chang 2010", "J.-L. Lin, T.-H. Wen", "3256–3263, 2010"),
        ("Mortazavi 2020, section 5", "R. Mortazavi. Repeated", "doi:10.5829/ije.2020.33.07a.13 (section 5)"),
        ("column generation paper", "J. Castro, C. Gentile", "most of its references"),
        ("Defays & Nanopoulos 1993", "D. Defays", "Statistics Canada, 195–204, 1993"),
        ("microagg", "The microagg developers. ", "0.1.0"),
    ],
)
def test_a_short_reference_stands_for_a_full_one(short: str, start: str, end: str) -> None:
    assert full_reference(short).startswith(start)
    assert full_reference(short).endswith(end)


def test_an_unknown_reference_is_an_error() -> None:
    with pytest.raises(KeyError):
        full_reference("Nobody 1900")


def test_what_is_not_known_is_left_out() -> None:
    assert reference({"title": "T", "author": "A, B. and C, D."}) == "B. A, D. C. T"
    assert reference({"title": "T", "journal": "J", "year": "1"}, emphasis="*") == "T. *J*, 1"
