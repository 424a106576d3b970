"""Pages of the papers: every published figure is on one, beside a method that exists."""

import re

import numpy as np
import pytest

import reproduce
from microagg.methods import pipeline
from reproduction import companies, igd_page
from reproduction.loss_tables import covered_keys, published_keys
from reproduction.page import FOLDER, Page


def test_every_published_figure_is_on_a_page() -> None:
    tables = [one for page in reproduce.PAGES.values() for one in page.tables.values()]
    assert published_keys() == covered_keys(tables)


@pytest.mark.parametrize("page", reproduce.PAGES.values(), ids=reproduce.PAGES)
def test_the_methods_of_a_page_exist(page: Page) -> None:
    for task in page.tasks:
        assert task[0] in reproduce.FUNCTIONS
        if task[0] in ("solve", "time"):
            assert pipeline(task[3]).stages


@pytest.mark.parametrize("page", reproduce.PAGES.values(), ids=reproduce.PAGES)
def test_the_links_of_a_page_lead_somewhere(page: Page) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (FOLDER / f"{page.name}.md").read_text()):
        assert (FOLDER / target).exists(), target


@pytest.mark.parametrize("example", igd_page.EXAMPLES)
def test_the_examples_of_the_igd_papers_figure_5_go_through_its_steps(example: str) -> None:
    records, n_groups = igd_page.EXAMPLES[example]
    assert len(igd_page.stages(records, n_groups)) == 3


def test_the_optimum_and_the_centroids_of_the_mf_tsp_papers_example() -> None:
    X = companies.companies()
    for printed, records in companies.TABLE_II.items():
        np.testing.assert_allclose(X[list(records)].mean(axis=0), printed, atol=0.5)  # employees are rounded there
    joined = ((), (7,), (9,))
    for group, others, centroid in zip(companies.TABLE_VI, joined, companies.TABLE_VIII, strict=True):
        members = np.array([*group, *others]) - 1
        np.testing.assert_allclose(X[members].mean(axis=0), centroid, atol=0.01)
