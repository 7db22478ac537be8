"""Measures what each learner reaches, how soon it is where the first one ends, and what a step costs, side by side."""

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from datasets import load
from learners import Simulation, create, create_user
from pages.ui.figures.figure import Curves, Size

REACHED, NEEDED, COST = "at the end", "steps to where the first ends", "µs a step"
WARM = 20  # steps before the clock starts, so that nothing is left to compile
Learners = Mapping[str, tuple[str, Mapping[str, Any]]]  # by a name with its year, id and parameters

RANKERS: Learners = {
    "DBGD 2009": ("dueling-bandit", {"gamma": 1.0, "delta": 0.01}),
    "PrefP, top 2012": ("preference-perceptron", {"feedback": "top"}),
    "3PR 2013": ("perturbed-perceptron", {}),
    "Pairwise 2013": ("pairwise-greedy", {}),
    "TD-MGD 2016": ("multileave-descent", {}),
    "PDGD 2018": ("pairwise-differentiable", {}),
}
CLASSIFIERS: Learners = {
    "Banditron 2008": ("banditron", {"gamma": 0.1}),
    "ag3 2010": ("adaptive-banditron", {"strategy": "ag3"}),
    "Newtron 2011": ("newtron", {}),
    "Confidit 2013": ("confidit", {}),
    "SOBA 2017": ("soba", {}),
    "Gaptron × 100, 2020": ("gaptron", {"scale": 100.0}),
    "ε-greedy": ("epsilon-greedy", {}),
    "SquareCB 2020": ("inverse-gap", {}),
}
CHOOSERS: Learners = {
    "[G] 2012": ("multilabel-ucb", {}),
    "Thompson 2013": ("set-thompson", {}),
    "C2UCB 2014": ("set-ucb", {}),
}


def rankers(seed: int, size: Size) -> Curves:
    """Return the table of ranking from informational clicks: NDCG@10 on test queries."""
    data = load("web-search", queries=2_000, test_queries=500, documents=24, lengths="varied", data_seed=seed)
    user = create_user("dependent-click", behaviour="informational")
    return _table(RANKERS, data, user, seed, size.steps, "held-out-ndcg@10", -1)


def classifiers(seed: int, size: Size) -> Curves:
    """Return the table of learning the digits from right and wrong: the error rate so far."""
    return _table(CLASSIFIERS, load("digits"), None, seed, size.steps, "error-rate", 1)


def choosers(seed: int, size: Size) -> Curves:
    """Return the table of choosing sets of labels: the mean loss so far."""
    data = load("multilabel-synthetic", density=0.1, data_seed=seed)
    return _table(CHOOSERS, data, None, seed, size.steps, "loss", 1)


def _table(learners: Learners, data: Any, user: Any, seed: int, steps: int, metric: str, sign: int) -> Curves:
    """Run each learner once and return the three rows. sign : 1 where lower is better, −1 where higher is.

    A learner is where the first one ends from the step on after which it is never worse again; a learner that never is
    counts as needing all steps.
    """
    reached: list[float] = []
    needed: list[float] = []
    cost: list[float] = []
    goal = np.nan
    for id, params in learners.values():
        Simulation(create(id, **params), data, user, replicates=1, seed=seed).advance(steps=WARM)
        run = Simulation(create(id, **params), data, user, replicates=1, seed=seed)
        began = time.process_time()
        run.advance(steps=steps)
        cost.append(1e6 * (time.process_time() - began) / steps)
        curve = run.history[metric][:, 0]
        goal = float(curve[-1]) if not reached else goal
        worse = np.flatnonzero(sign * curve > sign * goal)
        reached.append(float(curve[-1]))
        needed.append(float(min(worse[-1] + 2, steps)) if len(worse) else 1.0)
    return {REACHED: (tuple(learners), reached), NEEDED: (tuple(learners), needed), COST: (tuple(learners), cost)}
