"""The user who gives strictly α-informative feedback ([C] §6.1.1, Eq. 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array
from learners.random import Stream
from learners.ranking.users.base import Response, User, View

FIVE = 5


@dataclass(kw_only=True)
class StrictAlpha(User):
    """Goes down the list until five documents put on top improve it by α of what is possible.

    The answer is that of the smallest m ≥ 5 for which the five best (by w*) of the top m, put on top by
    falling utility, gain at least α · (U(y*) − U(y)); of the whole list where none does.
    """

    id: ClassVar[str] = "strict-alpha"
    title: ClassVar[str] = "Strictly α-informative user"
    summary: ClassVar[str] = (
        "Knows the true utility. Goes down the list until five documents, put on top, improve it by at least the "
        "share α of the largest improvement possible. An idealised user: the theory is written for this one."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.1"
    gives: ClassVar[str] = "ranking"

    alpha: float = real(
        0.5, 0, 1, low_open=True, symbol="α", step=0.05,
        help="Share of the largest possible improvement that the answer reaches. 1 asks for all of it; try 0.1 "
        "and see how little it takes.",
    )  # fmt: skip

    @property
    def informativeness(self) -> float | Array:
        return self.alpha

    def respond(self, view: View, rng: Stream) -> Response:
        context = view.context
        utility = np.where(np.isfinite(view.utility), view.utility, 0.0)
        now = context.discounted(utility, view.shown)
        best = context.discounted(utility, context.rank(view.utility))
        wanted = np.reshape(self.alpha, -1) * (best - now)
        wanted -= 1e-12 * (1.0 + np.abs(best))  # a gain that is equal but for rounding is enough
        in_order = view.in_order(view.utility)
        if context.slots == 1:  # the best so far is all that counts, so m is found at once
            enough = np.maximum.accumulate(in_order, axis=1) - now[:, None] >= wanted[:, None]
            enough[:, : FIVE - 1], enough[:, -1] = False, True
            top = np.where(np.arange(context.n) <= enough.argmax(axis=1)[:, None], in_order, -np.inf)
            return Response(ranking=context.take(view.shown, _five_of_top(top, context.n)))
        answer = view.shown.copy()
        todo = np.ones(len(answer), dtype=bool)
        for m in range(min(FIVE, context.n), context.n + 1):
            order = _five_of_top(in_order, m)
            candidate = context.take(view.shown, order)
            gain = context.discounted(utility, candidate) - now
            done = todo & ((gain >= wanted) | (m == context.n))
            answer[done] = candidate[done]
            todo &= ~done
            if not todo.any():
                break
        return Response(ranking=answer)


def _five_of_top(in_order: Array, m: int) -> Array:
    """(R, n) positions: the five of highest value among the first m, by falling value, then the others."""
    best = np.argsort(-in_order[:, :m], axis=1, kind="stable")[:, :FIVE]
    key = np.arange(in_order.shape[1], dtype=float)[None, :].repeat(len(in_order), axis=0)
    np.put_along_axis(key, best, np.arange(-best.shape[1], 0.0)[None, :], axis=1)
    return np.argsort(key, axis=1, kind="stable")
