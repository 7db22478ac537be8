"""The batch preference perceptron: k updates at once ([C] Algorithm 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import integer
from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.ranking.preference_perceptron import PreferencePerceptron
from learners.ranking.step.page import Page


@compiled
def add_in_batches(page: Page, w: Array, delta: Array, change: float, heard: int, k: int) -> None:
    """Gather the differences of k steps in the second row, then update w.

    [C] Alg. 2: w_{l+1} ← w_l + Σ_{j = s+1 … t} φ(x_j, ȳ_j) − φ(x_j, y_j)
    """
    weights, gathered = w[0], w[1]
    gathered += delta
    if page.t % k == 0:
        weights += gathered
        gathered[:] = 0.0


@dataclass(kw_only=True)
class BatchPerceptron(PreferencePerceptron):
    """Collects φ(x, ȳ) − φ(x, y) over k steps and adds the sum to its weights.

    The batch that ends at step t = s + k covers the steps s + 1 … t. The printed sum begins at s, which would count the
    last step of every batch twice.

    >>> from datasets import load
    >>> from learners import Simulation
    >>> data = load("web-search", queries=10, documents=5, features=3)
    >>> sim = Simulation(BatchPerceptron(k=3), data, "strict-alpha", seed=0)
    >>> [bool((step.after != step.before).any()) for _, step in zip(range(6), sim)]
    [False, False, True, False, False, True]
    """

    id: ClassVar[str] = "batch-perceptron"
    title: ClassVar[str] = "Batch perceptron"
    short: ClassVar[str] = "Batch"
    summary: ClassVar[str] = (
        "The preference perceptron for a busy site. It gathers the feedback of k steps and then learns from all of it. "
        "Theory allows the regret to grow by the factor √k; in practice it grows much less."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "Algorithm 2, Lemma 4, §6.2.3"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Initialise $w_1 \leftarrow 0$, $l \leftarrow 1$, $s \leftarrow 0$",
            "It begins with weights w of 0. l counts its updates, and s is the step of the latest one.",
        ),
        Line("observe", r"Observe $x_t$"),
        Line("predict", r"Present $y_t \leftarrow \mathrm{argmax}_{y}\, w_l^\top \phi(x_t, y)$"),
        Line("feedback", r"Obtain feedback $\bar y_t$"),
        Line(
            "update",
            r"If $t = s + k$: update $w_{l+1} \leftarrow w_l + \sum_{j=s+1}^t \phi(x_j, \bar y_j) - \phi(x_j, y_j)$, "
            r"$l \leftarrow l + 1$, $s \leftarrow t$",
            "It gathers what it is told, and adds it all to the weights once in k steps.",
        ),
    )

    k: int = integer(
        10, 1, 100_000, symbol="k", named=True,
        help="Steps between two updates. 1 is the preference perceptron. Try 10 and 100 and see how little it costs.",
    )  # fmt: skip

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("lemma-4",)

    def bound_terms(self) -> Mapping[str, Any]:
        return {"k": self.k}

    rule_to_learn: ClassVar[Any] = staticmethod(add_in_batches)
    rows: ClassVar[int] = 2
    retrains: ClassVar[bool] = True

    def remark(self, replicate: int) -> str:
        k = int(np.broadcast_to(self.k, len(self.state))[replicate])
        if self.t % k == 0:
            return f"This step ends a batch, so what its {k:,} steps have gathered is added to w at once."
        return f"It gathers what {k:,} steps teach, and w moves next after step {self.t + k - self.t % k:,}."

    @property
    def gathered(self) -> Array:
        """(R, d) the sum of the differences since the last update, copied."""
        return self.state[:, 1].copy()

    def memory(self, shape: Shape, replicates: int) -> int:
        return 2 * super().memory(shape, replicates)
