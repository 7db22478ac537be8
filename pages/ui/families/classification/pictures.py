"""The pictures of the bandit lab: decision regions, and weights as images."""

from typing import Any

import numpy as np

from pages.ui.draw.charts import Look
from pages.ui.draw.images import centred
from pages.ui.draw.markup import note, sheets, weight_sheet
from pages.ui.draw.parameter_charts import heat_maps
from pages.ui.draw.scatter_panels import ScatterPanel, scatter_panels
from pages.ui.plain import Html
from pages.ui.race.charts import ChartSpec
from pages.ui.race.moment import Moment

GRID = 48  # points along each side of the plane
LATEST_STEPS = 1000  # latest steps over which confusions are counted
_MOST_SHOWN = 30  # classes for which confusions are drawn
_MOST_IMAGES = 24  # and for which weights are


def confusions(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw for each learner how often it gave each answer to each true class in the latest steps."""
    classes = moment.data.classes
    maps = []
    if moment.t and classes <= _MOST_SHOWN:
        for simulation in moment.simulations:
            counts = simulation.environment.confusion(LATEST_STEPS).astype(float)
            maps.append(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))
    empty = (
        "Play on, and the answers appear here." if classes <= _MOST_SHOWN else f"Drawn for up to {_MOST_SHOWN} classes."
    )
    return heat_maps(maps, moment.setup.shorts(), moment.data.names, look, height, empty)


def regions(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw for the first run where each learner predicts which class, and some examples with their true classes."""
    data = moment.data
    panels = []
    if data.dimension == 2 and not data.sparse:
        reach = 1.05 * float(np.abs(data.features).max())
        line = np.linspace(-reach, reach, GRID)
        points = np.stack(np.meshgrid(line, line), axis=2)  # (GRID, GRID, 2)
        shown = np.linspace(0, data.examples - 1, min(data.examples, 400)).astype(int)
        for label, simulation in zip(moment.setup.shorts(), moment.simulations, strict=True):
            weights = simulation.learner.weights if moment.t else None
            panels.append(
                ScatterPanel(
                    label,
                    data.features[shown],
                    data.labels[shown],
                    np.zeros(len(shown), dtype=bool),
                    region=None if weights is None else (points @ weights[0].T).argmax(axis=2),
                    extent=(-reach, reach, -reach, reach),
                    size=4,
                    says="true class",
                )
            )
    return scatter_panels(
        panels, data.names, look, "Drawn for two-dimensional data, such as the points in the plane.", height
    )


def weight_maps(moment: Moment, look: Look) -> Html:
    """Draw the rows of every learner's W in the first run as images, where examples are images."""
    data = moment.data
    if data.image_shape is None or data.classes > _MOST_IMAGES:
        return note(f"Drawn for images of up to {_MOST_IMAGES} classes, such as the handwritten digits.")
    drawn = [
        weight_sheet(np.array([*map(centred, simulation.learner.weights[0])]), data.image_shape, data.names, label)
        for label, simulation in zip(moment.setup.labels(), moment.simulations, strict=True)
        if simulation.learner.weights is not None
    ]
    return sheets(drawn) if drawn else note("None of these learners has weights.")


PICTURES = (
    ChartSpec(
        "confusion", f"Confusion of classes (last {LATEST_STEPS:,} steps)",
        "One map for each learner. Rows are the true classes, columns the labels played. The darker a cell, the more "
        "often this happened. A learner that is always right has a dark diagonal. If a learner shows several labels, "
        "the correct one counts, or the first if none is correct.",
        draw=confusions, wide=True, fits=lambda data: data.classes <= _MOST_SHOWN,
    ),
    ChartSpec(
        "regions", "Decision regions (two dimensions, first run)",
        "Dots are examples, coloured by their true class. The background shows the class with the largest score under "
        "the weights of the learner. Linear learners without a constant feature divide the plane into sectors around "
        "the origin.",
        draw=regions, wide=True, fits=lambda data: data.dimension == 2,
    ),
    ChartSpec(
        "weight-maps", "Weights as pictures (first run)",
        "What each learner looks for in each class, where examples are images. Red pixels speak for the class and blue "
        "ones against it. Positive weights are drawn relative to the mean of their row.",
        write=weight_maps, wide=True, fits=lambda data: data.image_shape is not None and data.classes <= _MOST_IMAGES,
    ),
)  # fmt: skip
