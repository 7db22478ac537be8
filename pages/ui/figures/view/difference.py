"""The section "Is the difference real?" of a figure, whose data seeds have been run already."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

import datasets
from learners.catalogue import families, learner_classes
from learners.compare import Compared, Unit, compared
from learners.metric import Metric
from pages.ui.figures.figure import Figure, Metrics, Panel
from pages.ui.figures.result import Drawn, Result
from pages.ui.figures.view import words
from pages.ui.sweep import difference


def metric_of(panel: Panel, x: object) -> Metric | None:
    """Return the metric of a panel at a place of its x axis, if one value of it is better than another."""
    id = dict(panel.x.metrics).get(x, "") if isinstance(panel.x, Metrics) else panel.metric  # type: ignore[call-overload]
    kind = learner_classes().get(panel.series[0].learner)
    if kind is None or panel.computed is not None:
        return None
    family = families()[kind.family]
    metric = family.by_id.get(id)
    return metric if metric is not None and metric.better else None


def of_panel(panel: Panel, found: Mapping[str, Drawn], x: object) -> Compared | None:
    """Return the comparison of the series of a panel at a place; None where there are not two with the same seeds."""
    metric = metric_of(panel, x)
    values = {name: drawn.y[:, drawn.x.index(x)] for name, drawn in found.items() if x in drawn.x}
    seeds = {len(row) for row in values.values()}
    known = all(np.isfinite(row).any() for row in values.values())
    if metric is None or len(values) < 2 or len(seeds) > 1 or not known:
        return None
    return compared(values, metric.better)


def places(panel: Panel, found: Mapping[str, Drawn]) -> list[object]:
    """Return the places of the x axis at which series can be compared, the last first."""
    every = dict.fromkeys(x for drawn in found.values() for x in drawn.x)
    return [x for x in reversed(every) if metric_of(panel, x) is not None and sum(x in d.x for d in found.values()) > 1]


def section(figure: Figure, result: Result) -> None:
    """Draw the section, closed at first, if any panel can be compared."""
    panels = [panel for panel in figure.panels if places(panel, result.panels.get(panel.id, {}))]
    if not panels:
        return
    box = st.expander(difference.TITLE, icon=":material/balance:", key=f"figure-{figure.id}-compare", on_change="rerun")
    if not box.open:
        return
    with box, st.container(horizontal=True):
        panel = st.selectbox(
            "Panel", panels, format_func=lambda p: words.markdown(p.title or p.id), key=f"{figure.id}-compare-panel"
        )
        drawn = result.panels[panel.id]
        x = st.selectbox("At", places(panel, drawn), format_func=str, key=f"{figure.id}-compare-{panel.id}")
    metric, found = metric_of(panel, x), of_panel(panel, drawn, x)
    with box:
        if metric is None or found is None:
            st.info("The series of this panel have no values of the same seeds.", icon=":material/info:")
            return
        data = datasets.classes().get(panel.dataset)  # none where each group of the panel has its own
        unit = Unit(data is None or data.drawn())
        difference.show(found, metric, unit, f"figure-{figure.id}")
