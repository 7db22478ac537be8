"""The changes that a step of a classification learner made: the scores of the classes whose rows moved."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.race.change import Columns, StepChange, largest, picked

PREDICTED, PLAYED, TRUE = 1, 2, 4


def columns(watched: Mapping[str, Array], data: Any) -> Columns:
    """Return the labels predicted, played and true, and those whose scores moved most."""
    was, now, truth = watched["was"], watched["now"], watched["label"].reshape(-1, 1)
    predicted, played = (watched[name].reshape(len(was), -1) for name in ("predicted", "played"))
    ids = largest(was, now, np.hstack([predicted[:, :1], played[:, :1], truth]))
    told = zip((PREDICTED, PLAYED, TRUE), (predicted, played, truth), strict=True)
    role = sum(bit * (ids[:, :, None] == labels[:, None, :]).any(axis=2) for bit, labels in told)
    return {
        "id": ids, "was": picked(was, ids), "now": picked(now, ids), "role": np.where(ids < 0, 0, role),
        "number": watched["chance"].astype(np.float32),
    }  # fmt: skip


CHANGE = StepChange(
    "What the step changed",
    "How each class scores the example of this step by its row of the weights, before the step (outline) and after it "
    "(filled), with the change: the class predicted, the class played, the true class, and others that moved. Where "
    "the weights follow from parameters θ, the scores are those of θ. γ is the probability of exploring. The true "
    "class is marked for you; a learner that hears only right or wrong does not see it.",
    names="label",
    columns=columns,
    signs=(("up", "predicted"), ("dot", "played"), ("ring", "true, told or not")),
    number="γ",
)
