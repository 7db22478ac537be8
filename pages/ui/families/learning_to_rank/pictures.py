"""The pictures of the learning-to-rank lab: NDCG by position, weights of documents, features picked."""

from typing import Any

import numpy as np

from learners.boosting.learning_to_rank.metrics import discount
from pages.ui.draw.bars import Bar, bar_panels
from pages.ui.draw.charts import Look
from pages.ui.draw.position_charts import PositionCurve, position_chart
from pages.ui.form.links import choice_of
from pages.ui.race.charts import ChartSpec
from pages.ui.race.moment import Moment

DEPTH = 10  # deepest position k of NDCG@k
MOST_BARS = 20  # most bars, for the documents of a query or for features
WHICH = choice_of(
    "fold",
    "test",
    ["test", "training", "both"],
    "The queries on which the charts measure, either the test queries or the training queries. If both are drawn, the "
    "thin line is training, and the gap is overfitting.",
)


def positions(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw NDCG@1 to NDCG@10 of each learner, on the test queries and, thin, on the training queries."""
    found = []
    for slot, (label, simulation) in enumerate(zip(moment.setup.labels(), moment.simulations, strict=True)):
        for suffix, faint in (("", False), ("-train", True)):
            if moment.t:
                values = np.stack([simulation.history[f"ndcg@{k}{suffix}"][-1] for k in range(1, DEPTH + 1)])
                found.append(PositionCurve(label + " · training" * faint, slot, values, faint=faint))
    return position_chart(found, "position k", look, height)


def weights(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw for each learner the weights of the documents of one training query, in its own ranking."""
    panels = []
    for slot, (label, simulation) in enumerate(zip(moment.setup.shorts(), moment.simulations, strict=True)):
        environment = simulation.environment
        query = int(environment.folds[0][0][0])
        w = environment.weights_of(0, query) if moment.t else None
        if w is None:
            continue
        rows = simulation.dataset.documents(query)
        order = np.argsort(-environment.scores[0][rows], kind="stable")[:MOST_BARS]
        grades = simulation.dataset.grades[0][rows][order]
        bars = [
            Bar(f"{rank + 1}", float(w[i]), f"rank {rank + 1}, grade {g:g}: weight {w[i]:.3g}", shade=float(g))
            for rank, (i, g) in enumerate(zip(order, grades, strict=True))
        ]
        panels.append((label, slot, bars))
    empty = "None of these learners weights documents."
    return bar_panels(panels, look, height, "rank of the document", empty, moment.t)


def picked(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw how much each learner has used each feature, summed over its rounds and averaged over the runs."""
    panels = []
    for slot, (label, simulation) in enumerate(zip(moment.setup.shorts(), moment.simulations, strict=True)):
        used = simulation.environment.picked.mean(axis=0)
        if not moment.t or not used.any():
            continue
        top = np.argsort(-used, kind="stable")[:MOST_BARS]
        top = top[used[top] > 0]
        bars = [
            Bar(f"{j + 1}", float(used[j] / used.sum()), f"feature {j + 1}: {used[j] / used.sum():.1%}") for j in top
        ]
        panels.append((label, slot, bars))
    empty = "These learners do not pick features."
    return bar_panels(panels, look, height, "number of the feature", empty, moment.t)


PICTURES = (
    ChartSpec(
        "positions", "NDCG@1 to NDCG@10 after the latest round",
        "NDCG at each of the first ten positions, by the scores after the latest round, as in Fig. 3.1 of the "
        "dissertation. Thick lines are the test queries, with the standard error over the runs. Thin lines are the "
        "training queries, and the gap is overfitting.",
        draw=positions, remark=discount,
    ),
    ChartSpec(
        "weights", "Weights of one query's documents (first run)",
        "The documents of the first training query, at most twenty, as each learner ranks them now. A bar upwards "
        "means that the next weak ranker should raise this document, a bar downwards that it should lower it. The "
        "darker the bar, the higher the true grade.",
        draw=weights, wide=True,
    ),
    ChartSpec(
        "picked", "Features picked",
        "Share of each feature in the sum of the step sizes so far, averaged over the runs. For linear learners, its "
        "share in the sizes of the weights.",
        draw=picked, wide=True,
    ),
)  # fmt: skip
