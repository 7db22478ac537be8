"""The events of a comparison by interleaving: the clicks begin to speak for the learner, or for the fixed ranker."""

import numpy as np

from learners.event import NOTHING, Event, Found, Track, turns
from learners.interleaving.metrics import ADVANTAGE, LOSSES, P_VALUE, WINS

LEVEL = 0.05  # of the sign test


def _verdict(better: bool, track: Track) -> Found:
    wins, losses, p = track[WINS], track[LOSSES], track[P_VALUE]
    sure = p < LEVEL
    up, down = sure & (wins > losses), sure & (wins < losses)
    first = np.flatnonzero(up | down)[:1]
    at = np.concatenate([first, turns(up, down)[0]])
    at = at[up[at] == better]
    if not len(at):
        return NOTHING
    advantage = track[ADVANTAGE]

    def say(i: int) -> str:
        t, who = int(at[i]), "the learner" if better else "the fixed ranker"
        won, lost = (wins, losses) if better else (losses, wins)
        truth = (
            ""
            if np.isnan(advantage[t])
            else f"; the true advantage of the learner is {advantage[t]:+.3g} so far".replace("-", "−")
        )
        return f"the clicks speak for {who}, with {won[t]:.0f} wins to {lost[t]:.0f} (p = {p[t]:.2g}){truth}"

    return Found(at + 1, say)


_HELP = (
    "The first step after which the sign test finds {} better at the 5 % level, by the clicks of all comparisons so "
    "far; again if it had found the opposite in between. Looking after every step errs more often than in 5 %."
)
EVENTS = (
    Event(
        "better-than-fixed", "Better than the fixed ranker", "up", _HELP.format("the learner"),
        (WINS, LOSSES, P_VALUE, ADVANTAGE), lambda track: _verdict(True, track), noun="verdict",
        of="for the learner",
    ),
    Event(
        "worse-than-fixed", "Worse than the fixed ranker", "down", _HELP.format("the fixed ranker"),
        (WINS, LOSSES, P_VALUE, ADVANTAGE), lambda track: _verdict(False, track), noun="verdict",
        of="for the fixed ranker",
    ),
)  # fmt: skip
