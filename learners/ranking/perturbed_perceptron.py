"""3PR, the perturbed preference perceptron for ranking ([S] Algorithms 2 and 3, Propositions 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import flag, real
from learners.base import Array, Line
from learners.compiled import compiled
from learners.ranking.base import RankingLearner
from learners.ranking.step.page import Page
from learners.ranking.step.rankings import discounted, form_pairs, swap_pairs


@compiled
def perturb(page: Page, swap_probability: float, dynamic: bool, delta: float) -> float:
    """Present y_t, which is ŷ_t with each of its pairs swapped with probability p; return p."""
    p = swap_probability
    if dynamic:
        p = dynamic_probability(page, delta)
    form_pairs(page, p, page.draws)
    swap_pairs(page, page.predicted, page.shown)
    return p


@compiled
def dynamic_probability(page: Page, delta: float) -> float:
    """Return p_t = clip((Δ t − R_t) / D_t, 0, 1) of Proposition 6.

    R_t is the affirmativeness of the steps before t, and D_t = w·φ(x, ŷ) − w·φ(x, y′), where y′ has all pairs swapped.
    If D_t is 0, swapping costs nothing, and p_t is 1 if Δ t ≥ R_t, else 0.
    """
    affirmed = page.memory[0]
    form_pairs(page, 1.0, page.draws)
    swap_pairs(page, page.predicted, page.shown)
    most = discounted(page, page.scores, page.predicted) - discounted(page, page.scores, page.shown)
    missing = delta * page.t - affirmed
    if most > 0.0:
        return min(max(missing / most, 0.0), 1.0)
    return 1.0 if missing >= 0.0 else 0.0


@compiled
def add_difference(page: Page, w: Array, delta: Array, change: float, heard: int) -> None:
    """Update w ← w + φ(x, ȳ) − φ(x, y) by [S] Alg. 2, relative to the perturbed ranking y, not to the predicted one."""
    weights = w[0]
    weights += delta
    page.memory[0] += change


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
    short: ClassVar[str] = "3PR"
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
        Line(
            "predict",
            r"Compute $\hat y_t \leftarrow \mathrm{argmax}_{y}\, w_t^\top \phi(x_t, y)$",
            "It scores each document by its weights w. The order by falling score, ŷ, is the ranking it believes best.",
        ),
        Line(
            "perturb",
            r"Present $y_t \leftarrow \mathrm{Perturb}(\hat y_t)$: pairs $(1,2),(3,4),\dots$ or "
            r"$(2,3),(4,5),\dots$, each swapped with probability $p$",
            "Neighbours form pairs. Each pair changes places with probability p before the user sees the ranking y.",
        ),
        Line(
            "feedback",
            r"Obtain $\bar y_t$: exchange each pair whose lower document was clicked and whose upper one was not",
            "Only pairs teach. Where the lower document of a pair was clicked and the upper one was not, the two "
            "change places in the feedback ranking ȳ.",
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
    def adapts(self) -> bool:
        return self.dynamic

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("theorem-2", "proposition-6" if self.dynamic else "proposition-5")

    def bound_terms(self) -> Mapping[str, Any]:
        return {"delta": self.delta}

    rule_to_present: ClassVar[Any] = staticmethod(perturb)
    rule_to_learn: ClassVar[Any] = staticmethod(add_difference)
    remembers: ClassVar[int] = 1
    explores: ClassVar[str] = "swap_probability"

    @property
    def reading(self) -> str:
        return "pair"

    @property
    def in_pairs(self) -> bool:
        return True

    @property
    def affirmed(self) -> Array:
        """(R,) the affirmativeness so far, Σ w·φ(x, ȳ) − w·φ(x, y), copied."""
        return self.tally[:, 0].copy()
