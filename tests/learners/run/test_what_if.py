"""The questions on a step, and that their answers differ in one thing for one replicate."""

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create, create_user
from learners.catalogue import families
from learners.interleaving.comparison import Comparison
from learners.run import past
from learners.run.events import events_of
from learners.run.what_if import questions
from learners.what_if import Situation
from tests.cases import cases
from tests.learners.run.problems import every, same, simulation

EVERY = [pytest.param(id, kind, 40, id=f"{id} {kind}".strip()) for id, kind in every()] + [
    pytest.param(id, kind, 4, id=id) for id, kind in every(online=False)
]


def refusals(sim, t, replicate):
    """The questions of the family that cannot be asked of step t, by title, with a sentence on why not."""
    situation, kinds = Situation(sim, t, replicate), families()[sim.learner.family].what_if
    return {kind.title: kind.fits(situation) for kind in kinds if kind.fits(situation)}


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(past, "SHARE", float("inf"))


def answer(sim, t, question):
    """The other future up to where the simulation is."""
    fork = sim.fork(at=t, change=question.change)
    fork.advance(steps=sim.t - fork.t)
    return fork


def differs(sim, fork, t, replicate):
    """Whether the replicate differs from step t on. No other replicate may, and nothing before."""
    others = np.arange(sim.replicates) != replicate
    for name, values in sim.history.items():
        assert np.array_equal(fork.history[name][:, others], values[:, others], equal_nan=True), name
        assert np.array_equal(fork.history[name][: t - 1], values[: t - 1], equal_nan=True), name
    mine = ((fork.history[name][t - 1 :, replicate], sim.history[name][t - 1 :, replicate]) for name in sim.history)
    return not all(np.array_equal(a, b, equal_nan=True) for a, b in mine)


@cases(("id", "kind", "steps"), EVERY)
@cases("replicates", [1, 3])
def test_every_learner_can_be_asked_and_other_replicates_never_notice(id, kind, steps, replicates):
    sim = simulation(id, seed=3, kind=kind, replicates=replicates)
    sim.advance(steps=steps)
    for t in (1, steps // 2, steps):
        r = t % replicates
        asked = questions(sim, t, r)
        assert len({question.id for question in asked}) == len(asked)
        assert all(q.title.endswith("?") and q.help.endswith(".") for q in asked)
        assert all(why.endswith(".") for why in refusals(sim, t, r).values())
        for question in asked:
            differs(sim, answer(sim, t, question), t, r)
        same(sim.at(t), sim.at(t))


@pytest.mark.parametrize("user", ["cascade", "scan", "noisy-grades"])
def test_every_click_can_be_taken_back_and_all_of_them(user):
    """On data with 136 features, for which sums of weights round differently if they are done in another way."""
    data = load("web-search", queries=20, documents=12, features=136)
    sim = Simulation("perturbed-perceptron", data, user, replicates=3, seed=0)
    sim.advance(steps=60)
    t = next(t for t in range(20, 60) if sim.at(t).response.clicks[1].sum() == (1 if user == "cascade" else 5))
    step = sim.at(t)
    places = np.flatnonzero(step.response.clicks[1])
    asked = {question.id: question for question in questions(sim, t, 1)}
    clicks = [f"no-click-{place + 1}" for place in places]
    every_click = ["no-click-all"] if len(places) > 1 else []
    assert [id for id in asked if id.startswith("no-click")] == clicks + every_click
    for id, place in zip(clicks, places, strict=False):
        fork = answer(sim, t, asked[id])
        expected = step.response.clicks.copy()
        expected[1, place] = False
        assert np.array_equal(fork.at(t).response.clicks, expected)
        differs(sim, fork, t, 1)
    if every_click:
        fork = answer(sim, t, asked["no-click-all"])
        assert not fork.at(t).response.clicks[1].any() and differs(sim, fork, t, 1)


def test_a_click_on_a_document_that_is_not_relevant_is_called_a_mistake():
    data = load("web-search", queries=10, documents=12, features=5)
    user = {"noise": 0.3, "relevant_from": 2}
    sim = Simulation("preference-perceptron", data, create_user("scan", **user), seed=0)
    sim.advance(steps=40)
    seen = set()
    for t in range(1, 41):
        step = sim.at(t)
        for question in questions(sim, t, 0):
            if question.id.startswith("no-click-") and question.id != "no-click-all":
                place = int(question.id.rpartition("-")[2]) - 1
                document = step.shown.ranking[0, place]
                wrong = bool(step.grades[0, document] < 2)
                kind = ", a mistake," if wrong else ""
                title = f"What if the click on d{document + 1} at place {place + 1}{kind} had not happened?"
                assert question.title == title
                seen.add(wrong)
    assert seen == {True, False}


def test_without_the_click_that_brought_it_the_best_document_is_not_lost():
    """The question is asked at the cause, the step before the fall shows; there d1 then stays where it was."""
    sim = Simulation("preference-perceptron", "toy-ranking", "cascade", replicates=2, seed=0)
    sim.advance(steps=300)
    losses = [h for h in events_of(sim, 1, None) if h.event.id == "best-lost"]
    assert losses
    for loss in losses[:5]:
        assert loss.cause == loss.t - 1
        click = next(q for q in questions(sim, loss.cause, 1) if q.id.startswith("no-click-"))
        assert ", a mistake," in click.title
        fork = answer(sim, loss.cause, click)
        assert sim.history["rank-of-best-predicted"][loss.t - 1, 1] == 10
        assert fork.history["rank-of-best-predicted"][loss.t - 1, 1] == 1


@cases(("user", "name"), [("cascade", "noise"), ("scan", "noise"), ("noisy-grades", "sigma")])
def test_a_user_without_mistakes_is_the_user_without_noise(user, name):
    sim = Simulation("preference-perceptron", "toy-ranking", user, replicates=3, seed=1)
    sim.advance(steps=80)
    careful = next(q for q in questions(sim, 1, 2) if q.id == "no-mistakes")
    fork = answer(sim, 1, careful)
    assert differs(sim, fork, 1, 2)
    plain = Simulation("preference-perceptron", "toy-ranking", create_user(user, **{name: 0.0}), replicates=3, seed=1)
    plain.advance(steps=80)
    for metric, values in plain.history.items():
        assert np.array_equal(fork.history[metric][:, 2], values[:, 2], equal_nan=True), metric
    assert [q.id for q in questions(fork, 40, 2) if q.id == "no-mistakes"] == []  # it makes none any more
    assert [q.id for q in questions(fork, 40, 0) if q.id == "no-mistakes"] == ["no-mistakes"]
    again = answer(fork, 40, next(q for q in questions(fork, 40, 0) if q.id == "no-mistakes"))
    assert differs(fork, again, 40, 0)  # and replicate 2 still makes none


def test_a_question_before_a_change_asks_about_the_values_of_then():
    sim = simulation("banditron", seed=1, replicates=2)
    sim.advance(steps=100)
    fork = sim.fork(at=50, change={"learner": {"gamma": np.array([0.9, 0.05])}})
    fork.advance(steps=51)
    early, late = (questions(fork, t, 1)[0].change["learner"]["gamma"] for t in (49, 50))
    assert early.tolist() == [0.05, 1e-6] and late.tolist() == [0.9, 1e-6]


@pytest.mark.parametrize(("user", "data"), [
    ("strict-alpha", load("web-search", queries=50)),
    ("item-best", load("movies", users=60, movies=90, ratings=30, features=6)),
], ids=str)  # fmt: skip
def test_a_user_who_answers_can_leave_the_ranking_as_it_was(user, data):
    sim = Simulation("preference-perceptron", data, user, replicates=2, seed=5)
    sim.advance(steps=40)
    asked = [(t, q) for t in range(1, 41) for q in questions(sim, t, 0)]
    assert asked and {q.id for _, q in asked} == {"no-answer"}
    t, question = asked[0]
    fork = answer(sim, t, question)
    assert np.array_equal(fork.at(t).after[0], fork.at(t).before[0]) and differs(sim, fork, t, 0)


def test_there_is_nothing_to_ask_where_the_learner_does_not_listen_or_nobody_errs():
    sim = simulation("random-ranking", user="cascade")
    sim.advance(steps=10)
    assert questions(sim, 5, 0) == []
    assert "Random ranking does not listen to the user." in refusals(sim, 5, 0).values()
    quiet = Simulation(create("perturbed-perceptron", dynamic=True), "toy-ranking", "expert", seed=0)
    quiet.advance(steps=10)
    assert "no-exploration" not in {q.id for q in questions(quiet, 5, 0)}
    boosting = simulation("adaboost")
    boosting.advance(steps=2)
    assert questions(boosting, 1, 0) == [] and refusals(boosting, 1, 0) == {}


@cases("id", ["banditron", "banditron-margin", "banditron-labels", "banditron-winnow", "perturbed-perceptron"])
def test_without_exploration_the_prediction_is_played(id):
    sim = simulation(id, seed=2, replicates=3)
    sim.advance(steps=120)
    stop = next(q for q in questions(sim, 41, 1) if q.id == "no-exploration")
    fork = answer(sim, 41, stop)
    differs(sim, fork, 41, 1)
    if "explored" in fork.history:
        explored = np.rint(fork.history["explored"][:, 1] * np.arange(1, 121))
        assert explored[-1] == explored[39] and sim.history["explored"][-1, 1] > explored[-1] / 120
    else:
        assert not fork.history["swap-probability"][40:, 1].any() and sim.history["swap-probability"][40:, 1].all()


def test_a_learner_with_upper_confidence_can_stop_being_curious():
    sim = simulation("multilabel-ucb", seed=2, replicates=2)
    sim.advance(steps=60)
    (stop,) = questions(sim, 21, 0)
    fork = answer(sim, 21, stop)
    assert differs(sim, fork, 21, 0) and not fork.history["width"][20:, 0].any() and sim.history["width"][20:, 0].all()
    other = Simulation(create("multilabel-ucb", confidence="remark 1"), sim.dataset, replicates=2)
    other.advance(steps=30)
    assert questions(other, 21, 0) == []


def test_a_comparison_is_asked_about_the_search_that_teaches():
    sim = simulation("preference-perceptron", seed=5, kind="comparison", replicates=2)
    sim.advance(steps=60)
    t = next(t for t in range(20, 60) if sim.at(t).learning.response.clicks[1].any())
    click = questions(sim, t, 1)[0]
    fork = answer(sim, t, click)
    assert isinstance(fork, Comparison) and not fork.at(t).learning.response.clicks[1].any()
    differs(sim, fork, t, 1)


def test_what_is_not_there_is_refused():
    sim = simulation("perceptron")
    sim.advance(steps=10)
    with pytest.raises(ValueError, match=r"^t must be a step that has been taken, from 1 to 10, got 11$"):
        questions(sim, 11, 0)
    with pytest.raises(ValueError, match=r"^replicate must be from 0 to 1, got 2$"):
        questions(sim, 10, 2)
