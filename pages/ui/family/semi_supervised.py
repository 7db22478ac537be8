"""The charts of the semi-supervised lab."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.ui.draw.charts import Look
from pages.ui.draw.scatter_panels import Panel, scatter_panels
from pages.ui.lab.charts import ChartSpec, View
from pages.ui.lab.race import Race


def regions(race: Race, view: View, look: Look, height: int) -> dict[str, Any]:
    """For each learner the training points of the first run, and in two dimensions what it predicts everywhere."""
    assert race.setup is not None
    panels = []
    for label, simulation in zip(race.setup.labels(), race.simulations, strict=True):
        world = simulation.environment
        training, last = world.problems[0], world.rounds[0]
        told = training.labels >= 0
        classes = np.where(told | (last.targets is None), training.labels, last.targets)
        if race.t:  # where there is no pseudo-label: what is predicted
            classes = np.where(classes < 0, world.predicted(0)[world.rows[0]], classes)
        panels.append(
            Panel(
                label,
                world.places(0),
                classes,
                told,
                last.weights,
                world.region if race.t else None,
                world.extent if world.region is not None else None,
            )
        )
    return scatter_panels(panels, race.simulations[0].dataset.names, look, "", 300)


PICTURES = (
    ChartSpec(
        "regions", "What each learner sees and says (first run)",
        "Training examples of the first run. Diamonds have a label, the others do not. The colour of a point is its "
        "label or pseudo-label, or else the class predicted; grey points have none yet. Its size is its weight for the "
        "weak classifier of this round. The background is the class predicted there. Data of more than two dimensions "
        "are drawn by their first two principal components, without a background.",
        draw=regions, wide=True,
    ),
)  # fmt: skip
