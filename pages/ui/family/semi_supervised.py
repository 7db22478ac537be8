"""The charts of the semi-supervised lab."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.ui.draw.chart_specs import ChartSpec, View
from pages.ui.draw.charts import Look
from pages.ui.draw.scatter_panels import Panel, scatter_panels
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
                label, world.places(0), classes, told, last.weights, world.region if race.t else None,
                world.extent if world.region is not None else None,
            )
        )  # fmt: skip
    return scatter_panels(panels, race.simulations[0].dataset.names, look, "", 300)


CHARTS = (
    ChartSpec(
        "regions", "accuracy-train", "What each learner sees and says (first run)",
        "Training examples of the first run: diamonds have a label, the others do not. A point's colour is its label or "
        "pseudo-label, or else the class predicted; grey points have none yet. Its size is its weight for the weak classifier "
        "of this round. Background: the class predicted there. Data of more than two dimensions are drawn by their first two "
        "principal components, without a background.",
        draw=regions, wide=True,
    ),
    ChartSpec(
        "accuracy-test", "accuracy-test", "Accuracy on test examples (0 to 1)",
        "Share of the examples kept for testing whose class is predicted rightly. No learner has seen them.",
        y_range=lambda data: (0.0, 1.02),
    ),
    ChartSpec(
        "accuracy-unlabelled", "accuracy-unlabelled", "Accuracy on unlabelled examples (0 to 1)",
        "Share of the training examples without a told label whose class is predicted rightly: their features were seen, "
        "their labels never.",
        y_range=lambda data: (0.0, 1.02),
    ),
    ChartSpec(
        "accuracy-train", "accuracy-train", "Accuracy on labelled examples (0 to 1)",
        "Share of the few examples with a told label that are predicted rightly.",
        y_range=lambda data: (0.0, 1.02),
    ),
    ChartSpec(
        "objective", "objective", "Objective, relative to that after the first round",
        "What the boosting makes smaller: F = Fᵤ + C · Fₗ for MCSSB, the mean exponential loss for AdaBoost and ASSEMBLE. Dotted: the "
        "theorem's bound, with what each round has measured put into it. Divided by its value after the first round, for the scales of learners do not compare.",
        y_log=True, bounds=("bound",), partial=True, relative=True, later="These learners have no objective.",
    ),
    ChartSpec(
        "objective-unlabelled", "objective-unlabelled", "Objective, the part of the unlabelled examples",
        "MCSSB: Fᵤ, pairs of similar examples taken for different classes ([V] Eq. 2.4). ASSEMBLE: the mean exponential loss on "
        "pseudo-labelled examples, on another scale.",
        y_log=True, partial=True, later="These learners have no such part.",
    ),
    ChartSpec(
        "objective-labelled", "objective-labelled", "Objective, the part of the labels",
        "MCSSB: Fₗ, examples taken for another class than a similar labelled one has, without the factor C ([V] Eq. 2.6). "
        "ASSEMBLE: the mean exponential loss on labelled examples, on another scale.",
        y_log=True, partial=True, later="These learners have no such part.",
    ),
    ChartSpec(
        "step-size", "step-size", "Step size α",
        "How much the weak classifier of a round counts in the vote; 0 where a learner has stopped. References have none.",
        partial=True,
    ),
    ChartSpec(
        "weak-error", "weak-error", "Error of the weak classifier (0 to 1)",
        "Weighted error of the weak classifier of each round, over the runs that still go on; for MCSSB the ε of [V] Eq. 2.20, the "
        "share of what speaks against its step. At ½ AdaBoost and ASSEMBLE "
        "have to stop, which with many classes comes early.",
        partial=True, y_range=lambda data: (0.0, 1.02), later="These learners have no weak classifier.",
    ),
)  # fmt: skip
