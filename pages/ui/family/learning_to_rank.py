"""The charts of the learning-to-rank lab."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.ui.draw.bars import Bar, bar_panels
from pages.ui.draw.chart_specs import ChartSpec, View
from pages.ui.draw.charts import Look
from pages.ui.draw.position_charts import PositionCurve, position_chart
from pages.ui.lab.race import Race
from pages.ui.settings import choice_of

DEPTH = 10  # positions up to which NDCG is told
MOST = 20  # documents of a query, and features, that are drawn as bars
TWIN = choice_of(
    "fold",
    "test",
    ["test", "training", "both"],
    "On which queries the charts measure: those kept for testing, or those that were trained on. With both, training is "
    "the thin line: the gap is overfitting.",
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


def _ndcg(k: int) -> ChartSpec:
    return ChartSpec(
        f"ndcg@{k}", f"ndcg@{k}", f"NDCG@{k} (0 to 1)",
        f"Normalised discounted cumulative gain of the first {k} documents, mean over the queries: gains 2^grade − 1, "
        "discounts 1/log2(1 + rank), divided by the best possible. Thin, with both: the training queries.",
        predicted=f"ndcg@{k}-train", y_range=None,
    )  # fmt: skip


CHARTS = (
    _ndcg(5),
    _ndcg(1),
    _ndcg(3),
    _ndcg(10),
    ChartSpec(
        "ndcg@5-validation", "ndcg@5-validation", "NDCG@5 on validation queries (0 to 1)",
        "The same on the queries set aside to choose the number of rounds with. The dissertation does not use them.",
    ),
    ChartSpec(
        "map", "map", "MAP, mean average precision (0 to 1)",
        "Mean over the queries of the average precision, where every grade above 0 counts as relevant.",
        predicted="map-train",
    ),
    ChartSpec(
        "positions", "ndcg@5", "NDCG@1 to NDCG@10, as it stands now",
        "The dissertation's Fig. 3.1: NDCG at each of the first ten positions, for the scores after the latest round.",
        draw=positions,
    ),
    ChartSpec(
        "surrogate", "surrogate", "Surrogate M",
        "What NDCG_Boost makes smaller instead of NDCG, which has no slope: a bound on the expected NDCG ([V] Eq. 3.11, "
        "not divided by the number of queries). Dotted: Theorem 7, corrected, with what each round has measured.",
        y_log=True, bounds=("bound",), partial=True, later="Only NDCG_Boost has it.",
    ),
    ChartSpec(
        "weights", "surrogate", "Weights of one query's documents, in their present order (first run)",
        "The documents of the first training query as each learner ranks them now, at most twenty. A bar upwards: the next "
        "weak ranker should lift this document; downwards: lower it. The darker, the higher its true grade.",
        draw=weights, wide=True,
    ),
    ChartSpec(
        "picked", "surrogate", "Which features were picked",
        "Share of each feature in the sum of the step sizes so far, mean over the runs; of linear learners the share in the "
        "sizes of their weights.",
        draw=picked, wide=True,
    ),
    ChartSpec(
        "step-size", "step-size", "Step size α",
        "How much the weak ranker of a round counts in the score; 0 where a learner has stopped.",
        partial=True,
    ),
    ChartSpec(
        "weak-error", "weak-error", "Error of the weak ranker (0 to 1)",
        "Weighted share of the pairs that the weak ranker of a round orders wrongly, over the runs that still go on.",
        partial=True, y_range=lambda data: (0.0, 1.02), later="These learners have no weak ranker.",
    ),
)  # fmt: skip
