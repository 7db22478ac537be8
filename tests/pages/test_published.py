"""The page of what is published beside what was measured."""

import importlib

import pytest

from learners.base import PAPERS
from pages.ui.gallery.published import AGREES, CLAIMS, DIFFERS, PARTLY
from tests.conftest import ROOT
from tests.pages.test_pages import clean, open_page


def titles(app):
    return [m.value.split("\n")[0].removeprefix("#### ") for m in app.markdown if m.value.startswith("####")]


def test_all_statements_are_listed_differences_first():
    app = clean(open_page("published"))
    verdicts = {c.title: c.verdict for c in CLAIMS}
    found = [verdicts[t] for t in titles(app)]
    assert len(found) == len(CLAIMS) == len(verdicts)
    assert found == sorted(found, key=[DIFFERS, PARTLY, AGREES].index)
    assert any(f"{len(CLAIMS)} statements" in c.value for c in app.caption)


def test_a_link_chooses_paper_and_outcome():
    app = clean(open_page("published", paper="V", verdict=DIFFERS))
    assert titles(app) == [c.title for c in CLAIMS if c.paper == "V" and c.verdict == DIFFERS]
    assert "paper must be one of" in open_page("published", paper="X").warning[0].value


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: f"{c.paper}-{c.where}")
def test_a_statement_names_its_source_its_command_and_a_link_that_works(claim):
    """The table by which it is made again exists, and the lab takes every setting of its link and runs."""
    assert claim.paper in PAPERS and claim.verdict in (AGREES, PARTLY, DIFFERS) and claim.printed and claim.here
    assert claim.verdict == AGREES or claim.why or claim.paper in "VG"
    module, name = claim.table
    if module.endswith(".py"):
        assert (ROOT / module).is_file()
    else:
        assert name in importlib.import_module(f"tests.benchmarks.{module}").TABLES
    app = open_page(claim.page.removeprefix("pages/").removesuffix(".py"), **claim.settings)
    assert not app.exception and not app.error and not app.warning, [e.value for e in (*app.error, *app.warning)]
    if claim.page != "pages/sweep.py":
        clean(next(b for b in app.button if b.label == "Step").click().run())
