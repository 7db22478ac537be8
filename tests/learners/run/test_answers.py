"""A person answers some steps of the first replicate: what is heard changes there, and nothing else does."""

from dataclasses import replace

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create, create_user
from learners.catalogue import families, learner_classes, users_of
from learners.classification.base import ClassificationLearner, Feedback
from learners.environment import Diverged
from learners.interleaving.comparison import Comparison
from learners.ranking.base import RankingLearner
from learners.run import past
from learners.run.events import events_of
from learners.run.watch import Watch
from tests.cases import cases
from tests.learners.run.problems import SMALL, data_of, every, same, same_histories, simulation

RANKING = [pytest.param(id, kind, id=f"{id} {kind}".strip()) for id, kind in every()
           if issubclass(learner_classes()[id], RankingLearner) and kind != "adversary"]  # fmt: skip
LABELS = [id for id, _ in every() if issubclass(learner_classes()[id], ClassificationLearner)]
STEPS = 90
ASKED = (1, 2, 17, 40, 41, 89)


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(past, "SHARE", float("inf"))


def learning(record):
    return getattr(record, "learning", record)


def run(steps=STEPS, **given):
    sim = simulation(**given)
    sim.advance(steps=steps)
    return sim


def same_but_first(a, b):
    """Assert that all replicates but the first are equal to the bit."""
    assert list(a) == list(b)
    for name in a:
        assert np.array_equal(a[name][:, 1:], b[name][:, 1:], equal_nan=True), name


def clicked(step):
    """The documents that the user of the first replicate clicked."""
    return tuple(step.shown.ranking[0][step.response.clicks[0]])


# ---- nothing else changes


@cases(("id", "kind"), [*RANKING, *((id, "") for id in LABELS)])
def test_other_replicates_are_the_same_to_the_bit(id, kind):
    rng = np.random.default_rng(3)
    plain = run(id=id, kind=kind, seed=5, replicates=3)
    items = 2 if id in LABELS else 3  # the smallest data have as many
    answers = {t: tuple(np.flatnonzero(rng.random(items) < 0.5)) for t in ASKED}
    sim = run(id=id, kind=kind, seed=5, replicates=3, answers=answers)
    same_but_first(plain.history, sim.history)
    late = run(steps=41, id=id, kind=kind, seed=5, replicates=3, answers={41: (0,)})
    for name in plain.history:  # and nothing comes before the first answer
        assert np.array_equal(late.history[name][:40], plain.history[name][:40], equal_nan=True), name


@cases("id", ["preference-perceptron", "banditron", "random-ranking"])
def test_no_answers_are_no_difference(id):
    plain, sim = run(id=id), run(id=id, answers={})
    same_histories(plain.history, sim.history)
    same(plain.last, sim.last)
    assert sim.answers == {} and sim.changes == () and plain.events == sim.events


# ---- an answer that was given anyway


def without_judged(step):
    """A record without what the user is said to have looked at, which is not the same for a person."""
    return [step.query, step.documents, step.shown, step.response.clicks, step.response.ranking, step.feedback_ranking,
            step.before, step.after, step.grades, step.utility, step.lengths]  # fmt: skip


@cases(
    ("id", "kind", "user"),
    [pytest.param(*case.values, user, id=f"{case.id}-{user}") for case in RANKING
     for user in ("cascade", "scan", "noisy-grades") if user == "cascade" or case.values[1] != "comparison"],
)  # fmt: skip
def test_the_clicks_of_the_user_change_nothing(id, kind, user):
    data = load("web-search", queries=12, documents=9, features=4, lengths="varied")
    data = load("toy-ranking") if learner_classes()[id].fixed_list else data
    more = {"replicates": 2, "seed": 8}
    learner = create(id, **SMALL.get(id, {}))

    def make(**answers):
        if kind == "comparison":
            return Comparison(learner, data, user, sample=2, **more, **answers)
        return Simulation(learner, data, user, **more, **answers)

    plain, steps = make(), {}
    for t in (*ASKED, STEPS):
        plain.advance(steps=t - plain.t)
        steps[t] = learning(plain.last)
    answers = {t: clicked(steps[t]) for t in ASKED}
    assert any(answers.values())
    sim = make(answers=answers)
    sim.advance(steps=STEPS)
    same_histories(plain.history, sim.history)
    for t in (2, 41, STEPS):
        same(without_judged(steps[t]), without_judged(learning(sim.at(t))))


def as_approved(step, slots):
    """The documents that a person would approve of to hand back the same ranking, or None if there are no such."""
    shown, answer = step.shown.ranking[0], step.response.ranking[0]
    for k in range(len(shown) + 1):
        chosen = np.isin(shown, answer[:k])
        if np.array_equal(np.concatenate([shown[chosen], shown[~chosen]])[:slots], answer[:slots]):
            return tuple(answer[:k])
    return None


@pytest.mark.long
@pytest.mark.parametrize("user", [id for id in users_of(families()["ranking"]) if create_user(id).gives == "ranking"])
def test_the_ranking_of_the_user_changes_nothing(user):
    """Where the user puts documents on top in the order shown, or recommends one, a person can do the same."""
    found = 0
    for data in (load("toy-ranking"), load("movies", users=20, movies=60, ratings=20, features=2)):
        for id in ("preference-perceptron", "perturbed-perceptron", "dueling-bandit", "ranking-svm"):
            sims = [Simulation(create(id, **SMALL.get(id, {})), data, user, replicates=2, seed=4) for _ in range(2)]
            plain = sims[0]
            plain.advance(steps=60)
            slots = data.slots or data.longest
            given = {t: as_approved(plain.at(t), slots) for t in range(1, 61, 3)}
            answers = {t: items for t, items in given.items() if items is not None}
            found += len(answers)
            sim = Simulation(plain.learner, data, user, replicates=2, seed=4, answers=answers)
            sim.advance(steps=60)
            for name in plain.history:
                assert np.array_equal(plain.history[name], sim.history[name], equal_nan=True), name
    assert found > 20


@pytest.mark.parametrize("id", LABELS)
@pytest.mark.parametrize("dataset", ["digits", pytest.param("synsep", marks=pytest.mark.long)])
def test_the_truth_said_by_a_person_changes_nothing(id, dataset):
    if (id, dataset) == ("halving", "synsep"):
        pytest.skip("it has too many hypotheses on these data")
    data = load(dataset, **({"examples": 300} if dataset == "synsep" else {}))
    try:
        plain = Simulation(create(id, **SMALL.get(id, {})), data, replicates=2, seed=2)
    except ValueError as error:
        pytest.skip(str(error))
    plain.advance(steps=STEPS)
    answers = {t: (int(plain.at(t).truth[0]),) for t in ASKED}
    sim = Simulation(create(id, **SMALL.get(id, {})), data, replicates=2, seed=2, answers=answers)
    sim.advance(steps=STEPS)
    same_histories(plain.history, sim.history)
    for t in (1, 40, 90):
        same(plain.at(t), sim.at(t))
    if plain.learner.hears == "right":  # any labels will do, as long as right and wrong are the same
        right = {t: np.atleast_1d(plain.at(t).shown.label[0])[np.atleast_1d(plain.at(t).right[0])] for t in ASKED}
        other = {t: (*right[t], next(k for k in range(data.classes) if k not in np.atleast_1d(
            plain.at(t).shown.label[0]))) for t in ASKED}  # fmt: skip
        sim = Simulation(create(id, **SMALL.get(id, {})), data, replicates=2, seed=2, answers=other)
        sim.advance(steps=STEPS)
        same_histories(plain.history, sim.history)


# ---- what is heard


@pytest.mark.parametrize("id", ["preference-perceptron", "perturbed-perceptron", "ranking-svm", "dueling-bandit"])
def test_documents_approved_of_are_clicked_or_moved_to_the_top(id):
    data = load("web-search", queries=10, documents=8, features=4)
    for user in ("scan", "depth"):
        sim = Simulation(id, data, user, replicates=2, seed=1, answers={3: (6, 1), 4: ()})
        sim.advance(steps=10)
        step, shown = sim.at(3), sim.at(3).shown.ranking[0]
        if user == "scan":
            assert step.response.clicks[0].tolist() == [d in (1, 6) for d in shown]
            last = np.flatnonzero(step.response.clicks[0])[-1]
            assert step.response.judged[0].tolist() == [
                1 if d in (1, 6) else 0 if i < last else -1 for i, d in enumerate(shown)
            ]
            assert not sim.at(4).response.clicks[0].any() and (sim.at(4).response.judged[0] == 0).all()
        else:
            expected = [d for d in shown if d in (1, 6)] + [d for d in shown if d not in (1, 6)]
            assert step.response.ranking[0].tolist() == expected
            assert np.array_equal(sim.at(4).response.ranking[0], sim.at(4).shown.ranking[0])
        assert np.array_equal(step.utility[0], np.asarray(data.utility)[0, step.documents[0]])


def test_documents_that_are_used_up_are_not_moved():
    data = load("movies", users=20, movies=60, ratings=20, features=2)
    sim = Simulation("preference-perceptron", data, "item-best", replicates=2, seed=1)
    sim.advance(steps=5)
    gone = int(sim.at(1).shown.ranking[0, 0])
    there = int(sim.at(5).shown.ranking[0, 9])
    given = Simulation("preference-perceptron", data, "item-best", replicates=2, seed=1, answers={5: (gone, there)})
    given.advance(steps=6)
    assert given.at(5).response.ranking[0, 0] == there
    assert sorted(given.at(5).response.ranking[0]) == sorted(given.at(5).shown.ranking[0])
    assert there not in given.at(6).shown.ranking[0, : given.at(6).lengths[0]]  # it is used up


@cases("id", LABELS)
def test_what_a_learner_that_plays_labels_hears(id):
    """A spy on `update` sees that a person is heard where the truth was, and only there."""
    heard = []

    class Spy(type(create(id, **SMALL.get(id, {})))):
        def update(self, x, shown, feedback):
            heard.append((shown, Feedback(feedback.right.copy(), feedback.label)))
            return super().update(x, shown, feedback)

    data = data_of(families()["classification"])
    answers = {2: (0,), 3: (1,), 5: (), 6: (0, 1)}
    sims = [Simulation(kind(**SMALL.get(id, {})), data, replicates=3, seed=3, answers=answers)
            for kind in (Spy, Spy.__mro__[1])]  # fmt: skip
    for sim in sims:
        sim.advance(steps=8)
    assert len(heard) == 8
    for t, (shown, feedback) in enumerate(heard, 1):
        step = sims[1].at(t)  # taken in compiled code
        truth = step.truth
        told = truth.copy()
        full = sims[1].learner.hears == "label"
        approved = answers.get(t)
        if full and approved is not None and len(approved) == 1:
            told[0] = approved[0]
        right = np.array(shown.label == (told if shown.label.ndim == 1 else told[:, None]))
        if not full and approved is not None:
            right[0] = np.isin(shown.label[0], approved)
        assert np.array_equal(feedback.right, right) and np.array_equal(step.heard.right, right)
        assert np.array_equal(feedback.label, told) if full else feedback.label is None
        assert np.array_equal(step.right, step.shown.label == (truth if shown.label.ndim == 1 else truth[:, None]))
        assert np.array_equal(step.shown.label, shown.label)
    for name in sims[0].history:
        assert np.allclose(sims[0].history[name], sims[1].history[name], equal_nan=True), name


@pytest.mark.parametrize("id", ["structured-perceptron", "random-ranking"])
def test_a_learner_that_does_not_listen_to_the_user_does_not_listen_to_a_person(id):
    plain, sim = run(id=id, seed=1), run(id=id, seed=1, answers={3: (0,), 50: (2,)})
    same_histories(plain.history, sim.history)
    assert clicked(sim.at(50)) == (2,)


def test_metrics_measure_against_the_truth():
    """A person who always calls the wrong class right does not make the answers right."""
    data = load("digits")
    sim = Simulation("perceptron", data, seed=1, answers={t: (0,) for t in range(1, 41)})
    sim.advance(steps=40)
    assert (sim.history["mistakes"][-1] == sum(not sim.at(t).right[0] for t in range(1, 41))).all()
    assert [int(sim.at(t).shown.label[0]) for t in range(2, 41)] == [0] * 39


# ---- the past, forks, watching


@pytest.mark.parametrize(("id", "kind"), [*RANKING[:3], ("perturbed-perceptron", "comparison"), ("banditron", ""),
                                          ("perceptron", ""), ("banditron-labels", "")])  # fmt: skip
def test_answers_are_replayed_forked_reset_and_watched(id, kind):
    answers = {1: (1,), 30: (0,), 31: (), 64: (0, 1)}
    sim = simulation(id, seed=7, kind=kind, answers=answers)
    sim._past.interval = 16
    sim.advance(steps=STEPS)
    by_one = simulation(id, seed=7, kind=kind, answers=answers)
    records = [step for _, step in zip(range(STEPS), by_one, strict=False)]
    same_histories(by_one.history, sim.history)
    for t in (64, 30, 1, 31, 32, 2, 63, 90):
        same(sim.at(t), records[t - 1])
    for at in (1, 30, 31, 65):
        twin = sim.fork(at=at)
        assert twin.answers == answers
        twin.advance(steps=STEPS - at + 1)
        same_histories(twin.history, sim.history)
        same(twin.last, sim.last)
    sim.reset()
    sim.advance(steps=STEPS)
    same_histories(by_one.history, sim.history)
    watched = Watch(sim, 0).advance(1000)
    if id in LABELS:
        right = [bool(np.any(step.heard.right[0])) for step in records]
        assert watched["heard"].astype(bool).tolist() == right
        told = [-1 if step.heard.label is None else step.heard.label[0] for step in records]
        assert watched["told"].tolist() == told
    elif not kind:
        clicks = [step.response.clicks[0] for step in records]
        assert np.array_equal(watched["clicked"].astype(bool), clicks)


def test_a_fork_can_be_answered_step_by_step_as_by_one_who_plays():
    answers = {1: (0,), 2: (2, 1), 3: (), 7: (1,)}
    whole = run(id="perturbed-perceptron", seed=9, answers=answers)
    sim = simulation("perturbed-perceptron", seed=9)
    for t, items in answers.items():
        sim = sim.fork(at=sim.t + 1, change={"answers": {t: items}})
        sim.advance(steps=t - sim.t)
    sim.advance(steps=STEPS - sim.t)
    assert sim.answers == whole.answers
    same_histories(sim.history, whole.history)
    same(sim.at(2), whole.at(2))


def test_a_later_fork_may_answer_otherwise_and_a_changed_click_goes_before_an_answer():
    sim = run(id="preference-perceptron", seed=2, answers={20: (0, 1)})
    other = sim.fork(at=20, change={"answers": {20: (2,)}})
    other.advance(steps=1)
    assert clicked(other.last) == (2,) and other.answers == {20: (2,)} and clicked(sim.at(20)) != (2,)
    clicks = np.zeros(sim.at(20).response.clicks.shape, dtype=bool)
    fork = sim.fork(at=20, change={"clicks": clicks})
    fork.advance(steps=1)
    assert not fork.last.response.clicks.any()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("id", ["perceptron", "banditron-margin"])
def test_a_run_whose_weights_overflow_has_its_answers_in_the_steps_before(id):
    """The environment begins again, and takes the good steps once more."""
    data = load("separable-points", examples=100)
    features = data.features.copy()
    features[17] = 1.7e308 * (-1.0) ** np.arange(features.shape[1])
    data = replace(data, features=features, separator=None)
    answers = {1: (0,), 2: (1,), 4: (0, 2), 5: (), 20: (2,), 100: (1,)}
    sims = [Simulation(id, data, replicates=2, seed=1, answers=given) for given in (answers, answers, {})]
    for sim, steps in zip(sims, (1000, 1, 1000), strict=True):
        with pytest.raises(Diverged):
            for _ in range(1000):
                sim.advance(steps=steps)
    one, by_one, plain = sims
    assert 20 < one.t == by_one.t < 1000
    same_histories(one.history, by_one.history)
    same(one.last, by_one.last)
    assert (one.history["weight-change"][:20] != plain.history["weight-change"][:20]).any()


@pytest.mark.parametrize("replicate", [0, 1])
def test_answered_steps_are_events_of_the_first_replicate(replicate):
    answers = {t: (0,) for t in range(1, 51)} | {3: ()}
    sim = run(id="preference-perceptron", answers=answers)
    marked = [found for found in events_of(sim, replicate, most=5) if found.event.id == "answered"]
    assert [found.t for found in marked] == ([*answers] if replicate == 0 else [])
    if replicate == 0:
        assert marked[0].text == "the person chose d1" and marked[2].text == "the person chose nothing"
    names = run(id="banditron", answers={2: (0,), 80: (1,)})
    said = [found.text for found in events_of(names, 0) if found.event.id == "answered"]
    assert said == [f"the person called {names.dataset.names[k]} right" for k in (0, 1)]


def test_they_are_marked_where_the_history_is_thinned_as_well():
    sim = run(id="preference-perceptron", recorded=20, answers={5: (0,), 70: (1,), 91: (0,)})
    assert sim.history.thinned
    assert [found.t for found in events_of(sim, 0) if found.event.id == "answered"] == [5, 70]


# ---- what is refused

REFUSED = [
    ("preference-perceptron", [3], "answers must map steps to what a person approves of in them"),
    ("preference-perceptron", "1.2", "answers must map steps"),
    ("preference-perceptron", {0: (1,)}, "answers must be to steps from 1 to 1,000,000, got step 0"),
    ("preference-perceptron", {10**9: (1,)}, "answers must be to steps from 1 to 1,000,000, got step 1000000000"),
    ("preference-perceptron", {"one": (1,)}, "answers must be to steps from 1 to 1,000,000, got step one"),
    ("preference-perceptron", {True: (1,)}, "got step True"),
    ("preference-perceptron", {2: (1, 3)}, "answers in step 2 must be documents from 0 to 2, got 3"),
    ("preference-perceptron", {2: (-1,)}, "answers in step 2 must be documents from 0 to 2, got -1"),
    ("preference-perceptron", {2: "12"}, "answers in step 2 must be documents from 0 to 2, got 12"),
    ("preference-perceptron", {2: 7}, "answers in step 2 must be documents from 0 to 2, got 7"),
    ("preference-perceptron", {2: (0.5,)}, "answers in step 2 must be documents from 0 to 2, got 0.5"),
    ("banditron", {2: (3,)}, "answers in step 2 must be labels from 0 to 2, got 3"),
    ("multilabel-ucb", {2: (1,)}, "answers are not supported by the family multilabel, only by .*ranking"),
    ("adaboost", {2: (1,)}, "answers are not supported by the family semi-supervised"),
]


@cases(("id", "answers", "sentence"), REFUSED)
def test_answers_that_cannot_be_are_refused(id, answers, sentence):
    with pytest.raises(ValueError, match=sentence):
        simulation(id, answers=answers)


def test_a_document_that_a_shorter_query_does_not_have_is_refused():
    data = load("web-search", queries=12, documents=9, features=4, lengths="varied")
    sim = Simulation("preference-perceptron", data, seed=3)
    sim.advance(steps=20)
    t = next(t for t in range(1, 21) if sim.at(t).lengths[0] < data.longest)
    n = int(sim.at(t).lengths[0])
    Simulation("preference-perceptron", data, seed=3, answers={t: (n - 1,)})
    with pytest.raises(ValueError, match=f"answers in step {t} must be documents from 0 to {n - 1}, got {n}"):
        Simulation("preference-perceptron", data, seed=3, answers={t: (n,)})
    with pytest.raises(ValueError, match=f"answers must be to steps from 5 to 1,000,000, got step {4}"):
        sim.fork(at=5, change={"answers": {4: (0,)}})
