"""Bounds of the boosting algorithms on a loss, from the progress that each round has made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.theory.bound import Bound


@dataclass(frozen=True)
class Descent:
    """The measurements of the environment.

    start : the loss before the first round. progress : the sum over the rounds of how much each
    must lower its logarithm.
    """

    start: Any
    progress: Any


def descent(d: Descent) -> Any:
    """Return start · exp(−progress), which the loss does not exceed.

    >>> round(float(descent(Descent(start=8.0, progress=np.log(4.0)))), 6)
    2.0
    """
    return d.start * np.exp(-np.asarray(d.progress))


_MOST, _PROGRESS = "upper bound from theory", "given the progress of each round so far"

BOOSTING_BOUNDS: dict[str, Bound] = {
    "training-error": Bound(
        statement="Eq. 1.1",
        paper="V",
        formula=r"\frac1m\sum_i [F(x_i) y_i \le 0] \le \frac1m \sum_i e^{-y_i F(x_i)} = "
        r"\prod_t 2\sqrt{\epsilon_t(1-\epsilon_t)}",
        symbols=r"$\epsilon_t$ weighted error of the weak hypothesis of round $t$ · $m$ labelled examples",
        note="It holds on every run. With two classes, the mean exponential loss equals it.",
        promise=_MOST,
        given=_PROGRESS,
        bounded="training error",
        evaluate=descent,
    ),
    "mcssb-theorem-4": Bound(
        statement="Theorem 4",
        paper="V",
        formula=r"F^T \le F^0 \exp\left(-\sum_t "
        r"\frac{(\sqrt{A_u^t + C A_l^t} - \sqrt{B_u^t + C B_l^t})^2}{F^{t-1}}\right)",
        symbols=r"$A_u, A_l, B_u, B_l$ of Lemma 2, at each round's weak hypothesis · $C$ weight of the labelled part",
        note="It holds on every run. (The last index is misprinted in the text.)",
        promise=_MOST,
        given=_PROGRESS,
        bounded="objective F",
        evaluate=descent,
    ),
    "ndcg-theorem-7": Bound(
        statement="Theorem 7",
        paper="V",
        variant="corrected",
        formula=r"M^T \le M^0 \exp\left(-\sum_t \frac{(\sqrt{\alpha_1^t} - \sqrt{\alpha_2^t})^2}{M^{t-1}}\right)",
        symbols=r"$\alpha_1, \alpha_2$ weight of the pairs that the weak ranker orders rightly and wrongly",
        note="It holds on every run if M is the sum over queries. The text divides M by n, which makes it false.",
        promise=_MOST,
        given=_PROGRESS,
        bounded="surrogate M",
        evaluate=descent,
    ),
    "refinement-theorem-9": Bound(
        statement="Theorem 9",
        paper="V",
        formula=r"L_p^T \le \left(\sum_{i,j} T_{i,j}\right)\left(\sum_{i,j} W_{i,j}\right) "
        r"\exp\left(-\sum_t (\sqrt{\mu_t} - \sqrt{\nu_t})^2\right)",
        symbols=r"$\mu_t, \nu_t$ weight of the pairs that the weak ranker orders rightly and wrongly · "
        r"$\eta_t = \mu_t - \nu_t$",
        note="It holds on every run. Theorem 10, with exp(−Σ η), is false; a round gains only a factor of exp(−η²/4).",
        promise=_MOST,
        given=_PROGRESS,
        bounded="product L_p",
        evaluate=descent,
    ),
}
