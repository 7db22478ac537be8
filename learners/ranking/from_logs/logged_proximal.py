"""Safe learning from a log: proximal ranking policy optimisation (Gupta, Oosterhuis & de Rijke, CIKM 2024)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import choice, integer, real
from learners.base import Line, Shape
from learners.compiled import compiled
from learners.off_policy.proximal import rank_safely, room_for
from learners.ranking.from_logs.base import LoggedLearner, WeighingLearner
from learners.ranking.from_logs.table import LIST, attend, show_logged, weigh_clicks
from learners.ranking.step.page import Page

REWARDS = ("relative", "plain")
RELATIVE = 0


@compiled
def rank_proximally(
    page: Page, epsilon: float, propensities: float, eta: float, clip: float, reach: float, patience: float,
    rewards: float,
) -> float:  # fmt: skip
    """Read the log, and predict what gains most near its list, by relevance estimated doubly robust."""
    n = page.shown.shape[0]
    show_logged(page, epsilon)
    attend(page, propensities, eta)
    weigh_clicks(page, epsilon, clip, True)
    for k in range(n):
        page.key[int(page.memory[LIST * n + k])] = page.gamma[k]
    room = page.memory[page.memory.shape[0] - n * n - 6 * (n + 1) :]
    bound = reach if page.t > patience else 1.0
    rank_safely(page.tried, page.key, page.gamma, bound, rewards == RELATIVE, room, page.predicted)
    return 0.5


@dataclass(kw_only=True)
class LoggedProximal(WeighingLearner):
    """Gains nothing by moving a document farther from its place in the log's list than its reach allows.

    With ω₀ and ω the discounts of a document's places in the list of the log and in the new one, it maximises
    Σ_d ω₀ r_d clip(ω/ω₀), with rewards r_d estimated doubly robust, relative to their mean. A document above the mean
    counts with at most `reach` times its old discount, one below with no less than 1 / reach of it. So there is nothing
    to gain from a ranking far from one that is known to be fair, whatever users do and however wrong the estimates. The
    best ranking is an assignment of documents to places, found exactly in each step.

    The promise is a bound on what estimates can lose, however wrong: plain `rewards` lose less the nearer `reach`
    is to 1 (`off_policy.learn.safe` says how much). Relative ones learn faster, and keep that promise at 1 alone.
    Neither promises a gain from few clicks, and without patience half of all lists are worse than the log's after two
    interactions, the last one after 81. Until `patience` interactions the reach is 1: it keeps the list of the ranker
    in use, and gains nothing. With 100 of them it was at no size of 400 logs (up to 2,000) worse than what the log
    shows, but for two lists that are themselves worse than with their neighbours exchanged. For none to be worse than
    its own list without any exchange it takes 500 (`tests.benchmarks.bench_off_policy`).

    Clip and bounds for rewards as they are follow the abstract and the authors' code (cikm-safeultr). Relative rewards
    and `patience` are ours; the code only has, commented out, a clip that widens with the number of interactions.

    Source: Gupta, Oosterhuis & de Rijke, Practical and Robust Safety Guarantees for Advanced Counterfactual Learning to
    Rank, CIKM 2024.

    >>> from learners import Simulation, create
    >>> sim = Simulation(create("logged-proximal", reach=1.0), "graded-list", "position-based", replicates=2, seed=0)
    >>> sim.advance(steps=50)
    >>> sim.last.shown.predicted.tolist()[0]  # with reach 1 nothing moves
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """

    id: ClassVar[str] = "logged-proximal"
    title: ClassVar[str] = "Log: safe (PRPO)"
    short: ClassVar[str] = "log: PRPO"
    summary: ClassVar[str] = (
        "Reads clicks on lists that another ranker has shown, moves nothing while clicks are few, and then gains "
        "nothing by moving documents far from where they stood. So it does not rank worse than the log. In return it "
        "learns later, and less from many clicks."
    )
    paper: ClassVar[str] = "GOR24"
    works: ClassVar[Mapping[str, str]] = {
        "GOR24": "Gupta, Oosterhuis & de Rijke. Practical and Robust Safety Guarantees for Advanced Counterfactual "
        "Learning to Rank. CIKM 2024."
    }
    section: ClassVar[str] = "proximal ranking policy optimisation"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"$\omega_0(d) \leftarrow$ the discount of $d$ in the list of the ranker in use"),
        Line(
            "predict",
            r"Estimate $\hat r_d$ doubly robust, relative to the mean; show the order that maximises "
            r"$\sum_d \omega_0(d)\, \hat r_d\, \mathrm{clip}\big(\omega(d) / \omega_0(d)\big)$",
            "A good document gains by moving up, and a bad one by moving down, but only up to a bound on how much its "
            "weight ω in the list may change. Beyond the bound there is nothing to gain.",
        ),
        *LoggedLearner.seen_in_log,
        Line("update", r"Count $y_t$ and $c_t$", "It counts where each document was shown, and the clicks on it."),
    )

    reach: float = real(
        1.2, 1, 100, step=0.1, named=True,
        help="How many times the weight of a document's place in the list may grow or shrink and still count. At 1 "
        "nothing moves; a large reach is the same as plain doubly robust learning. Try 1.5.",
    )  # fmt: skip
    rewards: str = choice(
        "relative", REWARDS,
        help="Whether a document counts by its estimated relevance relative to the mean of all, or as it is (plain). "
        "Plain rewards keep the paper's promise: hardly anything can be lost if the reach is little above 1.",
    )  # fmt: skip
    patience: int = integer(
        100, 0, 1_000_000,
        help="Interactions that it waits for before it moves anything. Until then it keeps the list of the ranker in "
        "use, and can neither lose nor gain. Without patience it often loses at first. Try 0.",
    )  # fmt: skip

    rule_to_present: ClassVar[Any] = staticmethod(rank_proximally)

    def remembered(self, shape: Shape) -> int:
        return super().remembered(shape) + room_for(shape.documents)
