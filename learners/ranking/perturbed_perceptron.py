"""3PR, the perturbed preference perceptron for ranking ([S] Algorithms 2 and 3, Propositions 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import flag, real
from learners.base import Array, Line, Shape
from learners.random import Source
from learners.ranking.base import Context, Feedback, RankingLearner, Shown
from learners.ranking.parts.feedback import draws_for_pairs, form_pairs, interpret, swap_pairs


@dataclass(kw_only=True)
class PerturbedPerceptron(RankingLearner):
    """Swaps adjacent pairs at random before showing them, and learns from clicks within the pairs.

    With `dynamic` the swap probability follows Proposition 6. It rises while the cumulative affirmativeness, which says
    how much the feedback confirms the model, falls short of Δ per step.

    >>> from learners import Simulation
    >>> sim = Simulation("perturbed-perceptron", "toy-ranking", "cascade", replicates=20, seed=0)
    >>> sim.advance(steps=300)
    >>> bool(sim.history["rank-of-best-predicted"][-100:].mean() < 1.1)
    True
    """

    id: ClassVar[str] = "perturbed-perceptron"
    title: ClassVar[str] = "Perturbed perceptron (3PR)"
    needs: ClassVar[str] = "clicks, or an improved ranking"
    summary: ClassVar[str] = (
        "Swaps adjacent documents at random before it shows a ranking, and learns only from which document of a "
        "pair is clicked. The ranking shown is slightly worse. In return, clicks confirm a correct belief at least as "
        "much as they contradict it, so that it lasts."
    )
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "Algorithms 2 and 3; Proposition 6 for the dynamic swap probability"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$"),
        Line("observe", r"Observe $x_t$"),
        Line("predict", r"Compute $\hat y_t \leftarrow \mathrm{argmax}_{y}\, w_t^\top \phi(x_t, y)$"),
        Line(
            "perturb",
            r"Present $y_t \leftarrow \mathrm{Perturb}(\hat y_t)$: pairs $(1,2),(3,4),\dots$ or "
            r"$(2,3),(4,5),\dots$, each swapped with probability $p$",
        ),
        Line(
            "feedback",
            r"Obtain $\bar y_t$: exchange each pair whose lower document was clicked and whose upper one was not",
        ),
        Line("update", r"Update $w_{t+1} \leftarrow w_t + \phi(x_t, \bar y_t) - \phi(x_t, y_t)$"),
    )

    swap_probability: float = real(
        0.5, 0, 1, symbol="p", step=0.05, named=True, when=("dynamic", False),
        help="Probability that each pair is swapped before it is shown. 0 switches protection off; 0.5 is a coin flip. "
        "Try 0.1.",
    )  # fmt: skip
    dynamic: bool = flag(
        False,
        help="Let the learner choose its swap probability at every step by how much the clicks agree with it "
        "(Proposition 6). Watch it rise and fall with the noise.",
    )
    delta: float = real(
        0.0, 0, 10, symbol="Δ", step=0.05, when=("dynamic", True),
        help="Mean affirmativeness at which the dynamic rule aims. 0 only asks for balance; larger values make it swap "
        "more.",
    )  # fmt: skip

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("theorem-2", "proposition-6" if self.dynamic else "proposition-5")

    def bound_terms(self) -> Mapping[str, Any]:
        return {"delta": self.delta}

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.affirmed: Array = np.zeros(replicates)  # R_t: Σ over steps before t of w·φ(x, ȳ) − w·φ(x, y)
        self.t = 1

    def present(self, context: Context) -> Shown:
        best = self.best(context, places=context.slots + 1)  # a pair may reach one place beyond the last slot
        draws = draws_for_pairs(context, self.rng)
        p: Any = self.swap_probability
        if self.dynamic:
            assert best.scores is not None
            p = self.dynamic_probability(context, best.predicted, best.scores, draws)
        pairs = form_pairs(context, p, draws)
        return Shown(swap_pairs(context, best.predicted, pairs), best.predicted, best.scores, pairs, p)

    def dynamic_probability(self, context: Context, predicted: Array, scores: Array, draws: Array) -> Array:
        """Return p_t = clip((Δ t − R_t) / D_t, 0, 1) of Proposition 6, shape (R,).

        D_t = w·φ(x, ŷ) − w·φ(x, y′), where y′ has all pairs swapped. If D_t is 0, swapping costs nothing, and p_t is 1
        if Δ t ≥ R_t, else 0.
        """
        every_pair = form_pairs(context, 1.0, draws)
        most = context.discounted(scores, predicted) - context.discounted(
            scores, swap_pairs(context, predicted, every_pair)
        )
        missing = self.delta * self.t - self.affirmed
        p = np.divide(missing, most, out=np.where(missing >= 0, 1.0, 0.0), where=most > 0)
        clipped: Array = np.clip(p, 0.0, 1.0)
        return clipped

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> Array:
        improved = interpret(context, shown, feedback, "pair")
        # [S] Alg. 2: the update is relative to the perturbed ranking y, not to the predicted one
        self.w = self.w + context.feature_difference(improved, shown.ranking)
        if self.dynamic:
            assert shown.scores is not None
            change = context.discounted(shown.scores, improved) - context.discounted(shown.scores, shown.ranking)
            self.affirmed, self.t = self.affirmed + change, self.t + 1
        return improved
