"""The Banditron that also learns from right answers with too small a margin ([B] §6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import real
from learners.base import Line
from learners.classification import banditron
from learners.classification.banditron import Banditron
from learners.classification.block import Turn, following, move, probability
from learners.classification.linear import Vector
from learners.compiled import compiled


@compiled
def update(x: Vector, turn: Turn, margin: float) -> None:
    """Update as the Banditron, and move weight from the second label to a right one that leads by too little."""
    label, predicted = turn.label[0], turn.predicted[0]
    exploit = label == predicted
    second = following(turn.scores, predicted)
    lead = turn.scores[predicted] - turn.scores[second]
    gain = turn.right[0] / probability(turn)
    wider = gain if exploit and lead < margin else 0.0
    move(x, turn, 0, label, gain + wider - exploit)
    if exploit:
        move(x, turn, 1, second, -wider)
    else:
        move(x, turn, 1, predicted, -1.0)


@dataclass(kw_only=True)
class BanditronMargin(Banditron):
    """Stochastic subgradient descent on the multiclass hinge loss, from right and wrong alone.

    [B] only sketches it. With full information, the step after a mistake is the perceptron's. If the prediction is
    right but leads the second label s by less than the margin, the step adds x to row ŷ and subtracts it from row s.
    The first part is estimated as in the Banditron, the second from steps in which ŷ is played and right, divided by
    P(ŷ). The mean over the labels drawn is then the full step. With margin 0 it is the Banditron.

    >>> from learners import Simulation, create
    >>> runs = [create("banditron-margin", margin=0), create("banditron")]
    >>> first, second = (Simulation(x, "digits", replicates=2) for x in runs)
    >>> first.advance(steps=300), second.advance(steps=300)
    (None, None)
    >>> bool((first.history["mistakes"] == second.history["mistakes"]).all())
    True
    """

    id: ClassVar[str] = "banditron-margin"
    title: ClassVar[str] = "Banditron with margin"
    short: ClassVar[str] = "Banditron, margin"
    summary: ClassVar[str] = (
        "A Banditron that also updates when its right answer leads by too little, and then widens the lead over the "
        "second label. It learns more from each right answer, but its bound for separable data is worse."
    )
    rules = banditron.present, update
    section: ClassVar[str] = "§6, Margin-Based Updates (a sketch; the step is ours)"
    lines: ClassVar[tuple[Line, ...]] = (
        *Banditron.lines,
        Line(
            "update",
            r"If $\hat y_t = \tilde y_t = y_t$ and $(W^t x_t)_{\hat y_t} < (W^t x_t)_s + m$ with $s = "
            r"\mathrm{argmax}_{r \ne \hat y_t} (W^t x_t)_r$: add $x_t / P(\tilde y_t)$ to row $\hat y_t$ and subtract "
            r"it from row $s$",
            "If it was right but hardly ahead of the second best class s, by less than the margin m, it moves the "
            "rows of the two apart.",
        ),
    )

    margin: float = real(
        50.0, 0, 1000, symbol="m", step=10,
        help="By how much the right label must lead. A correct random label gains up to K/γ ‖x‖² in score, so margins "
        "of that size matter; 0 is the Banditron. Try 0 and 20.",
    )  # fmt: skip

    @property
    def bounds(self) -> tuple[str, ...]:
        return ()
