"""CascadeKL-UCB, a bandit for the cascade model of clicks (Kveton, Szepesvári, Wen & Ashkan, ICML 2015)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.ranking.fixed_list.base import TabularLearner, rank_shuffled
from learners.ranking.step.page import CLICKS, Page
from learners.ranking.step.work import rows_of

STEPS = 50  # of Newton's method at most; about five are enough


@compiled
def index(w: float, count: float, budget: float) -> float:
    """Return the largest q in [w, 1] with count · KL(w, q) ≤ budget, for Bernoulli distributions; 1 without counts.

    [KSWA15] §3: U_t(e) = max{q ∈ [ŵ, 1] : T D_KL(ŵ ‖ q) ≤ log t + 3 log log t}

    KL(w, q) is convex in q, so that Newton's method falls to the root from any q above it. It starts at the lower of
    two such: by Pinsker's inequality KL ≥ 2(q − w)², and KL ≥ −H(w) − (1 − w) log(1 − q) with the entropy H.
    """
    if count == 0.0 or w == 1.0:
        return 1.0
    if budget <= 0.0:
        return w
    most = budget / count
    own = (1.0 - w) * np.log(1.0 - w) + (w * np.log(w) if w > 0.0 else 0.0)  # −H(w)
    q = min(w + np.sqrt(0.5 * most), 1.0 - np.exp((own - most) / (1.0 - w)))
    for _ in range(STEPS):
        if q >= 1.0 or q <= w:
            break
        excess = own - (1.0 - w) * np.log(1.0 - q) - (w * np.log(q) if w > 0.0 else 0.0) - most
        slope = (1.0 - w) / (1.0 - q) - w / q
        if slope <= 0.0 or excess <= 1e-13 * slope:
            break
        q -= excess / slope
    return max(q, w)


@compiled
def show_by_index(page: Page) -> float:
    """Show the documents by their indices, ties at random; predict by the means ŵ. Overwrites `page.key`."""
    n, t = page.shown.shape[0], float(page.t)
    budget = max(0.0, np.log(t) + 3.0 * np.log(np.log(t))) if t > 1.0 else 0.0
    counts, wins = page.memory[:n], page.memory[n:]
    for i in range(n):
        page.key[i] = index(wins[i] / max(counts[i], 1.0), counts[i], budget)
    rank_shuffled(page, page.key, page.draws, page.shown)
    for i in range(n):
        page.key[i] = wins[i] / max(counts[i], 1.0)
    rank_shuffled(page, page.key, page.draws, page.predicted)
    return 0.0


@compiled
def learn_from_first(page: Page, w: Array, delta: Array, change: float, heard: int) -> None:
    """Count 1 for the document of the first click, and 0 for those above it, or for all shown if there is none."""
    if heard != CLICKS:
        return
    n = page.shown.shape[0]
    counts, wins = page.memory[:n], page.memory[n:]
    for i in range(page.on_page):
        e = page.shown[i]
        counts[e] += 1.0
        if page.clicks[i]:
            wins[e] += 1.0
            return


@dataclass(kw_only=True)
class CascadeKlUcb(TabularLearner):
    """Shows the documents whose chance of a click may be highest, by an upper confidence bound.

    A user of the cascade model reads down the list and clicks the first document that attracts. So those above the
    first click did not attract, the one clicked did, and those below were not seen. Of several clicks it uses the
    first. The paper begins with one observation of each document for free. Here a document that was never seen has the
    index 1, and comes first. While log t + 3 log log t is negative, it counts as 0. Ties are broken at random. State of
    a replicate: T (n,) and T ŵ (n,).

    Source: Kveton, Szepesvári, Wen and Ashkan, Cascading Bandits: Learning to Rank in the Cascade Model, ICML 2015,
    Algorithm 1 with the KL-UCB index.

    >>> from learners import Simulation, create_user
    >>> sim = Simulation("cascade-kl-ucb", "toy-ranking", create_user("cascade", noise=0.1), replicates=3, seed=0)
    >>> sim.advance(steps=500)
    >>> sim.history["rank-of-best-predicted"][-1].tolist()
    [1.0, 1.0, 1.0]
    >>> sim.learner.means.argmax(axis=1).tolist(), sim.learner.counts.shape
    ([0, 0, 0], (3, 10))
    """

    id: ClassVar[str] = "cascade-kl-ucb"
    title: ClassVar[str] = "CascadeKL-UCB"
    summary: ClassVar[str] = (
        "Estimates how likely each document attracts a click, adds what it does not know yet, and ranks by the sum. It "
        "takes the user for one who reads down the list and clicks once, and needs one fixed list of documents."
    )
    paper: ClassVar[str] = "KSWA15"
    works: ClassVar[Mapping[str, str]] = {
        "KSWA15": "Kveton, Szepesvári, Wen & Ashkan. Cascading Bandits: Learning to Rank in the Cascade Model. ICML "
        "2015."
    }
    section: ClassVar[str] = "Algorithm 1"
    cells: ClassVar[tuple[str, ...]] = ("d{j} seen", "d{j} clicks")
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"For each document $e$: $T_0(e) \leftarrow 0$, $\hat w_0(e) \leftarrow 0$",
            "It has seen no document yet. T(e) counts how often document e was seen, and ŵ(e) is the share of these "
            "times in which it was clicked.",
        ),
        Line(
            "predict",
            r"$U_t(e) \leftarrow \max\{q \in [\hat w(e), 1] : T_{t-1}(e)\, D_{KL}(\hat w(e) \| q) \leq \log t + "
            r"3 \log \log t\}$",
            "U(e) is the highest chance of a click that the past of document e still allows. It falls with the number "
            "of times that e was seen, and is 1 for a document that was never seen.",
        ),
        Line(
            "perturb",
            r"Show the documents by falling $U_t(e)$",
            "It shows the documents with the highest U on top. By its best guess alone it would rank by ŵ.",
        ),
        Line(
            "feedback",
            r"Observe the position $C_t$ of the first click",
            "The user reads down to the first click, or to the end. Only these documents count as seen.",
        ),
        Line(
            "update",
            r"For $k = 1, \dots, C_t$ with $e = y_k$: $T_t(e) \leftarrow T_{t-1}(e) + 1$, $\hat w_t(e) \leftarrow "
            r"\big(T_{t-1}(e)\, \hat w_{t-1}(e) + 1\{C_t = k\}\big) / T_t(e)$",
            "The document clicked counts 1, and each document above it counts 0. Without a click all shown count 0.",
        ),
    )

    rule_to_present: ClassVar[Any] = staticmethod(show_by_index)
    rule_to_learn: ClassVar[Any] = staticmethod(learn_from_first)

    def remembered(self, shape: Shape) -> int:
        return 2 * shape.documents

    def draws(self, n: int, steps: int) -> Array:
        return rows_of(self.rng.random, steps, n)

    def remark(self, replicate: int) -> str:
        return "It counts the documents down to the first click as seen, and without a click all of them."

    @property
    def counts(self) -> Array:
        """(R, n) how often each document was seen, copied."""
        return self.tally[:, : self.tally.shape[1] // 2].copy()

    @property
    def means(self) -> Array:
        """(R, n) the share of these times in which it was clicked, copied."""
        wins: Array = self.tally[:, self.tally.shape[1] // 2 :]
        return wins / np.maximum(self.counts, 1.0)
