"""What a ranking data set looks like: numbers, sample documents, and how far a linear ranking gets."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from datasets.ranking import RankingData
from learners.ndcg import expected_ndcg
from pages.ui.draw import live_charts, pictures
from pages.ui.draw.charts import bars
from pages.ui.draw.live_charts import Chart
from pages.ui.draw.theme import look

SAMPLE = 500  # queries on which NDCG is estimated


@dataclass(frozen=True)
class Headroom:
    """Mean NDCG@5 over a sample of queries: of random rankings, and of those by w*."""

    random: float
    linear: float


def headroom(data: RankingData) -> Headroom:
    """How far learning can get on this data, for the first task."""
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
    """The portrait of a data set."""
    spread = str(data.longest) if data.same_length else f"{data.lengths.min()}–{data.longest}"
    room, places = _headroom(data, key), min(5, data.slots or 5)
    with st.container(horizontal=True):
        st.metric("Queries", f"{data.queries:,}")
        st.metric("Documents a query", spread)
        st.metric("Features", f"{data.dimension:,}")
        st.metric(f"NDCG@{places}, random", f"{room.random:.3f}", help="Mean over rankings in random order.")
        st.metric(
            f"NDCG@{places}, by w*", f"{room.linear:.3f}",
            help="Mean over rankings by the linear utility w*, the least-squares fit of the grades. About as good as a "
            "linear learner can get; the difference to random is what there is to learn.",
        )  # fmt: skip
    if not data.grades[0].any():
        st.warning("Every document has grade 0: there is nothing to tell good rankings from bad ones by.")
    for note in data.notes:
        st.caption(f"Note: {note}.")
    now = look()
    if data.image_shape:
        st.caption("The documents of one query:")
        images = "".join(
            f'<img alt="a document" style="width:2.6rem;height:2.6rem;image-rendering:pixelated;border-radius:3px" '
            f'src="{pictures.ink(np.asarray(data.features[row], dtype=float).reshape(data.image_shape))}">'
            for row in data.documents(0)
        )
        st.html(f'<div style="display:flex;flex-wrap:wrap;gap:.35rem">{images}</div>')
    charts = [_grades(data, now), _scatter(data, now)]
    if not data.same_length:
        charts.append(_lengths(data, now))
    if data.dimension <= 2000:
        charts.append(_weights(data, now))
    live_charts.show(charts, [], "portrait-" + hashlib.sha256(key.encode()).hexdigest()[:12], now.text)


@st.cache_data(show_spinner=False, max_entries=32)
def _headroom(_data: RankingData, key: str) -> Headroom:
    return headroom(_data)


def _grades(data: RankingData, now: Any) -> Chart:
    rows = np.concatenate([data.documents(q) for q in range(min(data.queries, 5000))])
    values, counts = np.unique(data.grades[0, rows], return_counts=True)
    figure = bars([f"{v:g}" for v in values], counts / counts.sum(), now, now.colors[0])
    return Chart("grades", "Share of documents with each grade", "For the first user, where users differ.", figure)


def _lengths(data: RankingData, now: Any) -> Chart:
    shortest, longest = int(data.lengths.min()), data.longest
    width = -(-(longest - shortest + 1) // 30)  # whole numbers of documents to a bar
    edges = np.arange(shortest, longest + width + 1, width)
    counts, _ = np.histogram(data.lengths, bins=edges - 0.5)
    names = [str(a) if width == 1 else f"{a}–{a + width - 1}" for a in edges[:-1]]
    figure = bars(names, counts, now, now.colors[2])
    return Chart("lengths", "Queries by number of documents", "How long the candidate lists are.", figure)


def _scatter(data: RankingData, now: Any, most: int = 800) -> Chart:
    """Grade against true utility for a sample of documents, the grades spread sideways a little."""
    rng = np.random.default_rng(0)
    rows = np.concatenate([data.documents(q) for q in range(min(data.queries, 1000))])
    rows = rng.choice(rows, size=min(most, len(rows)), replace=False)
    figure = bars([], [], now, now.colors[0])
    trace = {
        "type": "scatter", "mode": "markers", "x": data.grades[0, rows] + rng.uniform(-0.3, 0.3, len(rows)),
        "y": data.utility[0, rows], "marker": {"size": 4, "opacity": 0.5, "color": now.colors[0]},
        "hovertemplate": "grade %{x:.0f}, utility %{y:.3g}<extra></extra>",
    }  # fmt: skip
    figure["layout"]["xaxis"] |= {"type": "linear", "dtick": 1, "tick0": 0, "title": {"text": "grade", "standoff": 4}}
    return Chart(
        "scatter", "Utility w* · x of documents, by grade",
        "Each dot is a document; dots are spread sideways within a grade. The less the clouds overlap, the better a linear "
        "ranking can tell the grades apart.",
        {"data": [trace], "layout": figure["layout"]},
    )  # fmt: skip


def _weights(data: RankingData, now: Any) -> Chart:
    w = data.weights[0]
    figure = bars([str(j + 1) for j in range(len(w))], w, now, now.colors[1])
    return Chart(
        "weights", "True weights w*", "The least-squares fit of the grades on the features, for the first user.", figure
    )
