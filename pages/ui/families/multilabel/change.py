"""The changes that a step of a multilabel learner made: the scores of the labels, with their widths."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.race.change import Columns, StepChange, largest, picked

SHOWN, RIGHT, WRONG = 1, 2, 4


def columns(watched: Mapping[str, Array], data: Any) -> Columns:
    """Return the labels whose scores moved most; where none did, the first that were shown."""
    was, now, shown = watched["was"], watched["now"], watched["shown"]
    still = ~(was != now).any(axis=1, keepdims=True) & (was != 0).any(axis=1, keepdims=True)
    ids = largest(was, now, np.where(still, shown[:, :3], -1))
    at = ids[:, :, None] == shown[:, None, :]
    there, right = at.any(axis=2), (at & (watched["right"] > 0)[:, None, :]).any(axis=2)
    role = np.where(ids < 0, 0, SHOWN * there + RIGHT * right + WRONG * (there & ~right))
    return {
        "id": ids, "was": picked(was, ids), "now": picked(now, ids), "width": picked(watched["width"], ids),
        "role": role,
    }  # fmt: skip


CHANGE = StepChange(
    "What the step changed",
    "How each label scores the example of this step by its weights, before the step (outline) and after it (filled), "
    "with the change. The line around the score before is its width ε, by which it may be wrong: the less a label was "
    "heard of on such examples, the wider. A tick or a cross stands at labels that were shown.",
    names="label",
    columns=columns,
    signs=(("", ""), ("tick", "right"), ("cross", "wrong")),
)
