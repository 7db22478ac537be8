"""The second-order learner with upper confidence bounds ([G] Fig. 1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import choice, real
from learners.base import Line
from learners.compiled import compiled
from learners.multilabel.page import Page
from learners.multilabel.second_order import LOGISTIC, SecondOrderLearner, learn, look, show

CONFIDENCE = ("practical", "known norm", "remark 1")
PRACTICAL, KNOWN_NORM, REMARK_1 = range(3)


@compiled
def paper_width(page: Page, remark: bool, logistic: bool, R: float, c2: float, norm: float, delta: float) -> float:
    """Return the factor of x·A⁻¹x in ε², of [G] Fig. 1 or of Remark 1. c2 : c''_L, the curvature of the loss."""
    K, d, t = len(page.w), len(page.x), page.t
    c1, largest = 4.0, (1 + R) ** 2 / 2  # c'_L and L(−R) of the loss
    if logistic:
        c1, largest = 1.0, math.log1p(math.exp(R))
    growth = d * c1 / c2**2 * math.log(1 + (t - 1) / d)
    chance = 12 / c2 * (c1 / c2 + 3 * largest) * math.log(K * (t + 4) / delta)
    return 2 * growth + chance if remark else norm**2 + growth + chance


@compiled
def present(
    page: Page, loss: int, R: float, matrices: int, curvature: float, confidence: int, width: float, norm: float,
    delta: float,
) -> int:  # fmt: skip
    """Show the best set by the upper confidence bounds of the probabilities."""
    look(page, R, matrices)
    remark = confidence == REMARK_1
    largest = 4 * R**2 if remark else math.inf
    if confidence != PRACTICAL:
        width = paper_width(page, remark, loss == LOGISTIC, R, curvature, norm, delta)
    for i in range(len(page.width)):
        page.width[i] = math.sqrt(min(width * page.q[i], largest))
    return int(show(page, loss, R))


@dataclass(kw_only=True)
class MultilabelUCB(SecondOrderLearner):
    """Shows the set that would be best if each label had the upper confidence bound of its probability.

    The paper's widths ("known norm", Fig. 1; "remark 1") are so large that a label looks certain until it has been
    shown thousands of times. "practical" keeps their shape, √(x·A⁻¹x), and makes the factor a parameter. The max
    printed in Remark 1 must be a min, since margins lie in [−R, R] and a width beyond 2R adds nothing.

    Example
    -------
    One step by hand, with x = [1] and at most one of two labels shown. Both margins are raised by √(0.3 · 1) = 0.548.
    Hence p̂ = (1 + 0.548) / 2 = 0.774 > 1/2, and label 0 is shown. It is right, so A = 2 and w = 0 + (1 − 0) · 1/2.

    >>> import numpy as np
    >>> from learners.base import Shape
    >>> from learners.multilabel.base import Context, Feedback
    >>> learner = MultilabelUCB(size=1)
    >>> learner.reset(Shape(features=1, classes=2), replicates=1, rng=np.random.default_rng(0))
    >>> context = Context(np.array([[1.0]]))
    >>> shown = learner.present(context)
    >>> shown.order, shown.size, shown.probability.round(3)
    (array([[0, 1]]), array([1]), array([[0.774, 0.774]]))
    >>> learner.update(context, shown, Feedback(right=np.array([[True, False]])))
    >>> learner.weights[0].round(3).tolist(), learner.Ainv[0].round(3).tolist()
    ([[0.5], [0.0]], [[[0.5]], [[1.0]]])
    """

    id: ClassVar[str] = "multilabel-ucb"
    title: ClassVar[str] = "Upper confidence (multilabel)"
    short: ClassVar[str] = "Upper confidence"
    needs: ClassVar[str] = "which of the labels shown are right"
    summary: ClassVar[str] = (
        "Shows a few labels and hears which of them are right, but nothing about the others. It estimates the "
        "probability of every label, raises the estimate the less it knows about the label on such examples, and "
        "shows the set that then looks best. In this way it tries labels that it knows too little about."
    )
    paper: ClassVar[str] = "G"
    section: ClassVar[str] = "Figure 1, Remark 1"
    rules = present, learn
    has_width: ClassVar[bool] = True
    explores: ClassVar[str] = "width"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Initialise $A_i \leftarrow I \in \mathbb{R}^{d \times d}$, $w_i \leftarrow 0$ for all $i \in [K]$",
        ),
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$, $\|x_t\| = 1$"),
        Line(
            "predict",
            r"$w'_i \leftarrow w_i - \frac{w_i^\top x_t - R\,\mathrm{sign}(w_i^\top x_t)}{x_t^\top A_i^{-1} x_t} "
            r"A_i^{-1} x_t$ if $|w_i^\top x_t| > R$, else $w_i$; set $\hat\Delta_i \leftarrow x_t^\top w'_i$",
            "Each label i scores x by its weights w. Scores beyond the range R are pulled back. Δ̂ is the score that "
            "is left.",
        ),
        Line(
            "predict",
            r"$\hat p_i \leftarrow \frac{g(-z_i)}{g(z_i) + g(-z_i)}$ at "
            r"$z_i = \max(\min(\hat\Delta_i + \epsilon_i, R), -R)$, with $\epsilon_i^2 \propto x_t^\top A_i^{-1} x_t$",
            "The score becomes p̂, the highest probability of the label that is still credible. ε is the width of "
            "the doubt, which is large where A has seen little like x.",
        ),
        Line(
            "predict",
            r"$\hat Y_t \leftarrow \mathrm{argmin}_Y \sum_{i \in Y} \left(c(j_i, |Y|) - \left(\frac{a}{1-a} + c(j_i, "
            r"|Y|)\right)\hat p_i\right)$ over the first $0, 1, \dots, S$ labels by falling $\hat p_i$",
            "It shows the set Ŷ of at most S labels that promises the least loss. c is what a wrong label costs at "
            "its place, and a says how much a missed label costs.",
        ),
        Line(
            "feedback",
            r"Show $\hat Y_t$ and receive $Y_t \cap \hat Y_t$: $s_i \leftarrow 1$ for $i \in Y_t \cap \hat Y_t$, $-1$ "
            r"for $i \in \hat Y_t \setminus Y_t$, $0$ for all others",
        ),
        Line(
            "update",
            r"$A_i \leftarrow A_i + |s_i|\, x_t x_t^\top$, then "
            r"$w_i \leftarrow w'_i + \frac{1}{c''_L}\, g(s_i \hat\Delta_i)\, s_i A_i^{-1} x_t$",
        ),
    )

    confidence: str = choice(
        "practical", CONFIDENCE, symbol="ε",
        help="Practical: ε² = width · x·A⁻¹x. Known norm: the paper's formula, given the length U of the true vectors. "
        "Remark 1: the paper's formula without U. The paper's two are so wide that S labels are nearly always shown.",
    )  # fmt: skip
    width: float = real(
        0.3, 0, 1000, step=0.1, named=True, when=("confidence", "practical"),
        help="How much it explores. Use 0.3 to 1 with the square loss, and 0.3 to 1 times R² with the logistic loss. "
        "With constant costs and width 0 it never shows anything.",
    )  # fmt: skip
    norm: float = real(
        3.0, 0, 1000, symbol="U", step=0.5, when=("confidence", "known norm"),
        help="Largest length of the vectors behind the true probabilities.",
    )  # fmt: skip
    delta: float = real(
        0.1, 1e-9, 1, symbol="δ", step=0.05,
        help="Probability with which the paper's widths, known norm and remark 1, may fail. Practical does not use it.",
    )  # fmt: skip
