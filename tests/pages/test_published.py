"""The page of what is published beside what was measured."""

import importlib

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create
from learners.base import PAPERS
from pages.ui.gallery.published import AGREES, CLAIMS, DIFFERS, PARTLY
from tests.conftest import ROOT
from tests.pages.test_pages import clean, clock, open_page, step


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
        assert clock(clean(step(app))) == 1


def here(where):
    return next(claim.here for claim in CLAIMS if claim.where == where)


def test_the_published_epsilon_is_that_of_the_live_run():
    """[C] §6.4.1: × .48 belongs to ε = .1. At ε = 10, the default, there is hardly a gain."""
    data = load("web-search", queries=2000, documents=20, features=50, spectrum="ill-conditioned")

    def total(id, **params):
        sim = Simulation(create(id, **params), data, "strict-alpha", seed=0)
        sim.advance(steps=2000)
        return sim.history["cumulative-regret"][-1, 0]

    convex = total("convex-perceptron")
    assert create("second-order-perceptron").epsilon == 10
    assert total("second-order-perceptron") / convex == pytest.approx(0.92, abs=0.08)
    at_ten, at_a_tenth = here("§6.4.1, Fig. 13").split("With ε = .1 ")
    assert "With ε = 10 " in at_ten and "× .92" in at_ten and "× .48" in at_a_tenth and "× .48" not in at_ten


def test_the_rounds_after_which_assemble_stops_are_those_published():
    """[V] §2.4.2, as the table `uci` divides the data: ten runs each with 6 and 8 % of the labels of digits."""
    last = []
    for labelled in (0.06, 0.08):
        sim = Simulation("assemble", load("digits", labelled=labelled, training=0.2), replicates=10, seed=0)
        kept = np.zeros(10, dtype=int)
        sim.advance(steps=1)
        while not all(done.stopped for done in sim.last.rounds):
            kept += [not done.stopped for done in sim.last.rounds]
            sim.advance(steps=1)
        last += kept.tolist()
    assert f"stops after {min(last)} to {max(last)} rounds" in here("§2.4.2")
