"""Every figure: its declaration is valid, its links work, its result is that of its setup, and can be made again."""

import random

import numpy as np
import pytest

import datasets
from learners.interleaving import metrics as interleaving
from learners.sweep.batch import compute
from learners.sweep.sampled_run import SampledRun
from pages.ui.families import labs
from pages.ui.figures import links, paper_size, readme
from pages.ui.figures.catalogue import figures
from pages.ui.figures.causes import catalogue as causes
from pages.ui.figures.digest import setup_digest
from pages.ui.figures.figure import SHEETS
from pages.ui.figures.needs import missing
from pages.ui.figures.plan import Computation, plan
from pages.ui.figures.result import FOLDER, noted, read
from pages.ui.figures.statement import OURS, VERDICTS
from pages.ui.figures.verify import difference
from pages.ui.form.links import read_link
from pages.ui.sweep.page import ask as ask_sweep
from tests.conftest import DRAW, ROOT

FIGURES = list(figures().values())
SECONDS = 4.0  # longest run that the tests make again


@pytest.fixture(scope="module", params=FIGURES, ids=lambda figure: figure.id)
def figure(request):
    return request.param


def test_a_figure_names_its_paper_and_says_what_it_shows(figure):
    assert figure.paper in SHEETS and figure.id.startswith(f"{figure.paper}-") and figure.panels and figure.statements
    assert figure.title and figure.caption.endswith(".") and figure.where
    ids = [panel.id for panel in figure.panels]
    assert len(set(ids)) == len(ids)
    for panel in figure.panels:
        names = [series.name for series in panel.series]
        assert names and len(set(names)) == len(names) and panel.title
        assert panel.page.seeds >= 10, "a statement about data that are drawn uses at least ten data seeds"
        assert panel.y_title or panel.metric, "the y axis has a title"


@pytest.mark.long
def test_its_runs_can_be_made(figure):
    """Every id and every parameter of every run at every scale is known and allowed."""
    for scale in ("page", "live", "paper"):
        for work in plan(figure, scale).works:
            if isinstance(work, SampledRun):
                run = work.run
                assert len(run.made()) == 1
                datasets.create(run.dataset.id, **run.dataset.values)
                compared = {metric.id for metric in interleaving.METRICS} if run.comparison is not None else set()
                assert work.metrics and set(work.metrics) <= {*run.family.by_id, *compared}
                assert (run.made_user() is None) == (run.family.users is None)
            else:
                assert isinstance(work, Computation) and ".computed." in work.function[0]


def test_its_links_are_understood(figure):
    """A lab or the sweep takes every setting of every link, and has a script for it."""
    for panel in figure.panels:
        for link in links.of(panel):
            page = link.page.removeprefix("pages/").removesuffix(".py")
            query = {key: text for key, text in link.query.items() if key != "path"}
            ask = ask_sweep if page == "sweep" else labs()[page].ask
            assert read_link(query, ask)[1] == [], link.words
            compile(link.script(), link.words, "exec")


def test_its_result_is_that_of_its_setup(figure):
    """A result that is older than the setup it claims must be computed again: python -m pages.figures."""
    result = read(figure.id)
    assert result is not None, f"there is no result; run python -m pages.figures {figure.id}"
    assert result.setup == setup_digest(figure), f"the result is old; run python -m pages.figures {figure.id}"
    assert result.scale == "page" and result.code and result.versions and result.made
    for panel in figure.panels:
        for series in panel.series:
            drawn = result.drawn(panel.id, series.name)
            assert drawn.y.shape[1] == len(drawn.x) and len(drawn.x) <= 300
            assert len(drawn.y) == panel.page.seeds or panel.computed is not None
            assert np.isfinite(drawn.y).any()


def test_its_statements_are_judged_by_their_rules(figure):
    """Each says what the paper prints, and is filled from the result."""
    result = read(figure.id)
    for statement in figure.statements:
        assert statement.printed and statement.verdict(result) in VERDICTS[:3]
        here = statement.here(result)
        assert "nan" not in here and "{" not in here and statement.rules
        assert all(words for words, _ in statement.outcomes(result))
    if figure.verdict(result) != VERDICTS[0]:
        assert figure.why or any(s.why for s in figure.statements), "a difference has a reason, or says it is unknown"


def test_the_results_are_small_and_all_of_figures():
    files = sorted(file for file in FOLDER.rglob("*") if file.is_file())
    here = [file.stem for file in files if file.parent == FOLDER]
    assert sorted(here) == sorted([*figures(), "code"]) and set(noted()) == set(figures())
    assert {file.parent.name for file in files} <= {FOLDER.name, paper_size.SCALE, causes.CAUSES}
    assert {file.stem for file in paper_size.folder().glob("*.json")} <= {*figures(), "code"}
    assert sum(file.stat().st_size for file in files) < 5_000_000


def drawn_tenth():
    """A tenth of the figures, which FEEDBACK_LAB_DRAW decides."""
    here = [figure for figure in FIGURES if not missing(figure)]
    return random.Random(DRAW).sample(here, max(1, round(len(here) / 10))) if here else []


@pytest.mark.long
@pytest.mark.parametrize("figure", drawn_tenth(), ids=lambda figure: figure.id)
def test_a_tenth_is_made_again(figure):
    """Two runs of each, of those that take seconds, drawn at random, give the numbers of the stored result."""
    result, planned, draw = read(figure.id), plan(figure), random.Random(DRAW + figure.id)
    timed = {panel.id for panel in figure.panels if panel.timed}
    tried = 0
    for work in draw.sample(planned.works, len(planned.works)):
        if work.steps * work.runs > 200_000 or tried == 2 or (isinstance(work, Computation) and work.panel in timed):
            continue
        found = {work.number: compute(work)}
        tried += float(np.sum(found[work.number]["seconds"])) < SECONDS or 2
        assert difference(planned, result, found) == ""


@pytest.mark.core
@pytest.mark.long
def test_the_readme_counts_what_we_expected_apart():
    """[V] sets goals that it does not claim to reach, which must not count as its claims."""
    rows = {row.split(" | ")[0].strip("| "): row.strip("| ").split(" | ") for row in readme.counts().splitlines()}
    every = [(figure, statement) for figure in figures().values() for statement in figure.statements]
    printed = [s for figure, s in every if figure.paper == "V" and s.said != OURS]
    assert int(rows["[V]"][3]) == len(printed) < sum(figure.paper == "V" for figure, _ in every)
    assert int(rows["what we expected"][3]) == sum(s.said == OURS for _, s in every)
    assert int(rows["all"][3]) == len(every)


def test_the_readme_marks_what_was_chosen_after_looking():
    rows = readme.told().splitlines()[2:]
    for (id, _), row in zip(readme.TOLD, rows, strict=False):
        assert (readme.MARK in row) == bool(figures()[id].chosen)
    assert any(readme.MARK in row for row in rows[: len(readme.TOLD)]) and rows[-1].startswith(readme.MARK)


def test_the_readme_tells_what_the_results_say():
    """Run python -m pages.ui.figures.readme after results have changed."""
    assert readme.section() in (ROOT / "README.md").read_text("utf-8")
