"""The picture of the semi-supervised lab: examples with their weights, and decision regions."""

from typing import Any

import numpy as np

from pages.ui.draw.charts import Look
from pages.ui.draw.scatter_panels import ScatterPanel, scatter_panels
from pages.ui.race.charts import ChartSpec
from pages.ui.race.moment import Moment


def regions(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw for each learner the training examples of the first run, and in two dimensions its decision regions."""
    panels = []
    for label, simulation in zip(moment.setup.shorts(), moment.simulations, strict=True):
        world = simulation.environment
        training, last = world.problems[0], world.rounds[0]
        labelled = training.labels >= 0
        classes = np.where(labelled | (last.targets is None), training.labels, last.targets)
        if moment.t:  # the predicted class where there is no pseudo-label
            classes = np.where(classes < 0, world.predicted(0)[world.rows[0]], classes)
        panels.append(
            ScatterPanel(
                label,
                world.places(0),
                classes,
                labelled,
                last.weights,
                world.region if moment.t else None,
                world.extent if world.region is not None else None,
            )
        )
    return scatter_panels(panels, moment.data.names, look, "", 300)


PICTURES = (
    ChartSpec(
        "regions", "Examples, weights and decision regions (first run)",
        "Training examples of the first run. Diamonds are labelled examples, the others are unlabelled. The colour of "
        "a point shows its label or pseudo-label, or else the predicted class; grey points have none yet. The size "
        "shows its weight for the weak classifier of this round. The background shows the class predicted there. Data "
        "of more than two dimensions are drawn by their first two principal components, without a background.",
        draw=regions, wide=True,
    ),
)  # fmt: skip
