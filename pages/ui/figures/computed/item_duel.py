"""The dueling bandit that asks which of two movies is better, and the perceptron beside it ([C] §6.2.6, Fig. 10)."""

import numpy as np

from datasets.ranking import RankingData
from learners import Simulation, create, create_user
from learners.base import Array
from pages.ui.figures.computed.world import world
from pages.ui.figures.figure import Curves, Size, Steps

GAMMA, DELTA = 1.0, 0.1  # only their ratio matters, since the weights start at 0
POINTS = 28  # of 500 steps; 10 and 100 are among them


def by_utility(seed: int, size: Size) -> Curves:
    """Return average regret where the better of two movies is the one with the higher utility."""
    return _curves(seed, size, "item-alpha", rounded=False)


def by_rating(seed: int, size: Size) -> Curves:
    """Return average regret where the better of two movies is the one with the higher rating, in whole stars."""
    return _curves(seed, size, "item-better", rounded=True)


def _curves(seed: int, size: Size, user: str, *, rounded: bool) -> Curves:
    data = world("movies", seed, size)
    x = Steps(points=POINTS).at(size.steps)
    rows = np.array(x) - 1
    sim = Simulation(create("preference-perceptron"), data, create_user(user), size.replicates, seed, megabytes=0)
    sim.advance(steps=size.steps)
    regret = duel(data, GAMMA, DELTA, size.steps, size.replicates, rounded=rounded, seed=seed)
    average = np.cumsum(regret, axis=0) / np.arange(1, size.steps + 1)[:, None]
    return {
        "Preference Perceptron": (x, sim.history["average-regret"][rows].mean(axis=1)),
        "Dueling Bandit": (x, average[rows].mean(axis=1)),
    }


def duel(data: RankingData, gamma: float, delta: float, steps: int, people: int, *, rounded: bool, seed: int) -> Array:
    """Return what the two movies of each step lack in utility on average, (steps, people).

    At each step the bandit offers the movie that is best by w, and the one that is best by w + γu for a random
    direction u of length 1. If the second is better, it takes the step w ← w + δu. Both movies are then no longer
    offered; when fewer than two are left, all of them come back.

    Parameters
    ----------
    data : movies as features of a single query, with a task for each person.
    gamma, delta : distance of what is tried, and length of a step.
    steps, people : length of the run, and number of persons who run side by side, each with weights of their own.
    rounded : whether persons compare ratings in whole stars in place of utilities.
    seed : of the directions.

    >>> eye = np.eye(3)
    >>> data = RankingData("three", {}, eye, np.array([0, 3]), eye[:1], weights=np.array([[3.0, 1.0, 0.0]]), slots=1)
    >>> found = duel(data, 1.0, 0.1, steps=1, people=2, rounded=False, seed=0)
    >>> found.shape, bool(((found >= 0) & (found <= 3)).all())
    ((1, 2), True)
    """
    rng = np.random.default_rng([seed, 10])
    task = np.arange(people) % data.tasks
    features, utility = data.features.astype(float).T, data.utility[task]
    liked = data.grades[task] if rounded else utility
    person, left = np.arange(people), np.ones(utility.shape, dtype=bool)
    w, regret = np.zeros((people, data.dimension)), np.empty((steps, people))
    for t in range(steps):
        u = rng.standard_normal(w.shape)
        u /= np.linalg.norm(u, axis=1, keepdims=True)
        first = np.where(left, w @ features, -np.inf).argmax(axis=1)
        second = np.where(left, (w + gamma * u) @ features, -np.inf).argmax(axis=1)
        best = np.where(left, utility, -np.inf).max(axis=1)
        regret[t] = best - (utility[person, first] + utility[person, second]) / 2
        won = liked[person, second] > liked[person, first]
        w += delta * np.where(won[:, None], u, 0.0)
        left[person, first] = left[person, second] = False
        left[left.sum(axis=1) < 2] = True
    return regret
