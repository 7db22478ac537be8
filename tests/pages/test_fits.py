"""Learners that need one fixed list of candidates are offered with data that have one, and a link may name them."""

import pytest

from datasets.spec import Spec
from learners.catalogue import families, learner_classes, learners_of
from learners.grid import GridSpec
from learners.spec import RunSpec
from pages.ui.race import limits
from pages.ui.sweep.setup import check
from tests.pages.test_links import link
from tests.pages.test_pages import clean, lab, open_page

NAMES = [cls.title for id in learners_of(families()["ranking"]) if (cls := learner_classes()[id]).fixed_list]
TABLES = set(NAMES)
WHY = f"Not offered here: {', '.join(NAMES[:-1])} and {NAMES[-1]}, which need one fixed list of candidates."
REFUSED = "top-rank keeps numbers of each document, so it needs data with one fixed list of candidates"
SEARCH = {"dataset": "web-search", "queries": "20", "documents": "5", "features": "3"}


def offers(app, label="Learner 1"):
    return set(next(box for box in app.selectbox if box.label == label).options)


def why(app):
    return [c.value for c in app.caption if c.value.startswith("Not offered here")]


def test_a_lab_offers_what_fits_and_says_why_in_one_line():
    app = clean(lab())
    assert offers(app) > TABLES and why(app) == []
    app = clean(lab(**SEARCH))
    assert not offers(app) & TABLES and len(offers(app)) > 8 and why(app) == [WHY]
    next(box for box in app.selectbox if box.label == "Data set").set_value("toy-ranking")
    app = clean(app.run())
    assert offers(app) > TABLES and why(app) == [], "the widget of the data stands below those of the learners"


def test_a_link_that_names_what_does_not_fit_ends_in_the_sentence_and_keeps_all_else():
    app = lab(**SEARCH, **{"learner-1": "top-rank", "delta-1": "0.2", "seed": "3"})
    assert not app.exception and [e.value.startswith(REFUSED) for e in app.error] == [True]
    assert {"learner-1": "top-rank", "delta-1": "0.2", "seed": "3", "dataset": "web-search"}.items() <= link(
        app
    ).items()
    assert offers(app) & TABLES == {"TopRank"}
    next(box for box in app.selectbox if box.label == "Data set").set_value("toy-ranking")
    clean(app.run())


def test_a_user_who_answers_with_a_ranking_is_refused_in_the_sentence():
    app = lab(**{"learner-1": "bubble-rank", "user": "expert"})
    assert [e.value for e in app.error] == [
        "bubble-rank learns from clicks, but expert answers with a ranking; choose a user who clicks."
    ]


def test_a_sweep_offers_what_fits():
    app = clean(open_page("sweep", family="ranking", learner="top-rank"))
    assert offers(app, "Learner") > TABLES and why(app) == []
    app = clean(open_page("sweep", family="ranking", **SEARCH))
    assert not offers(app, "Learner") & TABLES and why(app) == [WHY]


def test_a_setup_is_checked_before_data_are_built():
    dataset, user = Spec("web-search"), Spec("cascade")
    file = Spec("letor-file", (("path", "/nowhere.txt"),))
    for data in (dataset, file):
        with pytest.raises(ValueError, match=REFUSED):
            limits.check(RunSpec((Spec("top-rank"),), data, user, 2, 50, 0))
        with pytest.raises(ValueError, match=REFUSED):
            check(GridSpec(RunSpec((Spec("top-rank"),), data, user, 2, 50), ()))


def test_nobody_of_them_plays_against_the_adversary():
    assert not offers(clean(open_page("lower_bound", horizon="20")), "Learner") & TABLES
