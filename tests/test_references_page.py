"""The page of the literature is that of the bibliography, and the checksums on it are those of the data."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import references_page
from microagg import datasets, solve
from microagg.methods import references
from microagg.model.arrays import FloatArray


def test_page_and_bibliography_are_those_of_the_package() -> None:
    advice = "write them anew: python benchmarks/references_page.py"
    assert references_page.PAGE.read_text(encoding="utf-8") == references_page.page(), advice
    assert references_page.BIBLIOGRAPHY.read_text(encoding="utf-8") == references.bibliography(), advice


def test_every_entry_is_in_a_section_of_the_page() -> None:
    assert {entry["keywords"] for entry in references.entries().values()} == set(references_page.SECTIONS)


@pytest.mark.parametrize("name", references_page.DATA)
def test_checksums_are_those_of_the_data(name: str) -> None:
    digest, shape, _ = references_page.DATA[name]
    path = Path(os.environ["MICROAGG_DATA"], f"{name}.csv")
    if not path.is_file():
        pytest.skip(f"there is no {path.name}")
    content = path.read_bytes()
    assert hashlib.sha256(content).hexdigest() == digest
    header, *rows = content.decode().splitlines()
    assert f"{len(rows)} × {header.count(',') + 1}" == shape


@pytest.mark.parametrize("name", datasets.NAMES)
def test_mdav_loses_what_the_page_says(name: str, matrix: Callable[[str], FloatArray]) -> None:
    solution = solve(matrix(name), 3, method="mdav")
    assert f"{solution.information_loss:.4f}" == references_page.DATA[name][2]
