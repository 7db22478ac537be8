"""The events of the multilabel learners: the first set without an error, and the largest update."""

import numpy as np

from learners.event import NOTHING, Event, Found, Track, largest_move
from learners.multilabel.metrics import HAMMING_LOSS, SHOWN_SIZE, WEIGHT_CHANGE


def _first_set(track: Track) -> Found:
    steps = np.arange(1, track.steps + 1)
    errors = np.diff(np.rint(track[HAMMING_LOSS] * steps), prepend=0.0)  # whole numbers, from the mean so far
    right = np.flatnonzero((errors == 0) & (track[SHOWN_SIZE] > 0))
    if not len(right):
        return NOTHING
    size = int(track[SHOWN_SIZE][right[0]])
    what = "the label shown is" if size == 1 else f"the {size} labels shown are"
    return Found(right[:1] + 1, [f"{what} right, and no label is missed"].__getitem__)


EVENTS = (
    Event(
        "first-set-without-error", "First set without an error", "star",
        "The first step in which labels are shown, all of them are right, and no right label is missed.",
        (HAMMING_LOSS, SHOWN_SIZE), _first_set,
    ),
    largest_move(WEIGHT_CHANGE, what="W"),
)  # fmt: skip
