"""Tests of files: what is released unchanged in them is not asked about, as tests compare all of it."""

import pytest


@pytest.fixture(autouse=True)
def unasked(released_unasked: None) -> None:
    """Release columns that single out records unasked."""
