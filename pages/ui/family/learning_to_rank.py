"""The charts of the learning-to-rank lab."""

from __future__ import annotations

from typing import Any

import numpy as np

from learners.boosting.learning_to_rank.metrics import discount
from pages.ui.draw.bars import Bar, bar_panels
from pages.ui.draw.charts import Look
from pages.ui.draw.position_charts import PositionCurve, position_chart
from pages.ui.lab.charts import ChartSpec, View
from pages.ui.lab.race import Race
from pages.ui.settings import choice_of

DEPTH = 10  # positions up to which NDCG is told
MOST = 20  # documents of a query, and features, that are drawn as bars
WHICH = choice_of(
    "fold",
    "test",
    ["test", "training", "both"],
    "On which queries the charts measure: those kept for testing, or those that were trained on. With both, training "
    "is the thin line: the gap is overfitting.",
)


def positions(race: Race, view: View, look: Look, height: int) -> dict[str, Any]:
    """NDCG@1…10 of each learner as it stands, with its spread over the replicates."""
    assert race.setup is not None
    found = []
    for slot, (label, simulation) in enumerate(zip(race.setup.labels(), race.simulations, strict=True)):
        for suffix, faint in (("", False), ("-train", True)):
            if not race.t or ((view.which == "presented") == faint and view.which != "both"):
                continue
            values = np.stack([simulation.history[f"ndcg@{k}{suffix}"][-1] for k in range(1, DEPTH + 1)])
            thin = faint and view.which == "both"
            found.append(PositionCurve(label + (" · training" if faint else ""), slot, values, faint=thin))
    return position_chart(found, "position k", look, height)


def weights(race: Race, view: View, look: Look, height: int) -> dict[str, Any]:
    """The weights of the documents of one training query, in the order in which each learner ranks them."""
    assert race.setup is not None
    panels = []
    for slot, (label, simulation) in enumerate(zip(race.setup.labels(), race.simulations, strict=True)):
        world = simulation.environment
        query = int(world.folds[0][0][0])
        w = world.weights_of(0, query) if race.t else None
        if w is None:
            continue
        rows = simulation.dataset.documents(query)
        order = np.argsort(-world.scores[0][rows], kind="stable")[:MOST]
        grades = simulation.dataset.grades[0][rows][order]
        bars = [
            Bar(f"{rank + 1}", float(w[i]), f"rank {rank + 1}, grade {g:g}: weight {w[i]:.3g}", shade=float(g))
            for rank, (i, g) in enumerate(zip(order, grades, strict=True))
        ]
        panels.append((label, slot, bars))
    return bar_panels(panels, look, height, "rank of the document", "No learner here weighs single documents.", race.t)


def picked(race: Race, view: View, look: Look, height: int) -> dict[str, Any]:
    """How much each learner has used each feature, summed over its rounds and averaged over the runs."""
    assert race.setup is not None
    panels = []
    for slot, (label, simulation) in enumerate(zip(race.setup.labels(), race.simulations, strict=True)):
        used = simulation.environment.picked.mean(axis=0)
        if not race.t or not used.any():
            continue
        top = np.argsort(-used, kind="stable")[:MOST]
        top = top[used[top] > 0]
        bars = [
            Bar(f"{j + 1}", float(used[j] / used.sum()), f"feature {j + 1}: {used[j] / used.sum():.1%}") for j in top
        ]
        panels.append((label, slot, bars))
    return bar_panels(panels, look, height, "number of the feature", "These learners name no features.", race.t)


PICTURES = (
    ChartSpec(
        "positions", "NDCG@1 to NDCG@10, as it stands now",
        "Fig. 3.1 of the dissertation: NDCG at each of the first ten positions, for the scores after the latest round.",
        draw=positions, remark=discount,
    ),
    ChartSpec(
        "weights", "Weights of one query's documents, in their present order (first run)",
        "The documents of the first training query as each learner ranks them now, at most twenty. A bar upwards means "
        "that the next weak ranker should lift this document, a bar downwards that it should lower it. The darker a "
        "bar, the higher the true grade.",
        draw=weights, wide=True,
    ),
    ChartSpec(
        "picked", "Which features were picked",
        "Share of each feature in the sum of the step sizes so far, mean over the runs. For linear learners it is the "
        "share in the sizes of their weights.",
        draw=picked, wide=True,
    ),
)  # fmt: skip
