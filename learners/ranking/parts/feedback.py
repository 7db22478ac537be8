"""Turn clicks into a feedback ranking ȳ: move to the top, swap with the first, or exchange pairs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from learners.base import Array, column
from learners.random import EACH, Stream
from learners.ranking.base import Context, Feedback, Pairs, Shown


def move_to_top(context: Context, ranking: Array, clicks: Array) -> Array:
    """Put the clicked documents on top and the others below, both in the order shown ([S] §4.1)."""
    return context.take(ranking, np.argsort(~clicks, axis=1, kind="stable"))


def swap_with_first(context: Context, ranking: Array, clicks: Array) -> Array:
    """Exchange the topmost clicked document with the one at rank 1 ([S] §4.2)."""
    position = np.where(clicks.any(axis=1), clicks.argmax(axis=1), 0)
    rows = np.arange(len(ranking))
    result = ranking.copy()
    result[:, 0] = ranking[rows, position]
    result[rows, position] = ranking[:, 0]
    return result


def exchange_pairs(context: Context, ranking: Array, clicks: Array, pairs: Pairs) -> Array:
    """Exchange each pair whose lower document was clicked and whose upper one was not ([S] Alg. 3)."""
    clicked_partner = context.take(clicks, pairs.partner)
    positions = np.arange(context.n)
    upper = pairs.partner > positions
    exchange = (clicks != clicked_partner) & (clicks ^ upper)
    return context.take(ranking, np.where(exchange, pairs.partner, positions))


@lru_cache(maxsize=512)
def _pairing(n: int) -> tuple[Array, Array]:
    """Return the partner of each position and the number of its pair, both (2, n), for both ways of pairing."""
    positions, shift = np.arange(n), np.array([[0], [1]])
    partner = ((positions + shift) ^ 1) - shift
    partner = np.where((partner < 0) | (partner >= n), positions, partner)
    return partner, (positions + shift) >> 1


def draws_for_pairs(context: Context, rng: Stream) -> Array:
    """Draw the random numbers that `form_pairs` needs, shape (R, 2 + n // 2)."""
    return rng.random((EACH, 2 + context.n // 2))


def form_pairs(context: Context, probability: float | Array, draws: Array) -> Pairs:
    """Pair adjacent positions and swap each pair with some probability ([S] Alg. 3, FORMPAIRS, PERTURB).

    Parameters
    ----------
    probability : swap probability p, a number or (R,).
    draws : (R, 2 + n // 2) uniform in [0, 1). The first chooses between the pairs (1,2),(3,4),… and
        (1),(2,3),(4,5),…; each of the others decides whether one pair is swapped.
    """
    partners, pair_numbers = _pairing(context.n)
    way = (draws[:, 0] >= 0.5).astype(np.intp)
    partner = partners[way]
    positions = np.arange(context.n)
    if context.lengths is not None:
        partner = np.where(partner < context.lengths[:, None], partner, positions)
        partner = np.where(positions < context.lengths[:, None], partner, positions)
    first = np.arange(1, draws.size, draws.shape[1])[:, None]
    swapped = draws.take(first + pair_numbers[way]) < column(probability)
    return Pairs(partner, swapped & (partner != positions))


def swap_pairs(context: Context, ranking: Array, pairs: Pairs) -> Array:
    """Exchange the documents of each swapped pair, shape (R, n)."""
    return context.take(ranking, np.where(pairs.swapped, pairs.partner, np.arange(context.n)))


def interpret(context: Context, shown: Shown, feedback: Feedback, how: str) -> Array:
    """Return the feedback ranking ȳ that `feedback` stands for, shape (R, n).

    An improved ranking is taken as it is. Clicks are read as `how` says: top, swap or pair.

    Raises
    ------
    ValueError : for pair feedback on a ranking that was not shown in pairs.
    """
    if feedback.ranking is not None:
        return feedback.ranking
    clicks = feedback.clicks
    if clicks is None:
        return shown.ranking
    if how == "top":
        return move_to_top(context, shown.ranking, clicks)
    if how == "swap":
        return swap_with_first(context, shown.ranking, clicks)
    if shown.pairs is None:
        raise ValueError("pair feedback needs a ranking that was shown in pairs")
    return exchange_pairs(context, shown.ranking, clicks, shown.pairs)
