"""Export of a run: its history as CSV, a chart as HTML, its setup as a Python script."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.ui import exports, paper
from pages.ui.draw.charts import Look, standalone
from pages.ui.lab.stage import Stage
from pages.ui.race.charts import ChartSpec, ChartView, figure, picture
from pages.ui.race.moment import Moment
from pages.ui.race.script import lab_script
from pages.ui.recordings import takeaway
from pages.ui.recordings.document import SUFFIX

MAX_ROWS = 400_000  # of a CSV file; a longer history is thinned evenly


def history_frame(moment: Moment) -> tuple[pd.DataFrame, int]:
    """Return a table with a row for each learner, step and replicate (from 0), and n if it holds every n-th step."""
    replicates = moment.setup.replicates
    row_counts = [int(np.searchsorted(s.history.at, moment.t, side="right")) for s in moment.simulations]
    every = max(1, -(-sum(row_counts) * replicates // MAX_ROWS))
    parts = []
    for label, simulation, rows in zip(moment.setup.labels(), moment.simulations, row_counts, strict=True):
        kept = np.arange(every - 1, rows, every)
        columns = {
            "learner": label,
            "step": simulation.history.at[kept].repeat(replicates),
            "replicate": np.tile(np.arange(replicates), len(kept)),
        }
        parts.append(pd.DataFrame(columns | {name: v[kept].ravel() for name, v in simulation.history.items()}))
    return pd.concat(parts, ignore_index=True), every


def _drawn(spec: ChartSpec, moment: Moment, view: ChartView) -> dict[str, Any]:
    return figure(spec, moment, view, Look()) if spec.metric is not None else picture(spec, Look())(moment)


@st.fragment
def section(stage: Stage, query: str) -> None:
    """Draw the part of a lab from which a run is exported. `query` is that of the link which opens it again."""
    box = exports.box(
        "Export: a film that plays offline, the data, a chart, or a script with the same numbers", "export"
    )
    if box is not None:
        with box:
            files(stage, query)


def files(stage: Stage, query: str, page: str = "") -> None:
    """Draw the link of a run, and a button for each file. page : of its lab, where it stands on another page."""
    setup, view = stage.setup, stage.view
    recorded = stage.open().simulations[0].history.recorded
    link = exports.address(query, page)
    thinned = setup.steps > recorded
    rows = [st.columns(2, gap="medium") for _ in range(2)]
    with rows[0][0]:
        film, file = st.columns(2)
        with film:
            exports.button(
                "Film as HTML", lambda: takeaway.page(stage.document(link)), f"{stage.id}.html", "text/html", "movie"
            )
        with file:
            exports.button(
                "Recording", lambda: stage.document(link).packed(), f"{stage.id}{SUFFIX}", "application/gzip",
                "album",
            )  # fmt: skip
        st.caption(
            "One file with the timeline, the charts, the pictures and the inspector of the marked steps. The film "
            "opens in a browser without a network, the recording on the page Kept runs and in a notebook."
        )
    with rows[0][1]:
        script = partial(lab_script, setup, link, view.window)
        exports.button("Setup as Python script", script, "run.py", "text/x-python", "code")
        st.caption(
            "It gives the same numbers from any folder: `python run.py --library PATH` names the folder that holds "
            "learners/ and datasets/. `--step 19` prints the values after that step."
        )
        exports.setup(setup)
    with rows[1][0]:
        exports.button(
            "History as CSV", lambda: history_frame(stage.finished().moment())[0].to_csv(index=False),
            "history.csv", "text/csv", "table",
        )  # fmt: skip
        words = f" Beyond step {recorded:,} this long run keeps fewer and fewer steps, on a logarithmic grid."
        st.caption(
            f"Every metric of every learner and replicate, thinned evenly beyond {MAX_ROWS:,} rows. Replicates are "
            f"counted from 0, as in the library.{words * thinned}"
        )
    charts = [spec for spec in stage.specs if spec.write is None]
    with rows[1][1]:
        if charts:
            which = st.selectbox(
                "Chart", charts, format_func=lambda c: c.title, label_visibility="collapsed", key="export-chart"
            )
            exports.button(
                "Chart as HTML",
                lambda: standalone(
                    _drawn(which, stage.finished().moment(), view), view.titled(which.title, which.metric),
                    setup.labels(),
                ),
                f"{which.id}.html", "text/html", "show_chart",
            )  # fmt: skip
            heading = view.titled(which.title, which.metric)
            band = view.band if which.metric is not None else "none"
            paper.chart(
                lambda: _drawn(which, stage.finished().moment(), view), heading,
                paper.caption(heading, setup, band), which.id,
            )  # fmt: skip
            st.caption("For a paper, with its data and a caption. The menu of the chart itself saves a picture as PNG.")
