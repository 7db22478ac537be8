"""Runs that a page leaves behind must not be computed while the next test runs."""

import pytest

from pages.ui.play.store import STORE


@pytest.fixture(autouse=True)
def _nobody_computes_on():
    """Empty the server's store of runs after each test, and wait until its workers rest."""
    yield
    STORE.clear()
