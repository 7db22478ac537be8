"""The scene of multilabel learning: the set of labels shown, which of them are right, and which are missing."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.families.multilabel.change import CHANGE
from pages.ui.race.faces import labelled
from pages.ui.race.scene import Scene

PLACES = 12  # most labels that are drawn, of those shown and of those missed


class LabelsScene(Scene):
    """The set of labels that each learner shows.

    Columns: row (F,); shown (F, P) labels in order; right (F, P) 1 where it is a label of the example; missed (F, P)
    labels of the example that were not shown; more (F, 2) how many labels shown, and missed, are not drawn.
    """

    kind = "labels"
    title = "The labels in this step"
    help = (
        "The labels that each learner shows for the example of this step. A tick marks a label that is right, a cross "
        "one that is wrong; the learner hears this of the labels it shows. Labels in a dashed frame would have been "
        "right, too, but were not shown, so the learner does not hear of them."
    )
    watched = ("row", "shown", "right", "true", "was", "now", "width")
    change = CHANGE

    def faces(self, data: Any) -> dict[str, Any]:
        return labelled(data)

    def about(self, learner: Any) -> dict[str, Any]:
        return {"hears": learner.hears}

    def columns(self, watched: Mapping[str, Array], data: Any) -> dict[str, Array]:
        shown, true = watched["shown"], watched["true"]
        places = min(PLACES, data.classes)
        told = (true[:, :, None] == shown[:, None, :]).any(axis=2)
        missed = np.where(told, -1, true)
        missed = np.take_along_axis(missed, np.argsort(missed < 0, axis=1, kind="stable"), axis=1)  # −1 to the end
        counts = [(values >= 0).sum(axis=1) for values in (shown, missed)]
        return {
            "row": watched["row"],
            "shown": _fitted(shown, places, -1),
            "right": _fitted(np.where(shown >= 0, watched["right"], 0).astype(int), places, 0),
            "missed": _fitted(missed, places, -1),
            "more": np.stack([np.maximum(count - places, 0) for count in counts], axis=1),
        }


def _fitted(values: Array, places: int, nothing: int) -> Array:
    """Return values (steps, m) as (steps, places), cut or padded."""
    values = values[:, :places]
    return np.pad(values, ((0, 0), (0, places - values.shape[1])), constant_values=nothing)
