"""The second-order learner with upper confidence bounds ([G] Fig. 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, real
from learners.base import Array, Line, Shape, column
from learners.multilabel.base import Context, Feedback, Shown
from learners.multilabel.second_order import SecondOrderLearner
from learners.random import Source

CONFIDENCE = ("practical", "known norm", "remark 1")


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
    >>> from learners.multilabel.base import Context
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
    needs: ClassVar[str] = "which of the labels shown are right"
    summary: ClassVar[str] = (
        "Shows a few labels and hears which of them are right, but nothing about the others. It estimates the "
        "probability of every label, raises the estimate the less it knows about the label on such examples, and "
        "shows the set that then looks best. In this way it tries labels that it knows too little about."
    )
    paper: ClassVar[str] = "G"
    section: ClassVar[str] = "Figure 1, Remark 1"
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
        ),
        Line(
            "predict",
            r"$\hat p_i \leftarrow \frac{g(-z_i)}{g(z_i) + g(-z_i)}$ at "
            r"$z_i = \max(\min(\hat\Delta_i + \epsilon_i, R), -R)$, with $\epsilon_i^2 \propto x_t^\top A_i^{-1} x_t$",
        ),
        Line(
            "predict",
            r"$\hat Y_t \leftarrow \mathrm{argmin}_Y \sum_{i \in Y} \left(c(j_i, |Y|) - \left(\frac{a}{1-a} + c(j_i, "
            r"|Y|)\right)\hat p_i\right)$ over the first $0, 1, \dots, S$ labels by falling $\hat p_i$",
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
        0.1, 0, 1, low_open=True, symbol="δ", step=0.05,
        help="Probability with which the paper's widths, known norm and remark 1, may fail. Practical does not use it.",
    )  # fmt: skip

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.t = 1  # number of the next step

    def width_of(self, q: Array) -> Array:
        if self.confidence == "practical":
            return np.asarray(np.sqrt(column(self.width) * q))
        # [G] Fig. 1 and Remark 1: c'_L and L(−R) of the loss, c''_L its curvature
        R, c2 = column(self.R), column(self.curvature)
        c1, largest = (4.0, (1 + R) ** 2 / 2) if self.loss == "square" else (1.0, np.log1p(np.exp(R)))
        growth = self.features * c1 / c2**2 * np.log(1 + (self.t - 1) / self.features)
        chance = 12 / c2 * (c1 / c2 + 3 * largest) * np.log(self.classes * (self.t + 4) / column(self.delta))
        if self.confidence == "known norm":
            return np.asarray(np.sqrt(q * (column(self.norm) ** 2 + growth + chance)))
        return np.asarray(np.sqrt(np.minimum(q * (2 * growth + chance), 4 * R**2)))

    def signs(self, shown: Shown, feedback: Feedback) -> Array:
        assert feedback.right is not None
        most = int(shown.size.max())
        sign = np.zeros(shown.order.shape)
        known = np.where(np.arange(most) < shown.size[:, None], 1.0, 0.0)
        right = np.take_along_axis(feedback.right, shown.order[:, :most], axis=1)
        np.put_along_axis(sign, shown.order[:, :most], np.where(right, known, -known), axis=1)
        return sign

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> None:
        super().update(context, shown, feedback)
        self.t += 1
