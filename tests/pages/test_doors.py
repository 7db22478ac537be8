"""No page computes in the thread of its script: everything goes through the store or the line of the server."""

import ast
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.gallery.demos import DEMOS
from tests.conftest import ROOT
from tests.pages.doors import DECLARED, environments, undeclared
from tests.pages.test_pages import open_page

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "__init__")


def script(steps):
    from learners import Simulation

    Simulation("preference-perceptron", "toy-ranking", "cascade").advance(steps=steps)


def test_what_a_script_computes_is_noted(in_scripts):
    """The guard that stands over all tests of pages finds what it is there for."""
    app = AppTest.from_function(script, args=(40,)).run()
    assert not app.exception and sum(steps for _, steps in in_scripts) == 40
    assert undeclared(in_scripts)
    in_scripts.clear()
    script(40)
    assert not in_scripts, "only in the thread of a page's script"


def test_the_guard_knows_every_kind_of_run():
    names = {kind.__name__ for kind in environments()}
    assert names >= {"AdversaryEnvironment", "RankingEnvironment", "ClassificationEnvironment", "MultilabelEnvironment",
                     "Stepwise", "LiveEngine"}  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_as_it_opens_computes_nothing_in_its_script(page):
    assert not open_page(page).exception  # what is computed fails the fixture `in_scripts`


@pytest.mark.long
@pytest.mark.parametrize("demo", DEMOS, ids=lambda demo: demo.id)
def test_a_demo_computes_nothing_in_its_script(demo):
    assert not open_page(Path(demo.page).stem, **{key: str(value) for key, value in demo.link.items()}).exception


def test_each_exception_names_a_function_that_exists():
    for place, (most, why) in DECLARED.items():
        file, _, name = place.partition(":")
        tree = ast.parse((ROOT / "pages" / file).read_text("utf-8"))
        assert name.rpartition(".")[2] in {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}, place
        assert most > 0 and len(why) > 10
