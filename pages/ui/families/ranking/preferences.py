"""Sentences on clicks that a learner reads as preferences, or as votes for the directions it tried."""

from collections.abc import Callable
from typing import Any

import numpy as np

from learners.base import Array
from learners.ranking.step.preferences import preferred
from learners.ranking.step.rankings import TOP
from learners.ranking.step.steps import PREFERENCES, READINGS
from pages.ui.plain import Html
from pages.ui.race.words import count, listed, number

NAMED = 3  # pairs that are named
ONE_PLACE = "The list has one place, and this learner learns from pairs of documents on a page, so there is none."
PAIRS = READINGS[PREFERENCES:]  # the ways to read clicks as preferences


def counted(account: Any) -> Array:
    """Return the places (n,) bool that count as clicked: those clicked, or those of the documents put on top."""
    response, r, n = account.step.response, account.r, account.n
    if response.clicks is not None:
        clicks: Array = response.clicks[r][:n]
        return clicks
    there = np.arange(n) < account.step.on_page[r]
    top = account.improved[: min(max(int(there.sum()) - 1, 1), TOP)]
    found: Array = there & np.isin(account.shown, top)
    return found


def pairs_of(account: Any) -> list[tuple[int, int]]:
    """Return the pairs of documents (i, j) of which the learner took that i is preferred to j."""
    scores = account.step.shown.scores[account.r]
    return preferred(
        account.learner.reading, account.shown, counted(account), int(account.step.on_page[account.r]), scores
    )


def preferences(account: Any, name: Callable[[int], str], change: Array, follows: Callable[[int, int], str]) -> str:
    """Return which preferences the learner read from the clicks, how w moved, and what follows."""
    if account.step.on_page[account.r] < 2:
        return ONE_PLACE
    pairs = pairs_of(account)
    if not counted(account).any():
        return "Without a click there is nothing to learn."
    if not pairs:
        return "The clicks prefer no document to one that was passed over, so w stays as it was."
    told = listed([f"{name(i)} to {name(j)}" for i, j in pairs], NAMED)
    gain = account.features @ change
    return (
        f"The learner reads {count(len(pairs), 'preference')} ({told}); w moves by "
        f"{number(float(np.linalg.norm(change)))}, {follows(int(gain.argmax()), int(gain.argmin()))}."
    )


def won(account: Any) -> tuple[int, int] | None:
    """Return which of the two documents on top was preferred to which, or None if neither was."""
    first, second = (int(document) for document in account.shown[:2])
    clicks = account.step.response.clicks
    if clicks is None:
        above = next(document for document in account.improved if document in (first, second))
        return (first, second) if above == first else (second, first)
    if clicks[account.r][0] == clicks[account.r][1]:
        return None
    return (first, second) if clicks[account.r][0] else (second, first)


def comparison(account: Any, name: Callable[[int], Html]) -> Html:
    """Return what the learner took from the two documents on top, which it compares."""
    if account.step.on_page[account.r] < 2:
        return Html(ONE_PLACE)
    pair = won(account)
    if pair is None:
        return Html("It compares the two documents on top, but neither was clicked alone, so nothing was compared.")
    return f"It compares the two documents on top, and takes {name(pair[0])} to be better than {name(pair[1])}."


def votes(account: Any, change: Array, follows: Callable[[int, int], str]) -> str:
    """Return how many of the directions tried got more clicks than w, and what follows."""
    teams, clicked = account.step.shown.teams[account.r][: account.n], counted(account)
    tried = account.step.shown.directions.shape[1]
    got = np.bincount(teams[clicked], minlength=tried + 1)
    winners = int((got[1:] > got[0]).sum())
    won = "got more clicks" if account.step.response.clicks is not None else "picked more of what was put on top"
    mine = f"{won} than w ({got[0]})"
    if not winners:
        return f"No direction {mine}, so w stays as it was."
    gain = account.features @ change
    return (
        f"{winners} of {count(tried, 'direction')} {mine}: w moves by "
        f"{number(float(np.linalg.norm(change)))} towards {'it' if winners == 1 else 'their mean'}, "
        f"{follows(int(gain.argmax()), int(gain.argmin()))}."
    )
