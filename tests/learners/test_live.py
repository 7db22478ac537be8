"""A person's live search engine: by hand, against the learners' own steps, and kept and restored."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.ranking import discounts
from learners import create
from learners.interleaving import preference
from learners.interleaving.live import SLOTS, Live
from tests.cases import cases

D = 6


def features(n=12, seed=0):
    return np.random.default_rng(seed).normal(size=(n, D))


def engine(seed=0, fixed=None, **swaps):
    learners = {
        "preference-perceptron": create("preference-perceptron"),
        "perturbed-perceptron": create("perturbed-perceptron", **swaps),
    }
    return Live(learners, np.linspace(1, 0, D) if fixed is None else fixed, seed)


def order(x, w):
    return np.argsort(-(x @ w), kind="stable").tolist()


def test_one_search_by_hand():
    """Three documents with unit features, w = (3, 2, 1): both believe 0 1 2. A click on 2 moves it to the top for the
    perceptron: 2 0 1, so that w gains γ of the new place less that of the old one, for 2: 1 − .5, 0: .63 − 1, 1: .5 −
    .63. For 3PR without swaps pairs are (0, 1), 2 or 0, (1, 2): in the first case nothing is learned, in the second 1
    and 2 change places, .63 − .5."""
    seen = set()
    for seed in range(8):
        live = engine(seed, np.array([3.0, 2, 1, 0, 0, 0]), swap_probability=0)
        x = np.eye(3, D)
        assert {name: y.tolist() for name, y in live.teach(x).items()} == {name: [0, 1, 2] for name in live.learners}
        assert live.open
        live.clicked([2])
        assert not live.open and live.taught == 1
        top = live.lessons["preference-perceptron"]
        assert top.improved.tolist() == [2, 0, 1] and top.after.tolist() == [0, 1, 2] and top.moved == {}
        g = discounts(3)
        want = [g[1] - g[0], g[2] - g[1], g[0] - g[2], 0, 0, 0]
        np.testing.assert_allclose(top.change, want, atol=1e-12)
        np.testing.assert_allclose(live.weights("preference-perceptron"), top.change + np.array([3, 2, 1, 0, 0, 0]))
        pair = live.lessons["perturbed-perceptron"]
        paired = pair.partner.tolist()
        seen.add(tuple(paired))
        if paired == [0, 2, 1]:
            np.testing.assert_allclose(pair.change, [0, g[2] - g[1], g[1] - g[2], 0, 0, 0], atol=1e-12)
        else:
            assert paired == [1, 0, 2] and not pair.change.any()
    assert seen == {(0, 2, 1), (1, 0, 2)}


def test_what_moved_are_the_old_and_the_new_rank_of_the_same_query():
    live, x = engine(fixed=np.zeros(D)), np.eye(4, D)
    live.teach(x)
    live.clicked([3])
    lesson = live.lessons["preference-perceptron"]
    assert lesson.after.tolist() == [3, 2, 1, 0]  # 3 gained .57, and 2 lost less than 1, which lost less than 0
    assert lesson.moved == {0: (1, 4), 1: (2, 3), 2: (3, 2), 3: (4, 1)}
    assert live.teach(x)["preference-perceptron"].tolist() == [3, 2, 1, 0]


def test_a_click_counts_only_in_lists_that_show_the_document():
    live, x = engine(), features(30)
    believed = live.rank(x)
    live.teach(x)
    live.clicked([believed[SLOTS + 5]])  # further down than a person sees, in both
    for lesson in live.lessons.values():
        assert not lesson.clicks.any() and not lesson.change.any()
    live.compare(x)
    live.clicked([live.trial.mixed.ranking[0, SLOTS + 3]])
    assert live.trial.outcome == 0 and live.verdict("preference-perceptron").ties == 1


def test_both_hear_the_same_clicks_by_document():
    live, x = engine(seed=3), features()
    shown = live.teach(x)
    clicked = shown["perturbed-perceptron"][[1, 4]]
    live.clicked(clicked)
    for name, ranking in shown.items():
        lesson = live.lessons[name]
        assert set(ranking[lesson.clicks]) == set(clicked[np.isin(clicked, ranking[:SLOTS])])


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=5))
def test_weights_are_those_of_numpy(seed, searches):
    """Every lesson adds Σ γ_i (x_ȳ(i) − x_y(i)), whatever was clicked, and 3PR shows what it believes but for its
    swaps."""
    live = engine(seed)
    for number, clicks in enumerate(searches):
        x = features(10 + number, number)
        before = {name: live.weights(name) for name in live.learners}
        live.teach(x)
        live.clicked(clicks)
        for name, lesson in live.lessons.items():
            assert lesson.before.tolist() == order(x, before[name])
            want = lesson.before.copy()
            for i in np.flatnonzero(lesson.swapped):
                want[i] = lesson.before[lesson.partner[i]]
            assert lesson.shown.tolist() == want.tolist()
            g = discounts(len(x)) * (np.arange(len(x)) < SLOTS)
            np.testing.assert_allclose(lesson.change, g @ x[lesson.improved] - g @ x[lesson.shown], atol=1e-9)
            assert lesson.after.tolist() == order(x, live.weights(name))


def test_learners_take_turns_and_their_wins_are_counted():
    live, x, won = engine(fixed=np.eye(D)[0]), features(), {}
    for _ in range(3):
        live.teach(x)
        live.clicked([order(x, live.weights("preference-perceptron"))[4]])
    for turn in range(4):
        name = list(live.learners)[turn % 2]
        assert live.next == name
        mixed = live.compare(x)
        assert mixed.method == "balanced" and mixed.first[0].tolist() == order(x, live.weights(name))
        assert mixed.second[0].tolist() == order(x, np.eye(D)[0])
        live.clicked(mixed.ranking[0, :1])
        counts = won.setdefault(name, [0, 0, 0])
        want = preference(mixed, np.arange(len(x))[None] == 0)[0]
        assert live.trial.outcome == want
        counts[[1, -1, 0].index(want)] += 1
    for name, counts in won.items():
        verdict = live.verdict(name)
        assert [verdict.wins, verdict.losses, verdict.ties] == counts
    assert sum(map(sum, won.values())) == 4 and live.compared == 4 and live.taught == 3


def test_comparing_teaches_nobody():
    live, x = engine(), features()
    before = live.state()["learners"]
    live.compare(x, "perturbed-perceptron")
    live.clicked([0, 3])
    for name, kept in live.state()["learners"].items():
        assert kept["weights"] == before[name]["weights"]


def test_the_coins_lead_either_side_and_swap_either_way():
    """The draws that a fixed seed would make constant vary from search to search."""
    live, x = engine(fixed=np.ones(D)), features()
    leads, swaps = set(), set()
    for _ in range(12):
        live.teach(x)
        swaps.add(tuple(live.lessons["perturbed-perceptron"].swapped))
        live.clicked([])
        leads.add(bool(live.compare(x).teams[0, 0]))
        live.clicked([])
    assert leads == {True, False} and len(swaps) > 6


def test_a_state_goes_on_elsewhere_to_the_bit():
    one = engine(seed=7)
    for number in range(5):
        one.teach(features(seed=number))
        one.clicked([number, 2])
        one.compare(features(seed=number))
        one.clicked([1])
    other = engine(seed=1)
    other.restored(json.loads(json.dumps(one.state())))
    assert other.state() == one.state()
    for live in (one, other):
        live.told = {name: y.tolist() for name, y in live.teach(features(seed=9)).items()}
        live.clicked([0, 5])
        live.mixed = live.compare(features(seed=10)).ranking.tolist()
    assert one.told == other.told and one.mixed == other.mixed
    assert [one.weights(name).tolist() for name in one.learners] == [other.weights(n).tolist() for n in one.learners]


def test_a_search_that_is_not_ended_has_never_happened():
    one, other = engine(), engine()
    one.teach(features(seed=4))
    one.compare(features(seed=5))
    for live in (one, other):
        live.told = {name: y.tolist() for name, y in live.teach(features()).items()}
    assert one.told == other.told


def test_the_crowd_takes_over():
    live = engine()
    live.go_on_from({"perturbed-perceptron": np.full(D, 2.0)})
    assert live.weights("perturbed-perceptron").tolist() == [2.0] * D
    assert live.weights("preference-perceptron").tolist() == np.linspace(1, 0, D).tolist()


def good():
    return engine().state()


def broken(*path, to):
    state = good()
    inner = state
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return state


NAME = "preference-perceptron"


@cases(
    ("state", "words"),
    [
        ([], "the state must be an object, got list"),
        ({}, "seed of the state must be a whole number from 0, got None"),
        (broken("seed", to=-1), "seed of the state must be a whole number from 0, got -1"),
        (broken("taught", to=True), "taught of the state must be a whole number from 0, got True"),
        (broken("compared", to=10**400), "compared of the state must be a whole number from 0, got 1000"),
        (broken("learners", to={"x": 1}), f"the learners must be {NAME}, perturbed-perceptron, got x"),
        (broken("learners", NAME, to=3), f"{NAME} must be an object, got int"),
        (broken("learners", NAME, "wins", to=1.5), f"wins of {NAME} must be a whole number from 0, got 1.5"),
        (broken("learners", NAME, "weights", to=[[1.0]]), f"weights of {NAME} must be 1 × 6 numbers, got 1"),
        (broken("learners", NAME, "weights", to=[1.0]), f"weights of {NAME} must be 1 × 6 numbers, got no list"),
        (broken("learners", NAME, "weights", to=[["a"] * 6]), f"weights of {NAME} must be finite numbers, got a"),
        (broken("learners", NAME, "weights", to=[[True] * 6]), f"weights of {NAME} must be finite numbers, got True"),
        (broken("learners", NAME, "weights", to=[[float("nan")] * 6]), "must be finite numbers, got nan"),
        (broken("learners", NAME, "weights", to=[[1e200] * 6]), "must be finite numbers, got 1e"),
        (broken("learners", NAME, "weights", to=[[10**400] * 6]), "must be finite numbers, got 1000"),
        (broken("learners", "perturbed-perceptron", "memory", to=[]), "memory of perturbed-perceptron must be 1 numb"),
    ],
)
def test_a_wrong_state_ends_in_a_sentence_and_changes_nothing(state, words):
    live = engine()
    live.teach(features())
    live.clicked([3])
    before = live.state()
    with pytest.raises(ValueError) as error:
        live.restored(state)
    assert words in str(error.value) and len(str(error.value)) < 300
    assert live.state() == before and live.lessons


@cases("wrong", [np.zeros((0, D)), np.zeros((3, D + 1)), np.full((2, D), np.nan), np.zeros(D)])
def test_wrong_features_are_refused(wrong):
    for begin in (engine().teach, engine().compare):
        with pytest.raises(ValueError, match=r"features must be finite numbers \(n, 6\), n ≥ 1, got shape"):
            begin(wrong)


def test_wrong_calls_are_refused():
    with pytest.raises(RuntimeError, match="no search waits for clicks"):
        engine().clicked([0])
    with pytest.raises(ValueError, match="learner must be one of preference-perceptron, perturbed-perceptron, got x"):
        engine().compare(features(), "x")
    with pytest.raises(ValueError, match="fixed must be finite weights"):
        Live({}, np.array([np.nan]))
    with pytest.raises(ValueError, match="svm must be a learner that is nothing but its rules, got ranking-svm"):
        Live({"svm": create("ranking-svm")}, np.zeros(2))


@dataclass
class Sparse:
    dense: np.ndarray

    def toarray(self):
        return self.dense


def test_a_few_documents_and_sparse_features():
    for n in (1, 2, 3):
        live = engine()
        shown = live.teach(Sparse(features(n)))
        assert all(sorted(y) == list(range(n)) for y in shown.values())
        live.clicked(range(n))
        live.compare(features(n))
        live.clicked([n - 1])
        assert live.compared == 1
