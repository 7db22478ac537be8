"""Fixtures that tests of learners share."""

import pytest

from tests.conftest import data_lent


@pytest.fixture(scope="package", autouse=True)
def _data_lent():
    with data_lent():
        yield
