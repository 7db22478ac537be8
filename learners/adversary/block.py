"""A block of steps against the adversary in one compiled call, without the interpreter lock."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.ranking.step.features import Features
from learners.ranking.step.steps import How, learn_step, present_step, search_of
from learners.ranking.step.work import Work
from learners.vectors import copy, product


class Game(NamedTuple):
    """The input of B steps, and the notes of them.

    first : number of the first step. x : the objects +e_t and −e_t, whose column the steps change. gamma : (2,)
    discounts. draws : (B, R, ·) the learner's random numbers. heard : NOTHING or RANKING. coins : (B, R) the objects
    wanted, +1 or −1, or 0 for the one that is not presented. wanted, wrong, norms : (B, R) y*_t, whether the other
    object was presented, and the norm of the weights after the step.
    """

    first: int
    x: Features
    gamma: Array
    draws: Array
    heard: int
    coins: Array
    wanted: Array
    wrong: Array
    norms: Array


@compiled
def play(present: Any, learn: Any, how: How, game: Game, s: Work, state: Array) -> None:
    """Take B steps in each replicate: present an object, hear which one was wanted, and learn.

    state : (R, s, T) of the learner.
    """
    B, R = game.coins.shape
    for r in range(R):
        w = state[r]
        for b in range(B):
            t = game.first + b
            game.x.column[:] = t - 1
            page = search_of(s, r, 2, t, 2, 2, game.gamma, game.draws[b, r])
            if b == B - 1:
                copy(w[0], s.before[r])
            s.p[r] = present_step(present, how, page, game.x, s.rows[r], w)
            presented = 1 - 2 * page.shown[0]
            wanted = -presented if game.coins[b, r] == 0 else game.coins[b, r]
            page.answer[0] = 0 if wanted == 1 else 1  # the object wanted comes first
            page.answer[1] = 1 - page.answer[0]
            learn_step(learn, how, page, game.x, s.rows[r], w, s.delta[r], game.heard)
            game.wanted[b, r], game.wrong[b, r] = wanted, wanted != presented
            game.norms[b, r] = np.sqrt(product(w[0], w[0])) if how.linear else np.nan
