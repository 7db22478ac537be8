"""Fixtures that tests of data files share."""

import pytest

from datasets import file_cache


@pytest.fixture
def cache_folder(tmp_path_factory, monkeypatch):
    """Keep parsed files in a folder that no other test has, and look for data nowhere else."""
    folder = tmp_path_factory.mktemp("cache") / "datasets"
    monkeypatch.setattr(file_cache, "folder", lambda: folder)
    monkeypatch.delenv("FEEDBACK_LAB_DATA", raising=False)
    return folder
