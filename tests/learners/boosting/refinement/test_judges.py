"""The judges of the first documents, of random ones, and a person."""

import numpy as np
import pytest

from learners import Simulation, create_user
from learners.base import Shape
from learners.catalogue import learner_classes, user_classes
from tests.learners.boosting.refinement.problems import LEARNERS


def test_the_judge_errs_as_often_as_it_should():
    """A noise of ½ replaces every second judgement by one of five grades: four of ten are then wrong."""
    rng, grades = np.random.default_rng(0), np.zeros(4000)
    judge = create_user("judge", judged=100, noise=0.5)
    said = [judge.judge(rng.permutation(4000), grades, np.arange(5.0), rng)[1] for _ in range(40)]
    assert abs(np.mean(np.concatenate(said) > 0) - 0.4) < 0.03
    exact = create_user("judge", judged=3).judge(np.array([2, 0, 1]), np.array([1.0, 2, 3]), np.arange(5.0), rng)
    assert exact[0].tolist() == [2, 0, 1] and exact[1].tolist() == [3, 1, 2]


def test_a_person_judges(web):
    user = create_user("person", relevant="2, 4,19", judged=5, query=2)
    sim = Simulation("ranking-refinement", web, user, replicates=1, seed=0)
    problem = sim.environment.problems[0]
    np.testing.assert_array_equal(problem.judged, sim.environment.base_ranking(0)[:5])
    assert problem.grades.tolist() == [0, 4, 0, 4, 0] and user.positions == (2, 4, 19)
    assert create_user("person", relevant=" ").positions == ()
    for bad in ("a", "1;2", "0", "1,,2", "-3", "1.5", "x" * 500):
        with pytest.raises(ValueError, match="relevant must be positions from 1 with commas between") as error:
            create_user("person", relevant=bad)
        assert len(str(error.value)) < 160
    with pytest.raises(ValueError, match="query must be a whole number in"):
        create_user("person", query=0)


def test_the_rater_rates_at_random(web):
    sims = [Simulation("rocchio", web, create_user("rater", judged=m), replicates=8, seed=0) for m in (3, 6)]
    for few_, more in zip(*(sim.environment.problems for sim in sims), strict=True):
        np.testing.assert_array_equal(few_.judged, more.judged[:3][: len(few_.judged)])
    rater, grades = create_user("rater", judged=5), np.arange(100.0)
    drawn = [rater.judge(np.arange(100), grades, grades, np.random.default_rng(k)) for k in range(60)]
    some = np.concatenate([documents for documents, _ in drawn])
    assert abs(some.mean() - 49.5) < 6 and some.max() > 90 and all((d == g).all() for d, g in drawn)


def test_users_and_learners_of_the_family():
    mine = [u for u in user_classes().values() if u.family == "refinement"]
    assert {u.id for u in mine} >= {"judge", "person", "rater"}
    shape = Shape(features=5, documents=100)
    assert all(learner_classes()[id]().memory(shape, replicates=3) > 0 for id in LEARNERS)
