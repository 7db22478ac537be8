"""The ranking of PRPO, for one replicate or many in compiled code: an assignment of documents to places."""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.compiled import compiled


def room_for(n: int) -> int:
    """Return how many numbers `rank_safely` needs as room for n documents."""
    return n * n + 6 * (n + 1)


@compiled
def rank_safely(
    estimate: Array, before: Array, discounts: Array, bound: float, relative: bool, room: Array, ranking: Array
) -> None:  # fmt: skip
    """Write to `ranking` (n,) the order that gains most in Σ_d ω₀ r_d clip(ω/ω₀), with r relative to its mean or plain.

    estimate : (n,) of the documents' relevance. before : (n,) ω₀, the discount of each in the safe ranking. discounts :
    (n,) ω of the places. A reward above 0 counts a ratio ω/ω₀ of at most `bound`, one below at least 1 / bound.
    """
    n = estimate.shape[0]
    gain, mean, most = room[: n * n], 0.0, 0.0
    for d in range(n):
        mean += estimate[d] / n if relative else 0.0
    for d in range(n):
        most = max(most, abs(estimate[d] - mean))
    for d in range(n):
        reward = estimate[d] - mean
        for k in range(n):
            ratio = discounts[k] / before[d] if before[d] > 0.0 else 1.0
            clipped = min(ratio, bound) if reward >= 0.0 else max(ratio, 1.0 / bound)
            stays = 1e-12 * (most + 1.0) if discounts[k] == before[d] else 0.0  # of equals, the one that moves less
            gain[d * n + k] = reward * before[d] * clipped + stays
    assign(gain, room[n * n :], ranking)


@compiled
def assign(gain: Array, room: Array, found: Array) -> None:
    """Write to `found` (n,) the row of each column in the assignment of the largest total gain, n rows by n columns.

    Rows enter one by one along the shortest augmenting path, with prices of rows and columns (Kuhn 1955; Jonker &
    Volgenant 1987): at most n³ operations. gain : (n²,) row by row. room : (6 (n + 1),).
    """
    n = found.shape[0]
    m = n + 1  # column 0 stands for the row that enters
    row_price, price, owner = room[:m], room[m : 2 * m], room[2 * m : 3 * m]
    way, least, used = room[3 * m : 4 * m], room[4 * m : 5 * m], room[5 * m : 6 * m]
    for j in range(m):
        row_price[j] = price[j] = owner[j] = 0.0
    for i in range(1, m):
        owner[0], at = i, 0
        for j in range(m):
            least[j], used[j] = np.inf, 0.0
        for _ in range(m):
            used[at] = 1.0
            row, step, following = int(owner[at]), np.inf, 0
            for j in range(1, m):
                if used[j] == 0.0:
                    cost = -gain[(row - 1) * n + j - 1] - row_price[row] - price[j]
                    if cost < least[j]:
                        least[j], way[j] = cost, at
                    if least[j] < step:
                        step, following = least[j], j
            for j in range(m):
                if used[j] > 0.0:
                    row_price[int(owner[j])] += step
                    price[j] -= step
                else:
                    least[j] -= step
            at = following
            if owner[at] == 0.0:
                break
        for _ in range(m):
            if at == 0:
                break
            from_ = int(way[at])
            owner[at] = owner[from_]
            at = from_
    for j in range(1, m):
        found[j - 1] = int(owner[j]) - 1


@compiled
def rank_all_safely(
    estimates: Array, before: Array, discounts: Array, bound: float, relative: bool, room: Array, rankings: Array
) -> None:  # fmt: skip
    """Rank for each replicate: estimates (R, n) to rankings (R, n)."""
    for r in range(estimates.shape[0]):
        rank_safely(estimates[r], before, discounts, bound, relative, room, rankings[r])
