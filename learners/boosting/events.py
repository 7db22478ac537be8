"""The events of the boosting families: the learner stops, or everything it may look at is right for the first time."""

from functools import partial
from typing import Any

import numpy as np

from learners.boosting.metrics import STEP_SIZE
from learners.event import NOTHING, Event, Found, Track
from learners.metric import Metric


def _stopped(track: Track) -> Found:
    at = np.flatnonzero(track[STEP_SIZE] == 0)
    if not len(at):
        return NOTHING
    environment: Any = track.simulation.environment
    why = environment.learners[track.replicate].end.rstrip(".")
    return Found(at[:1] + 1, [f"nothing is added any more: {why[:1].lower()}{why[1:]}"].__getitem__)


def _first_perfect(metric: Metric, what: str, track: Track) -> Found:
    share = track[metric]
    at = np.flatnonzero(share == 1)[:1]
    if not at.any():  # never, or after the first round already
        return NOTHING
    return Found(at + 1, [f"the share of {what} that are right rises from {share[at[0] - 1]:.3g} to 1"].__getitem__)


def first_perfect(metric: Metric, what: str) -> Event:
    """Declare the round in which all examples of a kind become right, by a metric with the share that is."""
    return Event(
        "first-perfect", f"All {what} right", "star",
        f"The first round after which all {what} are right, unless they already are after round 1.",
        (metric,), partial(_first_perfect, metric, what),
    )  # fmt: skip


STOPPED = Event(
    "stopped", "Learner stopped", "stop",
    "The first round in which the learner adds no weak hypothesis, and why. References, which learn everything in "
    "their first round, do not count.",
    (STEP_SIZE,), _stopped,
)  # fmt: skip
