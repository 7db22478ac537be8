"""What the README says of metrics follows from their declarations."""

from learners.__main__ import table
from learners.catalogue import works
from tests.conftest import ROOT


def test_the_readme_lists_what_is_measured():
    assert table() in (ROOT / "README.md").read_text("utf-8")


def test_the_readme_lists_the_works():
    """Each by its short name, with its first author."""
    papers = (ROOT / "README.md").read_text("utf-8").split("\n## Papers\n")[1]
    for tag, work in works().items():
        (line,) = (line for line in papers.splitlines() if line.endswith(f"[{tag}])"))
        assert line.startswith(f"- {work.split()[0]}"), f"{tag} is told as {line}"
