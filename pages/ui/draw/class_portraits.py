"""What a classification or multilabel data set looks like: numbers, how often each label occurs, sample examples."""

from __future__ import annotations

import hashlib
import html
from typing import Any

import numpy as np
import streamlit as st

from datasets.classification import ClassificationData
from datasets.multilabel import MultilabelData
from pages.ui.draw import live_charts, pictures
from pages.ui.draw.charts import Look, bars
from pages.ui.draw.live_charts import Chart
from pages.ui.draw.planes import Panel, planes
from pages.ui.draw.theme import look

_MOST = 60  # labels in a bar chart
_SAMPLE = 2000


def draw_classification(data: ClassificationData, key: str) -> None:
    """The portrait of a classification data set."""
    counts = np.bincount(data.labels, minlength=data.classes)
    with st.container(horizontal=True):
        st.metric("Examples", f"{data.examples:,}")
        st.metric("Features", f"{data.dimension:,}")
        st.metric("Classes", f"{data.classes:,}")
        st.metric(
            "Error of the commonest class", f"{1 - counts.max() / data.examples:.3f}",
            help="Error rate of always naming the commonest class: what a learner must beat.",
        )  # fmt: skip
        st.metric(
            "Error of a linear fit", f"{_linear_error(data, key):.3f}",
            help="Error on a sample of fixed weights W*, those with which the theorems' bounds compare: about as good as a "
            "linear learner can get.",
        )  # fmt: skip
        if data.sparse:
            st.metric("Features that are not 0", f"{data.features.nnz / data.examples:.1f}", help="Mean per example.")
    for note in data.notes:
        st.caption(f"Note: {note}.")
    if data.image_shape:
        _pictures(data)
    now = look()
    charts = [
        _frequencies(
            counts / data.examples, data.names, now, "Share of examples in each class", "How common each class is."
        )
    ]
    if data.sparse:
        charts.append(
            _histogram(np.diff(data.features.indptr), now, "Examples by number of features that are not 0",
                       "How much an example has to say.")
        )  # fmt: skip
    elif data.dimension <= 2:
        charts.append(_scatter(data, now))
    else:
        charts.append(_spread(data, now))
    _show(charts, key, now)


def draw_multilabel(data: MultilabelData, key: str) -> None:
    """The portrait of a multilabel data set."""
    sizes = data.labels.sum(axis=1)
    with st.container(horizontal=True):
        st.metric("Examples", f"{data.examples:,}")
        st.metric("Features", f"{data.dimension:,}")
        st.metric("Labels", f"{data.classes:,}")
        st.metric("Labels per example", f"{sizes.mean():.2f}", help="Mean number of right labels (cardinality).")
        st.metric("Density", f"{data.density:.3f}", help="Mean share of the labels that are right for an example.")
    for note in data.notes:
        st.caption(f"Note: {note}.")
    now = look()
    _show(
        [
            _frequencies(
                data.labels.mean(axis=0), data.names, now, "Share of examples with each label", "How common each label is."
            ),
            _histogram(sizes, now, "Examples by number of right labels", "How many labels an example has."),
        ],
        key, now,
    )  # fmt: skip


def _show(charts: list[Chart], key: str, now: Look) -> None:
    live_charts.show(charts, [], "portrait-" + hashlib.sha256(key.encode()).hexdigest()[:12], now.text)


@st.cache_data(show_spinner=False, max_entries=32)
def _linear_error(_data: ClassificationData, key: str) -> float:
    rng = np.random.default_rng(0)
    rows = np.sort(rng.choice(_data.examples, size=min(_SAMPLE, _data.examples), replace=False))
    scores = np.asarray(_data.features[rows] @ _data.comparator.T)
    return float((scores.argmax(axis=1) != _data.labels[rows]).mean())


def _pictures(data: ClassificationData) -> None:
    assert data.image_shape is not None
    st.caption("Some examples of each class:")
    rows = []
    for k, name in enumerate(data.names[:20]):
        of_class = np.flatnonzero(data.labels == k)[:8]
        images = "".join(
            f'<img alt="an example of class {html.escape(name)}" style="width:2.4rem;height:2.4rem;image-rendering:pixelated;'
            f'border-radius:3px" src="{pictures.ink(_dense(data, int(i)).reshape(data.image_shape))}">'
            for i in of_class
        )
        rows.append(f'<div style="display:flex;gap:.3rem;align-items:center"><b>{html.escape(name)}</b>{images}</div>')
    st.html(
        f'<div style="display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:.35rem">{"".join(rows)}</div>'
    )


def _dense(data: ClassificationData, row: int) -> Any:
    x = data.features[[row]]
    return np.maximum(np.asarray(x.toarray() if data.sparse else x, dtype=float).ravel(), 0)


def _frequencies(shares: Any, names: tuple[str, ...], now: Look, title: str, help: str) -> Chart:
    order = np.arange(len(names))
    if len(names) > _MOST:
        order = np.argsort(-shares, kind="stable")[:_MOST]
        help += f" The {_MOST} commonest of {len(names)}."
    labels = [_short(names[k]) for k in order]
    if len(set(labels)) < len(labels):  # shortened to the same words
        labels = [f"{k + 1} {_short(names[k])}" for k in order]
    return Chart("frequencies", title, help, bars(labels, shares[order], now, now.colors[0]))


def _short(name: str) -> str:
    return name if len(name) <= 18 else name[:17] + "…"


def _histogram(values: Any, now: Look, title: str, help: str) -> Chart:
    low, high = int(values.min()), int(values.max())
    width = -(-(high - low + 1) // 30)
    edges = np.arange(low, high + width + 1, width)
    counts, _ = np.histogram(values, bins=edges - 0.5)
    names = [str(a) if width == 1 else f"{a}–{a + width - 1}" for a in edges[:-1]]
    return Chart("sizes", title, help, bars(names, counts, now, now.colors[2]))


def _spread(data: ClassificationData, now: Look) -> Chart:
    """The two directions in which a sample varies most."""
    rng = np.random.default_rng(0)
    rows = rng.choice(data.examples, size=min(800, data.examples), replace=False)
    x = np.asarray(data.features[rows], dtype=float)
    x = x - x.mean(axis=0)
    _, _, directions = np.linalg.svd(x, full_matrices=False)
    return _cloud(
        x @ directions[:2].T, data, rows, now, "A sample in its first two principal components",
        "Each dot is an example, in the colour of its class; classes that lie apart here are easy.",
    )  # fmt: skip


def _scatter(data: ClassificationData, now: Look) -> Chart:
    rows = np.random.default_rng(0).choice(data.examples, size=min(800, data.examples), replace=False)
    return _cloud(data.features[rows], data, rows, now, "A sample of the examples", "Each dot is an example.")


def _cloud(points: Any, data: ClassificationData, rows: Any, now: Look, title: str, help: str) -> Chart:
    nobody = np.zeros(len(rows), dtype=bool)
    panel = Panel("", np.asarray(points, dtype=float), data.labels[rows], nobody, size=5, says="class")
    return Chart("cloud", title, help, planes([panel], data.names, now, ""))
