"""The user whose feedback is α-informative in expectation ([C] §6.2.4, Corollary 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array
from learners.random import EACH, Stream
from learners.ranking.parts.context import exchange
from learners.ranking.users.base import Response, User, View
from learners.ranking.users.item_alpha import informative_item
from learners.ranking.users.strict_alpha import StrictAlpha

RANDOM = 5  # random objects among which the answer may be chosen


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
        0.5, 0, 1, low_open=True, symbol="α", step=0.05, named=True,
        help="Share of the largest possible improvement that the answer reaches in expectation. 0.5 is the paper's; "
        "smaller values leave more room for random answers.",
    )  # fmt: skip

    @property
    def informativeness(self) -> float | Array:
        return self.alpha

    def respond(self, view: View, rng: Stream) -> Response:
        one, rows = view.context.slots == 1, np.arange(len(view.shown))
        draws = rng.random((EACH, RANDOM) if one else (EACH, RANDOM, view.context.n))
        die = rng.random((EACH, 1))
        if one:
            items = self._items(view, draws)
            chance = self._chances(*_item_gains(view, items))
        else:
            answers, chance = self.answers(view, draws)
        chosen = (np.cumsum(chance, axis=1)[:, :-1] <= die).sum(axis=1)
        return Response(ranking=exchange(view.shown, items[chosen, rows]) if one else answers[chosen, rows])

    def answers(self, view: View, draws: Array) -> tuple[Array, Array]:
        """Return the six possible answers (6, R, n), the strict one first, and their probabilities (R, 6).

        draws : (R, 5, n) random numbers by document, by which each random order is sorted; with one slot (R, 5) numbers
            that each pick an item.
        """
        context = view.context
        if context.slots == 1:
            items = self._items(view, draws)
            return np.stack([exchange(view.shown, item) for item in items]), self._chances(*_item_gains(view, items))
        nothing_drawn = Stream(np.random.default_rng(0), len(view.shown))
        strict = StrictAlpha(alpha=self.alpha).respond(view, nothing_drawn).ranking
        assert strict is not None
        rankings = [strict, *(context.rank(draws[:, i]) for i in range(RANDOM))]
        utility = np.where(np.isfinite(view.utility), view.utility, 0.0)
        now = context.discounted(utility, view.shown)
        gap = context.discounted(utility, context.rank(view.utility)) - now
        gains = np.stack([context.discounted(utility, y) - now for y in rankings])
        return np.stack(rankings), self._chances(gains, gap)

    def _items(self, view: View, draws: Array) -> Array:
        """Return the best item and five at the places of the ranking shown that `draws` (R, 5) choose, (6, R)."""
        lengths = view.context.lengths
        count = view.context.n if lengths is None else lengths[:, None]
        places = np.minimum((draws * count).astype(np.intp), count - 1)
        return np.concatenate([informative_item(view, 1.0)[None], view.context.take(view.shown, places).T])

    def _chances(self, gains: Array, gap: Array) -> Array:
        """Return the probabilities (R, 6) of answers with `gains` (6, R), where `gap` (R,) is the most to be gained."""
        gain, mean, wanted = gains[0], gains[1:].mean(axis=0), np.reshape(self.alpha, -1) * gap
        q = np.divide(wanted - mean, gain - mean, out=np.ones(len(gap)), where=gain > mean)
        q = np.where(gain < mean, np.where(mean >= wanted, 0.0, 1.0), np.clip(q, 0.0, 1.0))
        return np.concatenate([q[:, None], np.repeat((1.0 - q)[:, None] / RANDOM, RANDOM, axis=1)], axis=1)


def _item_gains(view: View, items: Array) -> tuple[Array, Array]:
    """Return the gains (6, R) of the items over the one on top, and the largest possible gain (R,)."""
    rows = np.arange(items.shape[1])
    now = view.utility[rows, view.shown[:, 0]]
    return view.utility[rows, items] - now, view.utility.max(axis=1) - now
