"""The charts of learning from a log: what was learned, how places are looked at, and what a learned list is worth."""

from dataclasses import replace
from typing import Any

import numpy as np

from datasets.parameters import Parameter
from learners import Simulation
from learners.base import Array
from learners.ranking import metrics
from learners.ranking.from_logs.base import LoggedLearner
from learners.ranking.from_logs.table import PLACES
from learners.ranking.searches import measures
from learners.ranking.users.attention import Attention
from pages.ui.draw.charts import Look, annotation, axis_of, base_layout, empty_figure, line, mean_of, ribbon
from pages.ui.plain import for_plotly
from pages.ui.race.charts import ChartSpec
from pages.ui.race.moment import Moment

MOST_PLACES = 20  # whose chances to be looked at are drawn
HIGHEST = 1.4  # of these chances, against the first place
WAYS = {"swaps": "exchanges", "EM": "EM"}
WHICH = Parameter(
    "ranking", "choice", "both", choices=("learned", "shown", "both"),
    help="Learned: the ranking that each learner believes best. Shown: what was shown, which for learners from a log "
    "are the lists of the ranker in use; it is the thin line if both are drawn.",
)  # fmt: skip


def _room(data: Any) -> tuple[float, float]:
    """Return limits for NDCG between which a list as good as that of the ranker in use, or a better one, lies."""
    grades = data.grades[0]
    ideal = measures.dcg(-np.sort(-grades), 5)
    now = float(measures.ndcg(grades, np.asarray(ideal), 5)) if data.fixed_candidates else 0.3
    return max(0.0, float(np.floor(10 * now - 3)) / 10), 1.02


LEARNED = replace(
    metrics.NDCG_PREDICTED, title="NDCG@5 learned", unit="", drawn=True, companion=metrics.NDCG,
    companion_name="shown", limits=_room,
    help="How good the ranking is that each learner has learned by now, for a log as large as the number of steps. The "
    "thin line is what was shown: for learners from a log the lists of the ranker in use, always the same; for others "
    "their own. A learner that falls below the thin line would have done better to leave that ranker alone.",
)  # fmt: skip
LEARNED_RANK = replace(
    metrics.RANK_OF_BEST_PREDICTED, title="Learned rank of the best document", drawn=True,
    companion=metrics.RANK_OF_BEST, companion_name="shown", limits=metrics.RANK_OF_BEST.limits,
    strip=metrics.RANK_OF_BEST.strip,
)  # fmt: skip
LEARNED_REGRET = replace(
    metrics.AVERAGE_REGRET_PREDICTED, title="Average regret of the rankings learned", drawn=True,
    companion=metrics.AVERAGE_REGRET, companion_name="shown",
)  # fmt: skip


def _logged(moment: Moment) -> list[tuple[int, str, Simulation]]:
    """Return the learners from a log with their numbers in the race, and their names."""
    all_ = enumerate(zip(moment.setup.shorts(), moment.simulations, strict=True))
    return [(slot, name, sim) for slot, (name, sim) in all_ if isinstance(sim.learner, LoggedLearner)]


def propensities(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw how likely each place is looked at, as the first learner's log tells it in two ways, and as it is."""
    found = _logged(moment)
    if not found or not moment.t:
        text = "Press Play or Step,<br>and the estimates appear here." if found else "No learner reads a log."
        return empty_figure(text, base_layout(look, height), look)
    learner, simulation = found[0][2].learner, found[0][2]
    n = min(learner.n, MOST_PLACES)
    x, traces = np.arange(1, n + 1), []
    for number, (way, values) in enumerate(learner.looks().items()):
        color, name = look.colors[number], WAYS[way]
        mean, known = mean_of(values[:, :n].T), (~np.isnan(values[:, :n])).sum(axis=0)
        spread = np.sqrt(np.nansum((values[:, :n] - mean) ** 2, axis=0) / np.maximum(known - 1, 1))
        traces.append(ribbon(x, np.maximum(mean - spread, 0), np.minimum(mean + spread, HIGHEST), color, y_log=False))
        traces.append(line(x, mean, name, color, look.dashes[number], dots=True))
    true = _chances(simulation, np.arange(learner.n)[None]).looked[0, :n]
    traces.append(line(x, true / true[0], "true", look.text, "dot", 1.6, dots=True))
    layout = base_layout(
        look, height, hovermode="x unified", meta={"hold": ["xaxis", "yaxis"]}, showlegend=True,
        margin={"l": 46, "r": 10, "t": 24, "b": 34},  # the legend stands above the curves
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1.0, "yanchor": "bottom", "font": {"size": 11}},
        xaxis=axis_of(look, {"title": {"text": "place in the list", "standoff": 4}, "range": [0.5, n + 0.5]}),
        yaxis=axis_of(look, {"nticks": 6, "range": [0, HIGHEST]}),
    )  # fmt: skip
    return {"data": [trace | {"showlegend": "name" in trace} for trace in traces], "layout": layout}


def _chances(simulation: Simulation, rankings: Array) -> Attention:
    """Return the true chances of a look and of a click at each place of rankings (R, n)."""
    data = simulation.dataset
    found: Attention = simulation.user.attention(data.grades[0][rankings], data.top_grade)
    return found


def _clicks(simulation: Simulation, rankings: Array) -> Array:
    """Return the true number of clicks that rankings get on their first places, in expectation, (R,)."""
    found: Array = _chances(simulation, rankings).clicked[:, :PLACES].sum(axis=1)
    return found


def estimates(moment: Moment, look: Look, height: int) -> dict[str, Any]:
    """Draw for each learner from a log what its list is worth: three estimates with intervals, and the truth."""
    found = _logged(moment)
    if not found or moment.t < 2:
        text = "Appears after two interactions." if found else "No learner reads a log."
        return empty_figure(text, base_layout(look, height), look)
    traces: list[dict[str, Any]] = []
    labels: list[str] = []
    shapes, names = [], []
    best = _clicks(found[0][2], np.argsort(-moment.data.grades[0], kind="stable")[None])
    for slot, name, simulation in found:
        learner, color, top = simulation.learner, look.colors[slot], 0.5 - len(labels)
        truth = _clicks(simulation, learner.valued)
        for way, estimate in learner.values().items():
            inside, known = (estimate.low <= truth) & (estimate.high >= truth), np.isfinite(estimate.high)
            labels.append(f"{way} {inside.sum()}/{known.sum()}" if known.any() else f"{way} –")
            value, low, high = (float(part[0]) for part in estimate)
            if np.isfinite([value, low, high]).all():
                traces.append(_interval(value, low, high, 1 - len(labels), color, f"{name}, {way}"))
            else:
                untold = annotation("too rarely shown to tell", 0.02, 1 - len(labels), look.text)
                names.append(untold | {"yref": "y", "xanchor": "left"})
        line = {"color": look.text, "width": 1.6, "dash": "dot"}
        at = {"x0": float(truth[0]), "x1": float(truth[0]), "y0": top, "y1": 0.5 - len(labels)}
        shapes.append({"type": "line", "xref": "x", "yref": "y", "line": line} | at)
        named = annotation(for_plotly(name), 1, top, color)
        names.append(named | {"yref": "y", "xanchor": "right", "yanchor": "top"})
    layout = base_layout(
        look, height, margin={"l": 88, "r": 10, "t": 8, "b": 34}, shapes=shapes, annotations=names, hovermode="closest",
        meta={"hold": ["xaxis", "yaxis"]},
        xaxis=axis_of(
            look, {"title": {"text": "clicks on such a list", "standoff": 4}, "range": [0, 1.7 * float(best[0])]}
        ),
        yaxis=axis_of(
            look, {
                "tickvals": [-i for i in range(len(labels))], "ticktext": [for_plotly(label) for label in labels],
                "range": [0.5 - len(labels), 0.5], "zeroline": False,
            },
        ),
    )  # fmt: skip
    return {"data": traces, "layout": layout}


def _interval(value: float, low: float, high: float, y: int, color: str, name: str) -> dict[str, Any]:
    error = {"type": "data", "symmetric": False, "array": [high - value], "arrayminus": [value - low]}
    return {
        "type": "scatter", "mode": "markers", "x": [value], "y": [y], "showlegend": False,
        "marker": {"color": color, "size": 8}, "error_x": error | {"color": color, "width": 4},
        "hovertemplate": f"%{{x:.3f}}, {low:.3f} to {high:.3f}<extra>{for_plotly(name)}</extra>",
    }  # fmt: skip


PICTURES = (
    ChartSpec(
        "propensities", "How likely each place is looked at",
        "Relative to the first place. What a click means depends on how likely its place is looked at. Neighbours that "
        "were shown in either order, as 3PR shows them, tell it: the same documents stood on both places equally "
        "often, so clicks on the lower place over those on the upper one are the ratio of looks. EM fits places and "
        "documents to all clicks. The dotted line is the truth, which no learner sees. Bands are one standard "
        "deviation over the replicates.",
        draw=propensities,
    ),
    ChartSpec(
        "estimates", "Clicks on the list learned, estimated (first run)",
        "At the steps 1, 2, 4, 8, … the list that a learner has learned so far is put aside. The interactions that "
        "follow say how many clicks it would get, though it was never shown, with 95 % intervals: by inverse "
        "propensity scores (IPS), self-normalised (SNIPS), and doubly robust (DR), on its first "
        f"{PLACES} places. The dotted line is the truth, which only the simulation knows. The numbers on the left "
        "count the replicates whose interval holds it, of those that have one. A wide interval is an honest one: a "
        "click on what was rarely shown counts a hundredfold, and may not have come yet. SNIPS has none until each "
        "place has shown what the list has there.",
        draw=estimates,
    ),
)  # fmt: skip
