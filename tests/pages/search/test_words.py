"""The outcome of a search in words, which must agree with the numbers."""

from dataclasses import replace

import numpy as np
import pytest

from learners.interleaving import Interleaved, Verdict
from learners.interleaving.live import LiveTrial, TaughtSearch
from pages.ui.search import words


def lesson(partner, swapped, clicks, improved=None, after=None):
    n = len(partner)
    before = np.arange(n)
    shown = np.array([before[partner[i]] if swapped[i] else before[i] for i in range(n)])
    one = TaughtSearch(shown, before, np.array(partner), np.array(swapped), np.array(clicks, dtype=bool))
    improved = shown if improved is None else np.array(improved)
    return replace(one, improved=improved, after=before if after is None else np.array(after), change=np.zeros(1))


ALONE, PAIRS, NO = [0, 1, 2, 3], [1, 0, 3, 2], [False] * 4


def test_how_a_list_came_about():
    assert words.shows(lesson(ALONE, NO, NO)) == "The order it believes best."
    swapped = [True, True, False, False]
    said = "The order it believes best, but coins made 1 of 2 pairs change places (⇄)."
    assert words.shows(lesson(PAIRS, swapped, NO)) == said


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (lesson(ALONE, NO, NO), "None of your clicks is on its list. Its weights stay."),
        (lesson(ALONE, NO, [1, 0, 0, 0]), "Your click stood on top already. Its weights stay."),
        (
            lesson(ALONE, NO, [0, 0, 1, 1], [2, 3, 0, 1], [2, 3, 0, 1]),
            "It takes the list with your 2 clicks on top to be better than the list that it showed. "
            "Now 4 of its first ten results have moved.",
        ),
        (
            lesson(ALONE, NO, [0, 1, 0, 0], [1, 0, 2, 3]),
            "It takes the list with your click on top to be better than the list that it showed. "
            "Its weights have moved, but not enough to change the order.",
        ),
        (
            lesson(PAIRS, NO, [0, 1, 0, 0], [1, 0, 2, 3], [1, 0, 2, 3]),
            "In 1 pair you passed over the upper result for the lower. That corrects it. "
            "Now 2 of its first ten results have moved.",
        ),
        (
            lesson(PAIRS, [True, True, False, False], [0, 1, 0, 0], [0, 1, 2, 3]),
            "In 1 pair you clicked the lower result, which a coin had put there. That confirms it. "
            "Its weights have moved, but not enough to change the order.",
        ),
        (
            lesson(PAIRS, NO, [1, 0, 1, 1]),
            "Your 3 clicks hit the upper result of a pair, perhaps only because it stood first. That teaches nothing. "
            "Its weights stay.",
        ),
        (
            lesson(PAIRS, NO, [1, 0, 0, 1], [0, 1, 3, 2], [0, 1, 3, 2]),
            "In 1 pair you passed over the upper result for the lower. That corrects it. Other clicks hit the upper "
            "result of a pair. They teach nothing. Now 2 of its first ten results have moved.",
        ),
        (
            lesson([0, 2, 1, 3], NO, [1, 0, 0, 0]),
            "No click decides between the two of a pair. Its weights stay.",
        ),
    ],
)  # fmt: skip
def test_what_a_learner_made_of_the_clicks(one, said):
    assert words.learned(one) == said


def trial(a, b, ranking, clicks, outcome):
    rows = [np.array([y]) for y in (a, b, ranking)]
    mixed = Interleaved("balanced", *rows, np.ones_like(rows[0], dtype=bool))
    return LiveTrial("perturbed-perceptron", mixed, outcome, np.array(clicks, dtype=bool))


def test_who_won_and_why():
    one = trial([0, 1, 2, 3], [3, 1, 0, 2], [0, 3, 1, 2], [1, 0, 0, 0], 1)
    said = "3PR wins. It ranks what you clicked higher."
    assert words.decided(one) == said
    two = trial([0, 1, 2, 3], [3, 1, 0, 2], [0, 3, 1, 2], [0, 1, 1, 0], -1)
    said = "The hand-tuned ranker wins. Of your 2 clicks, 3PR has 1 among its first 2, and the hand-tuned ranker 2."
    assert words.decided(two) == said


def test_the_clicks_that_count_are_those_among_the_first_so_many_that_are_named():
    rng = np.random.default_rng(0)
    for _ in range(200):
        a, b = rng.permutation(8), rng.permutation(8)
        ranking = list(dict.fromkeys(np.stack([a, b], axis=1).ravel()))
        clicks = rng.random(8) < 0.3
        one = trial(a, b, ranking, clicks, 0)
        k, *counted = words.credit(one)
        seen = one.mixed.ranking[0][clicks]
        assert counted == [sum(document in seen for document in side[:k]) for side in (a, b)]
        reached = [seen[-1] in side[:k] for side in (a, b)] if len(seen) else [True]
        assert any(reached) and not any(seen[-1] in side[: k - 1] for side in (a, b) if k)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((0, 0, 0), "not compared yet"),
        ((0, 0, 2), "too few to tell"),
        ((1, 0, 0), "too few to tell"),
        ((20, 4, 1), "better than the hand-tuned ranker (p = 0.0015)"),
        ((4, 20, 0), "worse than the hand-tuned ranker (p = 0.0015)"),
    ],
)
def test_wins_in_words(counts, said):
    assert words.wins(Verdict.of(*counts)) == said


def test_how_far_the_weights_have_moved():
    said = words.far({"Perceptron": np.array([3.0, 4.0]), "3PR": np.array([0.1, 0.0])})
    assert said == "Together they have moved by 5.00 in the perceptron and 0.10 in 3PR."
