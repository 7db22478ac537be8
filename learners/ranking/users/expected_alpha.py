"""The user whose feedback is α-informative in expectation ([C] §6.2.4, Corollary 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array
from learners.compiled import compiled
from learners.random import EACH, Stream
from learners.ranking.step.page import RANKING, Hidden, Page
from learners.ranking.step.rankings import discounted, rank
from learners.ranking.users.answers import exchange_first, informative_item
from learners.ranking.users.base import User
from learners.ranking.users.strict_alpha import improve
from learners.vectors import copy

RANDOM = 5  # random objects among which the answer may be chosen


@compiled
def answer_on_average(page: Page, hidden: Hidden, alpha: float) -> int:
    """Answer strictly with probability q, or else with one of the random objects.

    The numbers drawn are five times as many as documents, by which random orders are sorted (with one slot five, which
    choose places of the ranking shown), and one that decides.
    """
    one, utility = page.slots == 1, hidden.utility
    width = (hidden.noise.shape[0] - 1) // RANDOM
    now = discounted(page, utility, page.shown)
    if one:
        best = informative_item(page, hidden, 1.0)
        gain, gap = utility[best] - utility[page.shown[0]], -np.inf
        for i in range(utility.shape[0]):
            gap = max(gap, utility[i] - utility[page.shown[0]])
    else:
        best = 0
        rank(page, utility, 1, hidden.answer)
        gap = discounted(page, utility, hidden.answer) - now
        improve(page, hidden, alpha)
        gain = discounted(page, utility, hidden.answer) - now
    mean = 0.0
    for k in range(RANDOM):
        mean += random_gain(page, hidden, k, width, now)
    mean /= RANDOM
    q = strict_chance(gain, mean, alpha * gap)
    # the strict answer, then the five
    reached, chosen, die = q, 0, hidden.noise[RANDOM * width]
    for _ in range(RANDOM):
        chosen += reached <= die
        reached += (1.0 - q) / RANDOM
    if one:
        exchange_first(page, hidden, best if chosen == 0 else random_item(page, hidden, chosen - 1))
    elif chosen > 0:
        random_gain(page, hidden, chosen - 1, width, now)
        copy(page.improved, hidden.answer)
    return RANKING


@compiled
def random_item(page: Page, hidden: Hidden, k: int) -> int:
    """Return the document at the k-th place drawn."""
    return page.shown[min(int(hidden.noise[k] * page.size), page.size - 1)]


@compiled
def random_gain(page: Page, hidden: Hidden, k: int, width: int, now: float) -> float:
    """Return the gain of the k-th random object, and write it to `page.improved` if it is a ranking."""
    if page.slots == 1:
        return hidden.utility[random_item(page, hidden, k)] - hidden.utility[page.shown[0]]
    rank(page, hidden.noise[k * width : (k + 1) * width], 1, page.improved)
    return discounted(page, hidden.utility, page.improved) - now


@compiled
def strict_chance(gain: float, mean: float, wanted: float) -> float:
    """Return the probability of the strict answer, given its gain, the mean gain of the others, and the gain wanted."""
    if gain > mean:
        return min(max((wanted - mean) / (gain - mean), 0.0), 1.0)
    return 0.0 if gain < mean and mean >= wanted else 1.0


@dataclass(kw_only=True)
class ExpectedAlpha(User):
    """Answers as a strict user does or, as often as the expectation allows, with one of five random objects.

    Let G be the gain of the strict answer and Ḡ the mean gain of the five. The strict answer has probability
    q = (α · (U(y*) − U(y)) − Ḡ) / (G − Ḡ), and the five share the rest evenly, so the expected gain is exactly α of the
    gap. q is 1 if the strict answer gains no more than that, and 0 if the five alone gain enough.

    For rankings the strict answer is that of `strict-alpha` with the same α, which mostly gains more than it must, and
    the five are random orders of all documents. With one slot it is the best item ([C] uses α = 1 there), and the five
    are random items, each exchanged with the one on top.
    """

    id: ClassVar[str] = "expected-alpha"
    title: ClassVar[str] = "User who is α-informative on average"
    summary: ClassVar[str] = (
        "Sometimes answers at random, sometimes better than it must, so that only the expected improvement is the "
        "share α of the largest possible. That is enough for learning."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.2.4"
    gives: ClassVar[str] = "ranking"

    alpha: float = real(
        0.5, 0.001, 1, symbol="α", step=0.05, named=True,
        help="Share of the largest possible improvement that the answer reaches in expectation. 0.5 is the paper's; "
        "smaller values leave more room for random answers.",
    )  # fmt: skip

    @property
    def informativeness(self) -> float | Array:
        return self.alpha

    rule: ClassVar[Any] = staticmethod(answer_on_average)

    def draws(self, rng: Stream, n: int, slots: int, steps: int) -> Array:
        width = 1 if slots == 1 else n
        found = np.empty((steps, rng.replicates, RANDOM * width + 1))
        for row in found:  # objects and decisions take turns, as they would step by step
            objects = rng.random((EACH, RANDOM) if slots == 1 else (EACH, RANDOM, n))
            row[:, :-1] = objects.reshape(rng.replicates, -1)
            row[:, -1:] = rng.random((EACH, 1))
        return found
