"""A person in place of the user: what is shown, what the clicks teach, and what the simulated user teaches then."""

import numpy as np
import pytest

from datasets.spec import Spec
from learners import Simulation, create, create_user
from learners.spec import RunSpec
from pages.ui.lessons.facts import Runs
from pages.ui.lessons.searches import LessonSearches

DATA = Spec("digits-search", (("documents", 12), ("topic", "3")))
LEARNERS = (
    Spec("preference-perceptron", (("feedback", "swap"),)),
    Spec("perturbed-perceptron", (("swap_probability", 0.5),)),
)
SETUP = RunSpec(LEARNERS, DATA, Spec("scan", (("noise", 0.2),)), 7, 500, 3)
RUNS = Runs()


@pytest.fixture(params=[1, 2])
def person(request):
    return LessonSearches(SETUP, request.param, RUNS.data(SETUP))


def alone(learner: int) -> Simulation:
    """Return a run of the learner in one replicate, made without the page."""
    chosen = SETUP.learners[learner - 1]
    return Simulation(create(chosen.id, **chosen.values), RUNS.data(SETUP), create_user("scan", noise=0.2), seed=3)


def test_the_first_list_is_what_the_run_shows_in_step_1(person):
    run = alone(SETUP.learners.index(person.setup.learners[0]) + 1)
    run.advance(steps=1)
    step = run.last
    assert person.shown().tolist() == step.documents[0][step.shown.ranking[0]].tolist()
    assert person.setup.replicates == 1 and person.simulation.t == 0


def test_each_list_is_that_which_the_learner_then_shows(person):
    for marks in ({1}, {3, 7}, set(), {12}):
        before = person.shown().tolist()
        person.choose(marks)
        step = person.simulation.last
        assert step.documents[0][step.shown.ranking[0]].tolist() == before
        assert set((np.flatnonzero(step.response.clicks[0]) + 1).tolist()) == marks
    assert (len(person.answers), sum(map(len, person.answers.values())), person.simulation.t) == (4, 4, 4)


def test_the_clicks_move_the_weights_as_the_algorithm_says():
    """The swap perceptron adds the features of the list with the clicked document on top, minus those of the list."""
    person = LessonSearches(SETUP, 1, RUNS.data(SETUP))
    data, rows = person.simulation.dataset, person.shown()
    person.choose({5})
    feedback = rows.copy()
    feedback[[0, 4]] = rows[[4, 0]]
    gained = data.gamma[:12] @ data.features[feedback] - data.gamma[:12] @ data.features[rows]
    np.testing.assert_allclose(person.simulation.learner.weights[0], gained, atol=1e-6)
    untouched = LessonSearches(SETUP, 1, RUNS.data(SETUP))
    untouched.choose(set())
    assert not untouched.simulation.learner.weights[0].any()


def test_then_the_simulated_user_goes_on_where_the_person_left_off(person):
    person.choose({2})
    twin = person.simulation.fork(at=2)
    twin.advance(steps=60)
    person.go_on(60)
    assert person.simulation.t == 61 and len(person.answers) == 1
    np.testing.assert_array_equal(person.simulation.history["ndcg@5"], twin.history["ndcg@5"])
    assert person.simulation.history["ndcg@5"].shape == (61, 1)
    clicks = [person.simulation.at(t).response.clicks[0].sum() for t in (20, 40, 60)]
    assert sum(clicks) > 0


def test_the_first_list_is_ordered_anew_by_what_was_learned(person):
    first = person.shown().tolist()
    person.choose({4})
    person.go_on(300)
    assert person.first_then().tolist() == first
    now = person.first_now()
    assert sorted(now) == sorted(first) and now.tolist() != first
    scores = person.simulation.dataset.features[now] @ person.simulation.learner.weights[0]
    assert (np.diff(scores) <= 1e-9).all()


def test_positions_that_are_not_there_are_no_clicks(person):
    person.choose({0, 13, 99, 6})
    assert [len(items) for items in person.answers.values()] == [1]
    assert np.flatnonzero(person.simulation.last.response.clicks[0]).tolist() == [5]
