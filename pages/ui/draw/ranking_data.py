"""The description of a ranking data set in the catalogue."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from datasets.ranking import RankingData
from learners.ndcg import expected_ndcg
from pages.ui.draw import images
from pages.ui.draw.bars import bars, histogram_bars
from pages.ui.draw.charts import Look, axis_of, base_layout
from pages.ui.draw.still_charts import Chart, show_alone
from pages.ui.draw.theme import look
from pages.ui.plain import plain

SAMPLE = 500  # queries on which NDCG is estimated


@dataclass(frozen=True)
class Headroom:
    """Mean NDCG@5 over a sample of queries, of random rankings and of rankings by w*."""

    random: float
    linear: float


def headroom(data: RankingData) -> Headroom:
    """Estimate how far learning can get on this data, for the first task."""
    rng = np.random.default_rng(0)
    sums = np.zeros(2)
    queries = rng.choice(data.queries, size=min(SAMPLE, data.queries), replace=False)
    for query in queries:
        rows = data.documents(query)
        grades = data.grades[0, rows]
        places = min(5, data.slots or 5)
        # with all scores equal, the expected NDCG is that of a ranking in random order
        sums += [expected_ndcg(grades, scores, places) for scores in (0 * grades, data.utility[0, rows])]
    return Headroom(*(sums / len(queries)))


def draw(data: RankingData, key: str) -> None:
    """Describe the data set in numbers, sample documents and charts."""
    spread = str(data.longest) if data.same_length else f"{int(data.lengths.min())}–{data.longest}"
    room, places = _headroom(data, key), min(5, data.slots or 5)
    with st.container(horizontal=True):
        st.metric("Queries", f"{data.queries:,}")
        st.metric("Documents per query", spread)
        st.metric("Features", f"{data.dimension:,}")
        st.metric(f"NDCG@{places}, random", f"{room.random:.3f}", help="Mean over random rankings.")
        st.metric(
            f"NDCG@{places}, by w*", f"{room.linear:.3f}",
            help="Mean over rankings by the linear utility w*, the least-squares fit of the grades. A linear learner "
            "can hardly do better. The difference from random is what there is to learn.",
        )  # fmt: skip
    if not data.grades[0].any():
        st.warning("Every document has grade 0, so nothing tells good rankings from bad ones.")
    for note in data.notes:
        st.caption(plain(f"Note: {note}."))
    now = look()
    if data.image_shape:
        st.caption("The documents of one query")
        first = data.features[data.documents(0)]
        st.html(images.row([images.ink(x.reshape(data.image_shape)) for x in first], "a document"))
    charts = [_grades(data, now), _scatter(data, now)]
    if not data.same_length:
        charts.append(_lengths(data, now))
    if data.dimension <= 2000:
        charts.append(_weights(data, now))
    show_alone(charts, key, now.text)


@st.cache_data(show_spinner=False, max_entries=32)
def _headroom(_data: RankingData, key: str) -> Headroom:
    return headroom(_data)


def _grades(data: RankingData, now: Look) -> Chart:
    rows = np.concatenate([data.documents(q) for q in range(min(data.queries, 5000))])
    values, counts = np.unique(data.grades[0, rows], return_counts=True)
    figure = bars([f"{v:g}" for v in values], counts / counts.sum(), now, now.colors[0])
    return Chart("grades", "Share of documents with each grade", "For the first user, where users differ.", figure)


def _lengths(data: RankingData, now: Look) -> Chart:
    figure = histogram_bars(data.lengths, now, now.colors[2])
    return Chart("lengths", "Queries by number of documents", "The lengths of the candidate lists.", figure)


def _scatter(data: RankingData, now: Look) -> Chart:
    """Draw grade against true utility for a sample of documents, with the grades spread sideways a little."""
    rng = np.random.default_rng(0)
    rows = np.concatenate([data.documents(q) for q in range(min(data.queries, 1000))])
    rows = rng.choice(rows, size=min(800, len(rows)), replace=False)
    trace = {
        "type": "scatter", "mode": "markers", "x": data.grades[0, rows] + rng.uniform(-0.3, 0.3, len(rows)),
        "y": data.utility[0, rows], "marker": {"size": 4, "opacity": 0.5, "color": now.colors[0]},
        "hovertemplate": "grade %{x:.0f}, utility %{y:.3g}<extra></extra>",
    }  # fmt: skip
    x = axis_of(now, {"dtick": 1, "tick0": 0, "title": {"text": "grade", "standoff": 4}})
    layout = base_layout(now, 200, xaxis=x, yaxis=axis_of(now, {"nticks": 5}))
    return Chart(
        "scatter", "Utility w* · x of documents, by grade",
        "Each dot is a document. Dots are spread sideways within a grade. The less the clouds overlap, the better a "
        "linear ranking can separate the grades.",
        {"data": [trace], "layout": layout},
    )  # fmt: skip


def _weights(data: RankingData, now: Look) -> Chart:
    w = data.weights[0]
    figure = bars([str(j + 1) for j in range(len(w))], w, now, now.colors[1])
    return Chart(
        "weights", "True weights w*", "The least-squares fit of the grades on the features, for the first user.", figure
    )
