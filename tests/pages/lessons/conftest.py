"""A library with the sample lesson alone."""

import pytest

from pages.ui.lessons import library
from tests.pages.lessons.sample import SAMPLE


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """The folder of the library, in which the sample is `flipping`."""
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    (tmp_path / "flipping.toml").write_text(SAMPLE, encoding="utf-8")
    return tmp_path
