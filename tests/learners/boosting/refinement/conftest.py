"""Data that several tests of ranking refinement share."""

import pytest

from datasets import load


@pytest.fixture(scope="module")
def web():
    return load("web-search", queries=30, documents=15, features=6, lengths="varied", relevance="nonlinear")
