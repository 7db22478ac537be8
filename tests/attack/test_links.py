"""The links of the campaign have each page's own keys, and what they open ends as it should."""

import random

import pytest

from tests.attack import links
from tests.attack.tally import FINE, REFUSED


def test_every_page_hands_over_its_own_keys():
    found = {page: set(links.known(page, ())) for page in links.forms()}
    game = set(links.known("coactive", (("mode", "lower-bound"),)))
    assert game >= {"mode", "learner", "horizon", "sees", "seed"}
    assert found["catalogue"] == {"show", "learner"}
    assert set(links.known("catalogue", (("show", "data"),))) >= {"show", "family", "dataset"}
    other = set(links.known("coactive", (("learner", "multileave-descent"), ("mode", "lower-bound"))))
    assert {"learner", "horizon", "sees", "seed"} < other != game, "those of the learner come on top"
    assert set(links.PAGES) - set(found) <= {"home", "runs"}, "these have no settings"
    drawn = [links.link(random.Random(n)) for n in range(1500)]
    assert {key for page, query in drawn if page == "coactive" for key in query} >= {"learner", "horizon", "sees"}


@pytest.mark.parametrize("learner", ["second-order-perceptron", "multileave-descent"])
def test_the_heaviest_game_of_the_lower_bound_is_no_hang(learner):
    outcome, said = links.judge("coactive", {"mode": "lower-bound", "learner": learner, "horizon": "5000"})
    assert outcome in (FINE, REFUSED), said
