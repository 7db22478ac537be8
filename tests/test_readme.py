"""What the README says of metrics follows from their declarations."""

import re
import tomllib

import pytest

from learners.__main__ import table
from learners.catalogue import works
from pages.ui.lessons.library import files
from tests.conftest import ROOT


def test_the_readme_lists_what_is_measured():
    assert table() in (ROOT / "README.md").read_text("utf-8")


def test_the_readme_lists_the_works():
    """Each by its short name, with its first author."""
    papers = (ROOT / "README.md").read_text("utf-8").split("\n## Papers\n")[1]
    for tag, work in works().items():
        (line,) = (line for line in papers.splitlines() if line.endswith(f"[{tag}])"))
        assert line.startswith(f"- {work.split()[0]}"), f"{tag} is told as {line}"


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
    assert re.findall(r"Open \*\*Lessons\*\*\. (\w+) of them|\| Lessons \| (\w+) lessons", readme) == [
        (word.capitalize(), ""),
        ("", word),
    ]


def test_the_readme_says_which_pythons_are_supported():
    """Those of the project's classifiers, the first of which it requires."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    *before, last = (line.removeprefix("Programming Language :: Python :: ") for line in project["classifiers"])
    said = f"You need Python {', '.join(before)} or {last}."
    assert said in (ROOT / "README.md").read_text("utf-8") and project["requires-python"] == f">={before[0]}"
