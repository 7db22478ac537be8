"""The user who gives strictly α-informative feedback ([C] §6.1.1, Eq. 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array
from learners.random import Stream
from learners.ranking.users.base import TOP, Response, User, View, put_on_top


@dataclass(kw_only=True)
class StrictAlpha(User):
    """Goes down the list until five documents put on top gain the share α of what is possible.

    The answer takes the smallest m ≥ 5 for which the five best documents (by w*) among the first m, put on top by
    falling utility, gain at least α · (U(y*) − U(y)). If there is no such m, it takes the whole list.
    """

    id: ClassVar[str] = "strict-alpha"
    title: ClassVar[str] = "Strictly α-informative user"
    summary: ClassVar[str] = (
        "Knows the true utility. Goes down the list until five documents, put on top, bring at least the share α of "
        "the largest possible improvement. This is the idealised user of the theory."
    )
    paper: ClassVar[str] = "C"
    section: ClassVar[str] = "§6.1.1"
    gives: ClassVar[str] = "ranking"

    alpha: float = real(
        0.5, 0, 1, low_open=True, symbol="α", step=0.05,
        help="Share of the largest possible improvement that the answer reaches. 1 asks for all of it. Try 0.1 "
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
        wanted -= 1e-12 * (1.0 + np.abs(best))  # a gain that equals it up to rounding is enough
        in_order = view.in_order(view.utility)
        if context.slots == 1:  # only the best so far counts, so m is found without a search
            enough = np.maximum.accumulate(in_order, axis=1) - now[:, None] >= wanted[:, None]
            enough[:, : TOP - 1], enough[:, -1] = False, True
            top = np.where(np.arange(context.n) <= enough.argmax(axis=1)[:, None], in_order, -np.inf)
            return Response(ranking=put_on_top(view, top))
        answer = view.shown.copy()
        todo = np.ones(len(answer), dtype=bool)
        for m in range(min(TOP, context.n), context.n + 1):
            candidate = put_on_top(view, in_order[:, :m])
            gain = context.discounted(utility, candidate) - now
            done = todo & ((gain >= wanted) | (m == context.n))
            answer[done] = candidate[done]
            todo &= ~done
            if not todo.any():
                break
        return Response(ranking=answer)
