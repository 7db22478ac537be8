"""A structured predictor with Fenchel–Young loss that learns from bandit feedback (Shibukawa et al. 2025)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import choice, real
from learners.base import Array, Line
from learners.compiled import compiled
from learners.multilabel.algebra import products
from learners.multilabel.base import MultilabelLearner
from learners.multilabel.page import Page
from learners.multilabel.sets import best_size, rounded
from learners.multilabel.unheard import ESTIMATORS, draw, estimate
from learners.random import EACH
from learners.vectors import rank


@compiled
def present(page: Page, q: float) -> int:
    """Show the best set by the probabilities σ(w·x), or with probability q a random set of s labels."""
    products(page.w, page.x, page.margin)
    for i in range(len(page.w)):
        page.probability[i] = page.estimate[i] = rounded(1 / (1 + math.exp(-page.margin[i])))
        page.delta[i] = 0.0
    rank(page.probability, page.order)
    size = best_size(page.probability, page.order, page.a, page.constant, page.cap)
    for j in range(size):
        page.delta[page.order[j]] = 1.0  # the set that it would show, z
    if page.draws[len(page.w)] >= q:
        return int(size)
    return int(draw(page))


@compiled
def learn(page: Page, q: float, rate: float, estimator: int) -> None:
    """Take a gradient step w_i ← w_i − η (p̂_i − ỹ_i) x, where ỹ estimates the labels without bias."""
    estimate(page, q, estimator)
    for i in range(len(page.w)):
        step = rate * (page.heard[i] - page.estimate[i])
        for j in range(len(page.x)):
            page.w[i, j] += step * page.x[j]


@dataclass(kw_only=True)
class StructuredBandit(MultilabelLearner):
    """Learns a set of labels as one structure, by the Fenchel–Young loss Σ ln(1 + exp θ_i) − θ·y of its scores θ.

    The gradient is σ(θ) − y. Since y is not heard, an estimate ỹ without bias takes its place (`unheard`). The paper
    decodes at random where scores are near 0; here ŷ is the best set ([G] Eq. 3), so that a, c and S hold.

    >>> from learners import Simulation
    >>> sim = Simulation("structured-bandit", "multilabel-synthetic")
    >>> sim.advance(steps=2000)
    >>> bool(sim.history["loss"][-1, 0] < 0.9 * sim.history["loss"][99, 0])
    True
    """

    id: ClassVar[str] = "structured-bandit"
    title: ClassVar[str] = "Structured bandit"
    needs: ClassVar[str] = "which labels shown are right, or only how many"
    summary: ClassVar[str] = "Steps towards an estimate of the label set, even if it only hears how many are right."
    paper: ClassVar[str] = "STSY25"
    works: ClassVar[Mapping[str, str]] = {
        "STSY25": "Shibukawa, Tsuchiya, Sakaue & Yamanishi. Bandit and Delayed Feedback in Online Structured "
        "Prediction. NeurIPS 2025."
    }
    section: ClassVar[str] = "bandit feedback, logistic loss of each label (from the abstract and memory)"
    rules = present, learn
    linear: ClassVar[bool] = True
    explores: ClassVar[str] = "q"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_i \leftarrow 0$ for all $i \in [K]$", "The weights w of all labels are 0."),
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$"),
        Line(
            "predict",
            r"$\hat p_i \leftarrow \sigma(w_i^\top x_t)$; $z_t \leftarrow$ the best first $0, 1, \dots, S$ labels",
            "The score of each label becomes a probability p̂, and z is the set that promises the least loss.",
        ),
        Line(
            "perturb",
            r"$\hat y_t \leftarrow z_t$ with probability $1 - q$, else $\min\{S, K-1\}$ labels drawn at random",
            "Mostly it shows z, and with probability q a random set.",
        ),
        Line(
            "feedback",
            r"Show $\hat y_t$; hear $\hat y_t \odot y_t$, or only $\hat y_t^\top y_t$ (pseudo-inverse)",
            "It shows the set and hears which labels are right, or only how many.",
        ),
        Line(
            "update",
            r"$w_i \leftarrow w_i - \eta\,(\hat p_i - \tilde y_i)\,x_t$ with $\tilde y_i = \hat y_i y_i / P_{ii}$ or "
            r"$\tilde y = P^{+} \hat y\,(\hat y^\top y)$, $P = \mathbb{E}[\hat y \hat y^\top]$",
            "The true labels are estimated by ỹ. On average it is right, since what is rarely shown counts more.",
        ),
    )

    q: float = real(0.1, 1e-6, 1, symbol="q", step=0.05, named=True, help="Share of steps that show a random set.")
    rate: float = real(0.05, 1e-6, 100, symbol="η", step=0.01, named=True, help="Length of the gradient step.")
    estimator: str = choice("inverse-weighted", ESTIMATORS, named=True, help="The pseudo-inverse hears only a number.")

    def draws(self, steps: int) -> Array:
        return self.rng.random((steps, EACH, self.classes + 1))
