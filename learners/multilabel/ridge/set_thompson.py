"""Thompson sampling of sets of labels (Agrawal & Goyal 2013; Wen, Kveton & Ashkan 2015)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import real
from learners.base import Array, Line
from learners.compiled import compiled
from learners.multilabel.page import Page
from learners.multilabel.ridge.base import RidgeLearner, learn, regress, show
from learners.random import EACH


@compiled
def present(page: Page, matrices: int, spread: float) -> int:
    """Show the best set by margins drawn from N(w·x, ε²); the numbers drawn for the step are standard normal."""
    regress(page, matrices)
    for i in range(len(page.width)):
        page.width[i] = spread * math.sqrt(max(page.q[i], 0.0))
        page.delta[i] = page.margin[i] + page.width[i] * page.draws[i]
    return int(show(page))


@dataclass(kw_only=True)
class SetThompson(RidgeLearner):
    """Draws weights for each label from what it believes about them, and shows the set that is best if they are true.

    It is linear Thompson sampling with Gaussian belief, N(w_i, v² A_i⁻¹), for each label (Agrawal & Goyal 2013), and
    for the set the combinatorial one of Wen, Kveton & Ashkan (2015, CombLinTS) with the loss of [G]. A step needs of
    the drawn weights only their product with x, which is N(w_i·x, v² x·A⁻¹x) and independent between labels. So that
    is drawn, one number in place of d, with the same distribution of everything that is shown.

    It differs from the second-order learner of [G] with the square loss as `SetUCB` does: w is the solution of ridge
    regression, and no margin is clipped. Moreover it has no upper confidence bound: the scores of labels that it knows
    little about are raised in some steps and lowered in others. The regret bound of Agrawal & Goyal needs a spread
    that grows like √(d log t) (v = √(9 d ln(t/δ)) for answers within [−1, 1]; from memory, and constants differ between
    versions of the paper). In practice much smaller ones do better.

    >>> from learners import Simulation
    >>> sim = Simulation("set-thompson", "multilabel-synthetic", replicates=3)
    >>> sim.advance(steps=1000)
    >>> regret = sim.history["cumulative-regret"].mean(axis=1)
    >>> bool(regret[999] - regret[499] < 0.7 * regret[499])
    True
    """

    id: ClassVar[str] = "set-thompson"
    title: ClassVar[str] = "Thompson sampling (sets)"
    short: ClassVar[str] = "Thompson sampling"
    needs: ClassVar[str] = "which of the labels shown are right"
    summary: ClassVar[str] = (
        "Fits a linear regression to what it has heard about each label. In each step it draws a guess of every "
        "probability, the more at random the less it knows, and shows the set that would be best if the guesses were "
        "true. So it tries labels by chance that it knows too little about."
    )
    paper: ClassVar[str] = "AG13"
    works: ClassVar[Mapping[str, str]] = {
        "AG13": "Agrawal & Goyal. Thompson Sampling for Contextual Bandits with Linear Payoffs. ICML 2013."
    }
    section: ClassVar[str] = "Algorithm 1, for each label; for sets [WKA15] (CombLinTS)"
    rules = present, learn
    has_width: ClassVar[bool] = True
    draws_margins: ClassVar[bool] = True
    explores: ClassVar[str] = "spread"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Initialise $A_i \leftarrow \lambda I \in \mathbb{R}^{d \times d}$, $b_i \leftarrow 0$, all $i \in [K]$",
            "Each label i begins with b = 0, which will sum up the answers, and with a matrix A, λ times the identity, "
            "which will say what has been seen.",
        ),
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$, $\|x_t\| = 1$"),
        Line(
            "perturb",
            r"Draw $\tilde w_i \sim \mathcal{N}(w_i, v^2 A_i^{-1})$ with $w_i \leftarrow A_i^{-1} b_i$ "
            r"for all $i \in [K]$",
            "The weights w of each label are the ridge regression of the answers s on the examples it was shown for. "
            "It draws weights w̃ at random around them, farther away where A has seen less. v scales how far.",
        ),
        Line(
            "predict",
            r"$\tilde p_i \leftarrow \frac{1}{2}(1 + \tilde w_i^\top x_t)$, so that $\tilde w_i^\top x_t \sim "
            r"\mathcal{N}(w_i^\top x_t, \epsilon_i^2)$ with $\epsilon_i = v \sqrt{x_t^\top A_i^{-1} x_t}$",
            "The drawn weights give a probability p̃ of each label. It differs from the estimate by chance, with "
            "standard deviation ε/2, and it may lie outside 0 to 1.",
        ),
        Line(
            "predict",
            r"$\hat Y_t \leftarrow \mathrm{argmin}_Y \sum_{i \in Y} "
            r"\left(c_i - \left(\frac{a}{1-a} + c_i\right) \tilde p_i\right)$ with $c_i = c(j_i, |Y|)$, over the first "
            r"$0, 1, \dots, S$ labels by falling $\tilde p_i$",
            "It shows the set Ŷ of at most S labels that would be best if the drawn probabilities were true. c is what "
            "a wrong label costs at its place, and a says how much a missed label costs.",
        ),
        Line(
            "feedback",
            r"Show $\hat Y_t$ and receive $Y_t \cap \hat Y_t$: $s_i \leftarrow 1$ for $i \in Y_t \cap \hat Y_t$, $-1$ "
            r"for $i \in \hat Y_t \setminus Y_t$, $0$ for all others",
        ),
        Line(
            "update",
            r"$A_i \leftarrow A_i + |s_i|\, x_t x_t^\top$, $b_i \leftarrow b_i + s_i x_t$",
            "The matrix of each label it has heard about notes that x was seen, and b notes the answer s.",
        ),
    )

    spread: float = real(
        0.4, 0, 1000, symbol="v", step=0.1, named=True,
        help="How far the drawn weights lie from those it has learned, and so how much it explores. With constant "
        "costs and v = 0 it never shows anything.",
    )  # fmt: skip

    def draws(self, steps: int) -> Array:
        return self.rng.standard_normal((steps, EACH, self.classes))
