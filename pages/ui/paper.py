"""Files of charts and tables for a paper: vector graphics, LaTeX sources with their data, and captions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

import datasets
from learners.catalogue import user_classes
from learners.spec import RunSpec
from learners.tables import PrintedTable
from pages.ui.counting import counted
from pages.ui.draw import pgfplots, svg
from pages.ui.draw.plotly_panels import of_plotly
from pages.ui.plain import Markdown, visible

BANDS = {
    "standard error": " Bands: ± one standard error over the replicates.",
    "10–90 %": " Bands: from the 10th to the 90th percentile of the replicates.",
    "single runs": " Thin lines: single replicates, at most eight.",
}


def caption(title: str, run: RunSpec, band: str) -> str:
    """Return a caption with what was run. band : what is drawn around the curves, "none" for nothing."""
    world = visible(datasets.classes()[run.dataset.id].title)
    user = f", {user_classes()[run.user.id].title}" if run.user else ""
    said = f"{title}. {world}{user}; {run.steps:,} {run.family.unit}s, {counted(run.replicates, 'replicate')}, "
    return said + f"seed {run.seed}." + BANDS.get(band, "") * (run.replicates > 1)


def sources(figure: Mapping[str, Any], title: str, caption: str, id: str) -> tuple[str, str]:
    """Return a chart as LaTeX and as SVG.

    Raises
    ------
    ValueError : for a chart that `of_plotly` cannot take.
    """
    panels = of_plotly(figure, title)
    entries = {
        name: (name, curve.ink, curve.dash)
        for _, curves, names in panels
        for name, curve in zip(names, curves, strict=True)
        if name
    }
    drawn = [(frame, curves) for frame, curves, _ in panels]
    heading = caption.removeprefix(f"{title}. ")  # which is that of the panel
    return pgfplots.document(panels, caption, id), svg.sheet(title, heading, entries.values(), drawn)


def chart(make: Callable[[], Mapping[str, Any]], title: str, caption: str, id: str) -> None:
    """Draw the buttons of a chart's files. make : returns it as drawn on a light page."""
    kinds: list[tuple[Markdown, str, Callable[[], str | bytes]]] = [
        (Markdown("LaTeX (pgfplots)"), "tex", lambda: sources(make(), title, caption, id)[0]),
        (Markdown("SVG"), "svg", lambda: sources(make(), title, caption, id)[1]),
    ]
    if pgfplots.makes_pdf():
        kinds.append((Markdown("PDF"), "pdf", lambda: pgfplots.pdf(sources(make(), title, caption, id)[1])))
    with st.container(horizontal=True):
        for label, suffix, content in kinds:
            _file(label, content, f"{id}.{suffix}")


def table(made: PrintedTable, caption: str, id: str) -> None:
    """Draw the buttons of a table's files."""
    with st.container(horizontal=True):
        _file("LaTeX (booktabs)", lambda: made.latex(caption) + "\n", f"{id}.tex")
        _file("Markdown", lambda: f"{made.markdown()}\n\n{caption}\n", f"{id}.md")
        _file("CSV", made.csv, f"{id}.csv")


def _file(label: Markdown, content: Callable[[], str | bytes], name: str) -> None:
    st.download_button(label, content, name, on_click="ignore", type="tertiary", key=f"paper-{name}")
