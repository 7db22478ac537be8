"""A linear bandit that shows the set with the best upper confidence scores (C2UCB, Qin, Chen & Zhu 2014)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import choice, real
from learners.base import Line
from learners.compiled import compiled
from learners.multilabel.page import Page
from learners.multilabel.ridge.base import RidgeLearner, learn, regress, show

CONFIDENCE = ("practical", "theorem")
PRACTICAL = CONFIDENCE.index("practical")


@compiled
def theorem_alpha(page: Page, ridge: float, norm: float, delta: float) -> float:
    """Return α_t, the factor of √(x·A⁻¹x) in ε."""
    K, d, t = len(page.w), len(page.x), page.t
    return math.sqrt(d * (math.log1p((t - 1) / ridge) + math.log(K / delta))) + math.sqrt(ridge) * norm


@compiled
def present(page: Page, matrices: int, ridge: float, confidence: int, alpha: float, norm: float, delta: float) -> int:
    """Show the best set by the upper confidence scores Δ̂ + ε."""
    regress(page, matrices)
    if confidence != PRACTICAL:
        alpha = theorem_alpha(page, ridge, norm, delta)
    for i in range(len(page.width)):
        page.width[i] = alpha * math.sqrt(max(page.q[i], 0.0))
        page.delta[i] = page.margin[i] + page.width[i]
    return int(show(page))


@dataclass(kw_only=True)
class SetUCB(RidgeLearner):
    """Shows the set that would be best if every label had its upper confidence score, by a ridge regressor a label.

    It is C2UCB, whose reward here is what a set saves of the loss of [G]. This rises with every probability, at a
    bounded rate, as Qin, Chen & Zhu assume, and the best set is found exactly. With constant costs it is a sum over the
    labels shown, and the learner is the combinatorial linear UCB of Wen, Kveton & Ashkan (2015).

    It differs from the second-order learner of [G] with the square loss in three respects. It does not pull margins
    back into [−1, 1] before it learns, so w is the solution of ridge regression on all that it has heard (with full
    matrices). It does not clip the raised margin either. So p̂ is a score that may exceed 1, and labels whose p̂ would be
    1 in [G], tied and ranked by number, still differ. And the width comes from least squares: "practical" is
    α √(x·A⁻¹x), where [G] has the factor under the root (width = α²), and "theorem" takes
    α_t = √(d ln((1 + (t − 1)/λ) K/δ)) + √λ U from the self-normalised bound, as Qin, Chen & Zhu do for one regressor,
    with δ/K for each of the K labels (its form is given from memory). Like the widths of [G] that is so large that S
    labels are nearly always shown, but which ones still depends on what was learned.

    Example
    -------
    One step by hand, with x = [1], λ = 1 and at most one of two labels shown. Both margins are raised by ½ √1 = ½, and
    p̂ = (1 + ½) / 2 = ¾. Label 0 is shown and right, so A = 2, b = 1 and w = ½.

    >>> import numpy as np
    >>> from learners.base import Shape
    >>> from learners.multilabel.base import Context, Feedback
    >>> learner = SetUCB(size=1, alpha=0.5)
    >>> learner.reset(Shape(features=1, classes=2), replicates=1, rng=np.random.default_rng(0))
    >>> context = Context(np.array([[1.0]]))
    >>> shown = learner.present(context)
    >>> shown.order, shown.size, shown.probability
    (array([[0, 1]]), array([1]), array([[0.75, 0.75]]))
    >>> learner.update(context, shown, Feedback(right=np.array([[True, False]])))
    >>> learner.weights[0].round(3).tolist(), learner.Ainv[0].round(3).tolist()
    ([[0.5], [0.0]], [[[0.5]], [[1.0]]])
    """

    id: ClassVar[str] = "set-ucb"
    title: ClassVar[str] = "Linear UCB (C2UCB)"
    short: ClassVar[str] = "C2UCB"
    needs: ClassVar[str] = "which of the labels shown are right"
    summary: ClassVar[str] = (
        "Fits a linear regression to what it has heard about each label, adds to every estimate a bonus for what it "
        "does not know, and shows the set with the best scores. It is the usual linear bandit for sets of items. "
        "Unlike “Upper confidence (multilabel)” it clips no estimate and no score."
    )
    paper: ClassVar[str] = "QCZ14"
    works: ClassVar[Mapping[str, str]] = {
        "QCZ14": "Qin, Chen & Zhu. Contextual Combinatorial Bandit and Its Application on Diversified Online "
        "Recommendation. SDM 2014.",
        "WKA15": "Wen, Kveton & Ashkan. Efficient Learning in Large-Scale Combinatorial Semi-Bandits. ICML 2015.",
    }
    section: ClassVar[str] = "Algorithm 1 (C2UCB), with the loss of [G] as the reward; see also [WKA15]"
    rules = present, learn
    has_width: ClassVar[bool] = True
    explores: ClassVar[str] = "alpha"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Initialise $A_i \leftarrow \lambda I \in \mathbb{R}^{d \times d}$, $b_i \leftarrow 0$, all $i \in [K]$",
            "Each label i begins with b = 0, which will sum up the answers, and with a matrix A, λ times the identity, "
            "which will say what has been seen.",
        ),
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$, $\|x_t\| = 1$"),
        Line(
            "predict",
            r"$w_i \leftarrow A_i^{-1} b_i$, $\hat\Delta_i \leftarrow w_i^\top x_t$ for all $i \in [K]$",
            "The weights w of each label are the ridge regression of the answers s on the examples it was shown for. "
            "Δ̂ is the answer they predict, from −1 for surely wrong to 1 for surely right.",
        ),
        Line(
            "predict",
            r"$\hat p_i \leftarrow \frac{1}{2}(1 + \hat\Delta_i + \epsilon_i)$, with "
            r"$\epsilon_i = \alpha \sqrt{x_t^\top A_i^{-1} x_t}$",
            "ε is the bonus for what is not known, which is large where A has seen little like x. The score p̂ is an "
            "upper confidence bound of the label's probability. It is not clipped, so it may exceed 1.",
        ),
        Line(
            "predict",
            r"$\hat Y_t \leftarrow \mathrm{argmin}_Y \sum_{i \in Y} "
            r"\left(c_i - \left(\frac{a}{1-a} + c_i\right) \hat p_i\right)$ with $c_i = c(j_i, |Y|)$, over the first "
            r"$0, 1, \dots, S$ labels by falling $\hat p_i$",
            "It shows the set Ŷ of at most S labels whose scores, minus what wrong labels cost, are highest. c is what "
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

    confidence: str = choice(
        "practical", CONFIDENCE, symbol="ε",
        help="Practical: ε = α √(x·A⁻¹x). Theorem: α grows with the steps as the paper's proof needs it, which is so "
        "wide that S labels are nearly always shown.",
    )  # fmt: skip
    alpha: float = real(
        0.7, 0, 1000, symbol="α", step=0.1, named=True, when=("confidence", "practical"),
        help="How much it explores, the factor of ε. What “Upper confidence (multilabel)” calls its width is α². With "
        "constant costs and α = 0 it never shows anything.",
    )  # fmt: skip
    norm: float = real(
        3.0, 0, 1000, symbol="U", step=0.5, when=("confidence", "theorem"),
        help="Largest length of the vectors behind the true probabilities.",
    )  # fmt: skip
    delta: float = real(
        0.1, 1e-9, 1, symbol="δ", step=0.05, when=("confidence", "theorem"),
        help="Probability with which the theorem's widths may fail.",
    )  # fmt: skip
