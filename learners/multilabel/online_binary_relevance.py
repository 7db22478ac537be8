"""Online binary relevance, which hears the whole label set ([G] §5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line
from learners.compiled import compiled
from learners.multilabel.page import Page
from learners.multilabel.second_order import SecondOrderLearner, learn, look, show


@compiled
def present(page: Page, loss: int, R: float, matrices: int) -> int:
    """Show the best set by the estimated probabilities themselves."""
    look(page, R, matrices)
    return int(show(page, loss, R))


@dataclass(kw_only=True)
class OnlineBinaryRelevance(SecondOrderLearner):
    """Multilabel UCB with full information, without confidence term, where every label learns from every example.

    Since every label adds the same xxᵀ, all A_i are equal, and one matrix serves all of them.

    >>> from learners import Simulation
    >>> sim = Simulation("online-binary-relevance", "multilabel-synthetic", replicates=3)
    >>> sim.advance(steps=1000)
    >>> regret = sim.history["cumulative-regret"].mean(axis=1)
    >>> bool(regret[999] - regret[499] < 0.5 * regret[499])
    True
    """

    id: ClassVar[str] = "online-binary-relevance"
    title: ClassVar[str] = "Binary relevance (told all)"
    short: ClassVar[str] = "Told all labels"
    needs: ClassVar[str] = "all labels that are right"
    summary: ClassVar[str] = (
        "The second-order learner that hears the whole label set after every answer, and so need not explore. It "
        "shows how much it costs the bandit learner to hear only about the labels shown."
    )
    paper: ClassVar[str] = "G"
    section: ClassVar[str] = "§5 (OBR)"
    hears: ClassVar[str] = "labels"
    rules = present, learn
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Initialise $A \leftarrow I \in \mathbb{R}^{d \times d}$, $w_i \leftarrow 0$ for all $i \in [K]$",
            "The weights w of every label i are 0, and the matrix A, which says what has been seen, is the identity.",
        ),
        Line("observe", r"Receive $x_t \in \mathbb{R}^d$, $\|x_t\| = 1$"),
        Line(
            "predict",
            r"$w'_i \leftarrow w_i - \frac{w_i^\top x_t - R\,\mathrm{sign}(w_i^\top x_t)}{x_t^\top A^{-1} x_t} A^{-1} "
            r"x_t$ if $|w_i^\top x_t| > R$, else $w_i$; set $\hat\Delta_i \leftarrow x_t^\top w'_i$",
            "Each label i scores x by its weights w. Scores beyond the range R are pulled back. Δ̂ is the score that "
            "is left.",
        ),
        Line(
            "predict",
            r"$\hat p_i \leftarrow \frac{g(-\hat\Delta_i)}{g(\hat\Delta_i) + g(-\hat\Delta_i)}$",
            "The score becomes p̂, the probability that the label is right.",
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
            r"Show $\hat Y_t$ and receive $Y_t$: $s_i \leftarrow 1$ for $i \in Y_t$, $-1$ for all others",
            "It shows the set Ŷ and is told all true labels. s is 1 for a right label and −1 for all others.",
        ),
        Line(
            "update",
            r"$A \leftarrow A + x_t x_t^\top$, then "
            r"$w_i \leftarrow w'_i + \frac{1}{c''_L}\, g(s_i \hat\Delta_i)\, s_i A^{-1} x_t$",
            "The matrix notes that x was seen. The weights of every label move towards its answer s, and the "
            "farther, the less was known about x.",
        ),
    )

    def number_of_matrices(self, labels: int) -> int:
        return 1
