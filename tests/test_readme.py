"""What the README says of metrics follows from their declarations."""

from learners.__main__ import table
from tests.conftest import ROOT


def test_the_readme_lists_what_is_measured():
    assert table() in (ROOT / "README.md").read_text("utf-8")
