"""The race of [C] Fig. 9 with a duel in which only clicks on the first five places count, the page of Eq. 21."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Array
from learners.compiled import compiled
from learners.ranking.dueling_bandit import DuelingBandit, step_if_won
from learners.ranking.step.page import CLICKS, NOTHING, Page
from learners.ranking.step.rankings import TOP, click_on_top
from learners.sweep.sampled_run import values_at
from pages.ui.figures.figure import Curves, Size, Steps


@compiled
def step_if_won_above(page: Page, w: Array, difference: Array, change: float, heard: int, delta: float) -> None:
    """Update w ← w + δ u if w + γu got more clicks on the first `TOP` places."""
    if heard != NOTHING:
        click_on_top(page)
        page.clicks[TOP:] = False
        step_if_won(page, w, difference, change, CLICKS, delta)


@dataclass(kw_only=True)
class FirstFive(DuelingBandit):
    """The dueling bandit whose user clicks on nothing below the fifth place."""

    rule_to_learn: ClassVar[Any] = staticmethod(step_if_won_above)


def noisy(seed: int, size: Size) -> Curves:
    """Return the average regret of both learners with a user who grades the first ten documents."""
    data, at = load("web-search", data_seed=seed, **size.data), Steps(points=41).at(size.steps)
    learners = {
        "Preference Perceptron": create("preference-perceptron"),
        "Dueling Bandit": FirstFive(gamma=1.0, delta=0.04),
    }
    found = {}
    for name, learner in learners.items():
        run = Simulation(learner, data, create_user("depth", k=10), replicates=size.replicates, seed=seed, megabytes=0)
        run.advance(steps=size.steps)
        found[name] = at, values_at(run.history, "average-regret", at).mean(axis=1)
    return found
