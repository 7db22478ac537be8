"""Export of a run: its history as CSV, a chart as HTML, its setup as a Python script."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from pages.ui.draw.charts import Look, standalone
from pages.ui.lab.charts import ChartSpec, View, figure
from pages.ui.lab.race import Race

MAX_ROWS = 400_000  # of a CSV file; a longer history is thinned evenly


def history_frame(race: Race) -> tuple[pd.DataFrame, int]:
    """Return a table with a row for each learner, step and replicate (from 0), and n if it holds every n-th step."""
    assert race.setup is not None
    replicates = race.setup.replicates
    row_counts = [int(np.searchsorted(s.history.at, race.t, side="right")) for s in race.simulations]
    every = max(1, -(-sum(row_counts) * replicates // MAX_ROWS))
    parts = []
    for label, simulation, rows in zip(race.setup.labels(), race.simulations, row_counts, strict=True):
        kept = np.arange(every - 1, rows, every)
        columns = {
            "learner": label,
            "step": simulation.history.at[kept].repeat(replicates),
            "replicate": np.tile(np.arange(replicates), len(kept)),
        }
        parts.append(pd.DataFrame(columns | {name: v[kept].ravel() for name, v in simulation.history.items()}))
    return pd.concat(parts, ignore_index=True), every


@st.fragment
def section(race: Race, charts: list[ChartSpec], view: View, query: str) -> None:
    """Draw the part of a lab from which a run is exported."""
    assert race.setup is not None
    setup = race.setup
    box = st.expander(
        "Export the data, a chart, or a script that gives the same numbers",
        icon=":material/download:",
        key="export",
        on_change="rerun",
    )
    if not box.open:  # a block of code makes the browser load 1.6 MB
        return
    with box:
        link = f"{(st.context.url or '').split('?')[0]}?{query}" if query else st.context.url or ""
        st.caption("The address of this page holds every setting. Anyone who opens it gets the same numbers:")
        st.code(link, language=None, wrap_lines=True)
        columns = st.columns(3, gap="medium")
        with columns[0]:
            st.download_button(
                "History as CSV",
                lambda: history_frame(race)[0].to_csv(index=False),
                "history.csv",
                "text/csv",
                icon=":material/table:",
                on_click="ignore",
                width="stretch",
            )
            st.caption(
                "Every metric of every learner and replicate up to the current step, thinned evenly beyond "
                f"{MAX_ROWS:,} rows. Replicates are counted from 0, as in the library."
                + (
                    f" Beyond step {race.simulations[0].history.recorded:,} this long run keeps fewer and fewer steps, "
                    "on a logarithmic grid."
                    if race.simulations[0].history.thinned
                    else ""
                )
            )
        with columns[1]:
            if charts:
                which = st.selectbox(
                    "Chart", charts, format_func=lambda c: c.title, label_visibility="collapsed", key="export-chart"
                )
                st.download_button(
                    "Chart as HTML",
                    lambda: standalone(figure(which, race, view, Look()), which.title, setup.labels()),
                    f"{which.id}.html",
                    "text/html",
                    icon=":material/show_chart:",
                    on_click="ignore",
                    width="stretch",
                )
        with columns[2]:
            st.download_button(
                "Setup as Python script",
                setup.script(link),
                "run.py",
                "text/x-python",
                icon=":material/code:",
                on_click="ignore",
                width="stretch",
            )
            st.caption(
                "It gives the same numbers from any folder: `python run.py --library PATH` names the folder that holds "
                "learners/ and datasets/."
            )
