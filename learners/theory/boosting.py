"""Bounds of the boosting algorithms: what a loss has come down to at most, by the progress of each round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.theory.bound import Bound


@dataclass(frozen=True)
class Descent:
    """What a run has measured: start, the loss before the first round; progress, Σ of what each round is good for."""

    start: Any
    progress: Any


def descent(d: Descent) -> Any:
    """The loss is at most start · exp(−progress).

    >>> round(float(descent(Descent(start=8.0, progress=np.log(4.0)))), 6)
    2.0
    """
    return d.start * np.exp(-np.asarray(d.progress))


BOOSTING_BOUNDS: dict[str, Bound] = {
    "training-error": Bound(
        "Eq. 1.1 of [V]",
        r"\frac1m\sum_i [F(x_i) y_i \le 0] \le \frac1m \sum_i e^{-y_i F(x_i)} = \prod_t 2\sqrt{\epsilon_t(1-\epsilon_t)}",
        "Holds on every run; with two classes the mean exponential loss is equal to it.",
        descent,
        "training error",
        r"$\epsilon_t$ weighted error of the weak hypothesis of round $t$ · $m$ labelled examples",
    ),
    "mcssb-theorem-4": Bound(
        "Theorem 4 of [V]",
        r"F^T \le F^0 \exp\left(-\sum_t \frac{(\sqrt{A_u^t + C A_l^t} - \sqrt{B_u^t + C B_l^t})^2}{F^{t-1}}\right)",
        "Holds on every run. (The last index is misprinted in the text.)",
        descent,
        "objective F",
        r"$A_u, A_l, B_u, B_l$ of Lemma 2, at each round's weak hypothesis · $C$ weight of the labelled part",
    ),
    "ndcg-theorem-7": Bound(
        "Theorem 7 of [V], corrected",
        r"M^T \le M^0 \exp\left(-\sum_t \frac{(\sqrt{\alpha_1^t} - \sqrt{\alpha_2^t})^2}{M^{t-1}}\right)",
        "Holds on every run, with M the sum over queries; the text divides M by n, with which it is false.",
        descent,
        "surrogate M",
        r"$\alpha_1, \alpha_2$ weight of the pairs that the weak ranker orders rightly and wrongly",
    ),
    "refinement-theorem-9": Bound(
        "Theorem 9 of [V]",
        r"L_p^T \le \left(\sum_{i,j} T_{i,j}\right)\left(\sum_{i,j} W_{i,j}\right) "
        r"\exp\left(-\sum_t (\sqrt{\mu_t} - \sqrt{\nu_t})^2\right)",
        "Holds on every run. Theorem 10, with exp(−Σ η), is false; what holds is a factor exp(−η²/4) a round.",
        descent,
        "product L_p",
        r"$\mu_t, \nu_t$ weight of the pairs that the weak ranker orders rightly and wrongly · $\eta_t = \mu_t - \nu_t$",
    ),
}
