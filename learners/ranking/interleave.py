"""Two rankings in one list: balanced and team-draft interleaving, and whose clicks are whose.

Sources: Joachims, *Optimizing Search Engines using Clickthrough Data*, KDD 2002 (balanced); Radlinski, Kurup &
Joachims, *How Does Clickthrough Data Reflect Retrieval Quality?*, CIKM 2008 (team-draft, also "Team-Game"); both as
stated by Chapelle et al., TOIS 30(1), 2012. [S] §7 uses the first, [C] §6.2.6 the second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from learners.base import Array
from learners.random import EACH, Stream
from learners.ranking.base import Context

METHODS = ("team-draft", "balanced")


@dataclass(frozen=True)
class Interleaved:
    """A list made of two rankings, R of them side by side.

    method : one of METHODS. first, second : (R, n) the rankings A and B.
    ranking : (R, n) what is shown. teams : (R, n) bool by shown position, True where A put the document there.
    """

    method: str
    first: Array
    second: Array
    ranking: Array
    teams: Array


def interleave(context: Context, first: Array, second: Array, method: str, rng: Stream) -> Interleaved:
    """Interleave two rankings, each (R, n).

    Draws (R, 1 + n // 2) random numbers whatever the method: who picks first in each round (team-draft), or in all
    (balanced).

    Raises
    ------
    ValueError : for a method that is not one of METHODS.

    >>> context = Context(np.zeros((1, 3, 1)), np.ones(3))
    >>> a, b = np.array([[0, 1, 2]]), np.array([[1, 2, 0]])
    >>> mixed = interleave(context, a, b, "team-draft", Stream(np.random.default_rng(0), 1))
    >>> mixed.ranking, mixed.teams
    (array([[1, 0, 2]]), array([[False,  True,  True]]))
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method}")
    heads = rng.random((EACH, 1 + context.n // 2)) < 0.5
    if method == "balanced":
        return balanced(context, first, second, heads[:, 0])
    return team_draft(context, first, second, heads)


def team_draft(context: Context, first: Array, second: Array, heads: Array) -> Interleaved:
    """In rounds of two, each side drafts its best document that is left; `heads` (R, ≥ n/2): A picks first.

    Where a page has fewer slots than documents, those that are left at its end stay in the order of A.
    """
    replicates, n = first.shape
    teams = np.repeat(heads, 2, axis=1)[:, :n]
    teams[:, 1::2] ^= True  # the other side picks second
    # what is left to each side: the rank of every document, or n once it is taken
    left = np.stack([_ranks(context, second), _ranks(context, first)])
    rows, side = np.arange(replicates), teams.astype(np.intp)
    ranking = np.empty_like(first)
    for position in range(context.slots):
        picked = left[side[:, position], rows].argmin(axis=1)
        ranking[:, position] = picked
        left[:, rows, picked] = n
    if context.slots < n:
        ranking[:, context.slots :] = np.argsort(left[1], axis=1, kind="stable")[:, : n - context.slots]
    return Interleaved("team-draft", first, second, ranking, teams)


def balanced(context: Context, first: Array, second: Array, leads: Array) -> Interleaved:
    """The lists A₁, B₁, A₂, B₂, … (or B₁, A₁, … where `leads` (R,) is False) without repetitions.

    Every prefix holds the top i of A and the top j of B, with i and j one apart at most.
    """
    a = 2 * _ranks(context, first) + ~leads[:, None]
    b = 2 * _ranks(context, second) + leads[:, None]
    ranking = np.argsort(np.minimum(a, b), axis=1)
    return Interleaved("balanced", first, second, ranking, context.take(a < b, ranking))


def credit(context: Context, mixed: Interleaved, clicks: Array) -> tuple[Array, Array]:
    """(R,) clicks that count for A, and (R,) for B; `clicks` (R, n) by shown position.

    Team-draft: clicks on documents of each team. Balanced: clicks among the top k of A and of B, where k is the
    smallest that reaches the lowest document clicked in one of them.
    """
    if mixed.method == "team-draft":
        return (clicks & mixed.teams).sum(axis=1), (clicks & ~mixed.teams).sum(axis=1)
    a, b = (context.take(_ranks(context, y), mixed.ranking) for y in (mixed.first, mixed.second))  # by shown position
    lowest = context.n - 1 - clicks[:, ::-1].argmax(axis=1)[:, None]
    depth = np.minimum(context.take(a, lowest), context.take(b, lowest))
    return (clicks & (a <= depth)).sum(axis=1), (clicks & (b <= depth)).sum(axis=1)


def preference(context: Context, mixed: Interleaved, clicks: Array) -> Array:
    """(R,) 1 where A has more of the clicks, −1 where B has, 0 for a tie."""
    a, b = credit(context, mixed, clicks)
    result: Array = np.sign(a - b)
    return result


def _ranks(context: Context, ranking: Array) -> Array:
    """(R, n) rank of each document, from 0."""
    ranks = np.empty_like(ranking)
    ranks.put(context.flat(ranking), np.broadcast_to(np.arange(context.n), ranking.shape))
    return ranks
