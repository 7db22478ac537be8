"""The README and the texts of its commands follow from declarations."""

import re
import tomllib

import pytest

from learners.__main__ import bibliography, table
from learners.base import PAPERS
from learners.catalogue import families, works
from pages.ui.lessons.library import files
from tests.conftest import ROOT


def test_the_command_of_the_readme_lists_what_is_measured():
    """Each metric once, in the row of its family, of which those of a single step come first."""
    assert "`python -m learners`" in (ROOT / "README.md").read_text("utf-8")
    _, _, *rows = table().splitlines()
    for row, family in zip(rows, families().values(), strict=True):
        _, name, step, state, _ = (cell.strip() for cell in row.split("|"))
        assert name == family.id
        for cell, per_step in ((step, True), (state, False)):
            listed = re.sub(r"(`\S+@)(\d+)(\S*`) … `\S+@(\d+)\S*`", series, cell)
            assert set(re.findall("`(.*?)`", listed)) == {m.id for m in family.metrics if m.per_step == per_step}


def series(found):
    """The ids for which `ndcg@1` … `ndcg@10` stands."""
    head, first, tail, last = found.groups()
    return " ".join(f"{head}{k}{tail}" for k in range(int(first), int(last) + 1))


def test_the_readme_lists_the_five_works_and_the_command_all():
    """Each by its short name, with its first author."""
    papers = (ROOT / "README.md").read_text("utf-8").split("\n## Papers\n")[1]
    found = [line for line in papers.splitlines() if line.startswith("- ")]
    assert len(found) == len(PAPERS)
    for line, (tag, work) in zip(found, PAPERS.items(), strict=True):
        assert line.startswith(f"- {work.split()[0]}") and line.endswith(f"[{tag}])")
    assert {f"- {work} [{tag}]" for tag, work in works().items()} == {*bibliography().splitlines()}


EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
SLOW = ("banditron", "mcssb")  # some seconds each


@pytest.mark.parametrize(
    "code",
    [pytest.param(code, marks=pytest.mark.long if any(id in code for id in SLOW) else ()) for code in EXAMPLES],
    ids=[str(i) for i in range(1, len(EXAMPLES) + 1)],
)
def test_each_example_of_the_readme_runs_alone(code, capsys):
    scope = {}
    exec(code, scope)
    if "questions(" in code:  # what its comment says
        assert f'# "{scope["question"].title}"' in code


def test_the_readme_says_how_many_lessons_there_are():
    readme, count = (ROOT / "README.md").read_text("utf-8"), len(files())
    word = {10: "ten", 11: "eleven", 12: "twelve", 13: "thirteen", 14: "fourteen", 15: "fifteen"}[count]
    assert re.findall(r"Open \*\*Lessons\*\*\. (\w+) of them", readme) == [word.capitalize()]


def test_the_readme_is_short_and_begins_with_the_two_commands():
    """HOSTING.md is for operators, CONTRIBUTING.md for contributors."""
    text = (ROOT / "README.md").read_text("utf-8")
    assert text.count("\n") <= 250
    first, second = re.findall(r"```sh\n(.*?)\n```", text, re.DOTALL)[:2]
    assert first.endswith("streamlit run app.py") and second.endswith("python -m pytest") and text.index(second) < 2500
    built = text.split("\n## Built with\n")[1].split("\n## ")[0].lower()
    required = re.findall(r"^([a-z0-9-]+)", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    assert required and all(name in built for name in required), "a line for each dependency"


def test_the_readme_says_which_pythons_are_supported():
    """Those of the project's classifiers, the first of which it requires."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    *before, last = (line.removeprefix("Programming Language :: Python :: ") for line in project["classifiers"])
    said = f"You need Python {', '.join(before)} or {last}."
    assert said in (ROOT / "README.md").read_text("utf-8") and project["requires-python"] == f">={before[0]}"
