"""The description of a classification or multilabel data set in the catalogue."""

import numpy as np
import streamlit as st

from datasets.classification import ClassificationData
from datasets.multilabel import MultilabelData
from learners.base import Array
from pages.ui.draw import images
from pages.ui.draw.bars import bars, histogram_bars
from pages.ui.draw.charts import Look
from pages.ui.draw.scatter_panels import ScatterPanel, scatter_panels
from pages.ui.draw.still_charts import Chart, show_alone
from pages.ui.draw.theme import look
from pages.ui.plain import for_html, plain

_MOST_LABELS = 60  # labels in a bar chart
_SAMPLE = 2000


def draw_classification(data: ClassificationData, key: str) -> None:
    """Describe a classification data set in numbers, sample examples and charts."""
    counts = np.bincount(data.labels, minlength=data.classes)
    with st.container(horizontal=True):
        st.metric("Examples", f"{data.examples:,}")
        st.metric("Features", f"{data.dimension:,}")
        st.metric("Classes", f"{data.classes:,}")
        st.metric(
            "Error of the most common class", f"{1 - counts.max() / data.examples:.3f}",
            help="Error rate of always naming the most common class. A learner must do better.",
        )  # fmt: skip
        st.metric(
            "Error of a linear fit", f"{_linear_error(data, key):.3f}",
            help="Error on a sample of the fixed weights W* with which the theorems' bounds compare. A linear learner "
            "can hardly do better.",
        )  # fmt: skip
        if data.sparse:
            st.metric(
                "Features that are not 0", f"{data.features.nnz / data.examples:.1f}", help="Mean number per example."
            )
    for note in data.notes:
        st.caption(plain(f"Note: {note}."))
    if data.image_shape:
        _pictures(data)
    now = look()
    shares, title = counts / data.examples, "Share of examples in each class"
    charts = [_frequencies(shares, data.names, now, title, "How common each class is.")]
    if data.sparse:
        title, help = "Examples by number of features that are not 0", "How much information an example carries."
        charts.append(_histogram(np.diff(data.features.indptr), now, title, help))
    elif data.dimension <= 2:
        charts.append(_scatter(data, now))
    else:
        charts.append(_spread(data, now))
    show_alone(charts, key, now.text)


def draw_multilabel(data: MultilabelData, key: str) -> None:
    """Describe a multilabel data set in numbers and charts."""
    sizes = data.labels.sum(axis=1)
    with st.container(horizontal=True):
        st.metric("Examples", f"{data.examples:,}")
        st.metric("Features", f"{data.dimension:,}")
        st.metric("Labels", f"{data.classes:,}")
        st.metric("Labels per example", f"{sizes.mean():.2f}", help="Mean number of right labels (cardinality).")
        st.metric("Density", f"{data.density:.3f}", help="Mean share of the labels that are right for an example.")
    for note in data.notes:
        st.caption(plain(f"Note: {note}."))
    now = look()
    shares, title = data.labels.mean(axis=0), "Share of examples with each label"
    frequencies = _frequencies(shares, data.names, now, title, "How common each label is.")
    sizes_chart = _histogram(sizes, now, "Examples by number of right labels", "How many labels an example has.")
    show_alone([frequencies, sizes_chart], key, now.text)


@st.cache_data(show_spinner=False, max_entries=32)
def _linear_error(_data: ClassificationData, key: str) -> float:
    rng = np.random.default_rng(0)
    rows = np.sort(rng.choice(_data.examples, size=min(_SAMPLE, _data.examples), replace=False))
    scores = np.asarray(_data.features[rows] @ _data.comparator.T)
    return float((scores.argmax(axis=1) != _data.labels[rows]).mean())


def _pictures(data: ClassificationData) -> None:
    assert data.image_shape is not None
    st.caption("Some examples of each class")
    rows = []
    for k, name in enumerate(data.names[:20]):
        of_class = data.features[np.flatnonzero(data.labels == k)[:8]]
        dense = np.maximum(np.asarray(of_class.toarray() if data.sparse else of_class, dtype=float), 0)
        label = for_html(name)
        pictures = images.row([images.ink(x.reshape(data.image_shape)) for x in dense], f"an example of class {name}")
        rows.append(f'<div style="display:flex;gap:.3rem;align-items:center"><b>{label}</b>{pictures}</div>')
    columns = "repeat(auto-fill,minmax(min(100%,24rem),1fr))"
    st.html(f'<div style="display:grid;grid-template-columns:{columns};gap:.35rem">{"".join(rows)}</div>')


def _frequencies(shares: Array, names: tuple[str, ...], now: Look, title: str, help: str) -> Chart:
    order = np.arange(len(names))
    if len(names) > _MOST_LABELS:
        order = np.argsort(-shares, kind="stable")[:_MOST_LABELS]
        help += f" The {_MOST_LABELS} most common of {len(names)} are shown."
    labels = [_short(names[k]) for k in order]
    if len(set(labels)) < len(labels):  # shortened to the same words
        labels = [f"{k + 1} {_short(names[k])}" for k in order]
    return Chart("frequencies", title, help, bars(labels, shares[order].tolist(), now, now.colors[0]))


def _short(name: str) -> str:
    return name if len(name) <= 18 else name[:17] + "…"


def _histogram(values: Array, now: Look, title: str, help: str) -> Chart:
    return Chart("sizes", title, help, histogram_bars(values, now, now.colors[2]))


def _spread(data: ClassificationData, now: Look) -> Chart:
    """Draw a sample along the two directions in which it varies most."""
    rng = np.random.default_rng(0)
    rows = rng.choice(data.examples, size=min(800, data.examples), replace=False)
    x = np.asarray(data.features[rows], dtype=float)
    x = x - x.mean(axis=0)
    _, _, directions = np.linalg.svd(x, full_matrices=False)
    return _cloud(
        x @ directions[:2].T, data, rows, now, "A sample in its first two principal components",
        "Each dot is an example in the colour of its class. Classes that lie apart here are easy.",
    )  # fmt: skip


def _scatter(data: ClassificationData, now: Look) -> Chart:
    rows = np.random.default_rng(0).choice(data.examples, size=min(800, data.examples), replace=False)
    return _cloud(data.features[rows], data, rows, now, "A sample of the examples", "Each dot is an example.")


def _cloud(points: Array, data: ClassificationData, rows: Array, now: Look, title: str, help: str) -> Chart:
    nobody = np.zeros(len(rows), dtype=bool)
    panel = ScatterPanel("", np.asarray(points, dtype=float), data.labels[rows], nobody, size=5, says="class")
    return Chart("cloud", title, help, scatter_panels([panel], data.names, now, ""))
