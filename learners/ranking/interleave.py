"""Merge two rankings into one list, by balanced or team-draft interleaving, and credit the clicks on it.

Sources: Joachims, *Optimizing Search Engines using Clickthrough Data*, KDD 2002 (balanced); Radlinski, Kurup &
Joachims, *How Does Clickthrough Data Reflect Retrieval Quality?*, CIKM 2008 (team-draft, also "Team-Game"); both as
stated by Chapelle et al., TOIS 30(1), 2012. [S] §7 uses the first, [C] §6.2.6 the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.random import EACH, Stream

METHODS = ("team-draft", "balanced")


@dataclass(frozen=True)
class Interleaved:
    """Lists merged from two rankings, one per replicate.

    method : one of METHODS. first, second : (R, n) the rankings A and B.
    ranking : (R, n) what is shown. teams : (R, n) bool by shown position, True where A put the document there.
    """

    method: str
    first: Array
    second: Array
    ranking: Array
    teams: Array


def interleave(first: Array, second: Array, method: str, rng: Stream) -> Interleaved:
    """Interleave two rankings, each (R, n).

    Every method draws (R, 1 + n // 2) random numbers. They decide who picks first, in each round (team-draft) or in all
    (balanced).

    Raises
    ------
    ValueError : for a method that is not one of METHODS.

    >>> a, b = np.array([[0, 1, 2]]), np.array([[1, 2, 0]])
    >>> mixed = interleave(a, b, "team-draft", Stream(np.random.default_rng(0), 1))
    >>> mixed.ranking, mixed.teams
    (array([[1, 0, 2]]), array([[False,  True,  True]]))
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method}")
    heads = rng.random((EACH, 1 + first.shape[1] // 2)) < 0.5
    return balanced(first, second, heads[:, 0]) if method == "balanced" else team_draft(first, second, heads)


def _merged(method: str, into: Any, first: Array, second: Array, heads: Array) -> Interleaved:
    ranking, teams, taken = np.empty_like(first), np.empty(first.shape, dtype=np.bool_), np.empty(first.shape)
    for r, coins in enumerate(np.where(heads, 0.0, 1.0)):
        into(first[r], second[r], coins, ranking[r], teams[r], taken[r])
    return Interleaved(method, first, second, ranking, teams)


def team_draft(first: Array, second: Array, heads: Array) -> Interleaved:
    """Let each side draft its best document that is left, in rounds of two. A picks first where `heads` (R, ≥ n/2).

    The whole list is drafted, however few of its positions count, since a user may click below them.
    """
    return _merged("team-draft", draft, first, second, heads)


@compiled
def draft(first: Array, second: Array, coins: Array, ranking: Array, teams: Array, taken: Array) -> None:
    """Draft one list from two rankings (n,). A picks first in a round whose coin is below ½.

    Writes `ranking` (n,) and `teams` (n,) bool, True where A picks. `taken` (n,) is overwritten.
    """
    n = first.shape[0]
    taken[:] = 0.0
    a = b = 0  # how far each side is through its ranking
    for position in range(n):
        mine = (coins[position // 2] < 0.5) != (position % 2 == 1)  # the other side picks second
        teams[position] = mine
        if mine:
            while taken[first[a]] > 0.0:
                a += 1
            picked = first[a]
        else:
            while taken[second[b]] > 0.0:
                b += 1
            picked = second[b]
        ranking[position] = picked
        taken[picked] = 1.0


def balanced(first: Array, second: Array, leads: Array) -> Interleaved:
    """Merge A₁, B₁, A₂, B₂, … (or B₁, A₁, … where `leads` (R,) is False), leaving out repetitions.

    Every prefix holds the top i of A and the top j of B, where i and j differ by at most one.
    """
    return _merged("balanced", merge, first, second, leads)


@compiled
def merge(first: Array, second: Array, coin: float, ranking: Array, teams: Array, taken: Array) -> None:
    """Merge two rankings (n,) without repetitions, document by document. A leads if the coin is below ½.

    Writes `ranking` and `teams`, and overwrites `taken`, as `draft` does.
    """
    taken[:] = 0.0
    leads, position = coin < 0.5, 0
    for i in range(first.shape[0]):
        for mine in (leads, not leads):
            picked = first[i] if mine else second[i]
            if taken[picked] == 0.0:
                ranking[position], teams[position] = picked, mine
                taken[picked] = 1.0
                position += 1


def credit(mixed: Interleaved, clicks: Array) -> tuple[Array, Array]:
    """Return the clicks that count for A, (R,), and for B, (R,). `clicks` is (R, n) by shown position.

    Team-draft counts the clicks on the documents of each team. Balanced counts the clicks among the top k of A and of
    B, with the smallest k for which one of these reaches the lowest document clicked.
    """
    counts, room = np.empty((len(clicks), 2), dtype=np.int64), np.empty(clicks.shape)
    for r, clicked in enumerate(clicks):
        if mixed.method == "team-draft":
            counts[r] = credit_teams(mixed.teams[r], clicked)
        else:
            counts[r] = credit_tops(mixed.first[r], mixed.second[r], mixed.ranking[r], clicked, room[r])
    return counts[:, 0], counts[:, 1]


@compiled
def credit_teams(teams: Array, clicks: Array) -> tuple[int, int]:
    """Return the clicks (n,) on documents of A, and of B."""
    a = b = 0
    for i in range(clicks.shape[0]):
        if clicks[i]:
            if teams[i]:
                a += 1
            else:
                b += 1
    return a, b


@compiled
def credit_tops(first: Array, second: Array, ranking: Array, clicks: Array, room: Array) -> tuple[int, int]:
    """Return the clicks (n,) on a balanced list that count for A, and for B. `room` (n,) is overwritten."""
    room[:] = 0.0
    lowest, a, b = -1, 0, 0
    for i in range(clicks.shape[0]):
        if clicks[i]:
            lowest = ranking[i]
            room[lowest] = 1.0
    if lowest >= 0:
        for i in range(clicks.shape[0]):
            if room[first[i]] > 0.0:
                a += 1
            if room[second[i]] > 0.0:
                b += 1
            if first[i] == lowest or second[i] == lowest:
                break
    return a, b


def preference(mixed: Interleaved, clicks: Array) -> Array:
    """Return 1 where more clicks count for A, −1 where more count for B, and 0 for a tie, (R,)."""
    a, b = credit(mixed, clicks)
    result: Array = np.sign(a - b)
    return result
