"""The scene of classification: one example, the label played, and what was heard."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.families.classification.change import CHANGE
from pages.ui.race.faces import labelled
from pages.ui.race.scene import PLACES, Scene


class AnswerScene(Scene):
    """The example of a step with each learner's answer.

    Columns: row (F,); truth (F,) the true label; predicted (F, k) and played (F, k) labels; explored (F,) 0 or 1;
    heard (F,) 0 or 1, whether it heard that this is right; told (F,) the label that it was told, −1 for none.
    """

    kind = "answer"
    title = "The answer in this step"
    help = (
        "The example of this step and each learner's answer: the label that it would have predicted, the label that it "
        "played, and what it heard. A learner that explores plays a label at random now and then. The true label, in "
        "the dashed frame, is not told to a learner that hears only right or wrong."
    )
    watched = ("row", "label", "played", "predicted", "explored", "heard", "told", "chance", "was", "now")
    change = CHANGE

    def faces(self, data: Any) -> dict[str, Any]:
        return labelled(data, data.image_shape)

    def about(self, learner: Any) -> dict[str, Any]:
        return {"hears": learner.hears}

    def columns(self, watched: Mapping[str, Array], data: Any) -> dict[str, Array]:
        def several(name: str) -> Array:
            values = watched[name]
            return values.reshape(len(values), -1)[:, :PLACES]

        return {
            "row": watched["row"],
            "truth": watched["label"],
            "predicted": several("predicted"),
            "played": several("played"),
            "explored": np.asarray(watched["explored"], dtype=int),
            "heard": np.asarray(watched["heard"], dtype=int),
            "told": watched["told"],
        }
