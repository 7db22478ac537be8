"""The events of the classification learners: the first right guess by exploration, and the largest update."""

from __future__ import annotations

import numpy as np

from learners.classification.metrics import ACCURACY, ACCURACY_GREEDY, EXPLORED, WEIGHT_CHANGE
from learners.event import NOTHING, Event, Found, Track, largest_move


def _first_guess(track: Track) -> Found:
    steps = np.arange(1, track.steps + 1)
    explored = np.diff(np.rint(track[EXPLORED] * steps), prepend=0.0) > 0  # from the share of the steps so far
    paid = np.flatnonzero(explored & (track[ACCURACY] == 1) & (track[ACCURACY_GREEDY] == 0))
    if not len(paid):
        return NOTHING
    guesses = int(explored[: paid[0] + 1].sum())
    text = f"random guess number {guesses:,} is right, where the predicted label was wrong"
    return Found(paid[:1] + 1, [text].__getitem__)


EVENTS = (
    Event(
        "first-right-guess", "First right guess by exploration", "star",
        "The first step in which a label drawn at random is right and the predicted one would have been wrong. From it "
        "a learner hears of a class what its own answers would not have told.",
        (EXPLORED, ACCURACY, ACCURACY_GREEDY), _first_guess,
    ),
    largest_move(WEIGHT_CHANGE),
)  # fmt: skip
