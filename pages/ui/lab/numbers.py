"""The values of a race at one step as a table."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.ui.draw.markup import STYLE
from pages.ui.lab.charts import ChartSpec, share_of
from pages.ui.play.moment import Moment


def table(moment: Moment, specs: Sequence[ChartSpec], t: int) -> str:
    """Return an HTML table with a row for each learner and a column for each curve of the charts, after step t.

    Each cell holds the mean over the replicates ± the standard error.
    """
    drawn = [spec.metric for spec in specs if spec.metric is not None]
    columns = {}
    for metric in drawn:
        columns[metric.id] = metric.label
        if metric.companion is not None:
            columns[metric.companion.id] = metric.companion.label
    relative = {metric.id for metric in drawn if metric.relative}
    head = "".join(f"<th>{html.escape(title)}</th>" for title in columns.values())
    rows = []
    for label, simulation in zip(moment.setup.labels(), moment.simulations, strict=True):
        at = int(np.searchsorted(simulation.history.at, t, side="right")) - 1
        history = simulation.history
        found = {m: history[m][at] if m in history else np.array([np.nan]) for m in columns}
        found |= {m: share_of(found[m], history[m][0]) for m in relative if m in history}
        cells = "".join(f"<td>{_mean(found[metric])}</td>" for metric in columns)
        rows.append(f'<tr><td style="text-align:left">{html.escape(label)}</td>{cells}</tr>')
    body = f"<thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f'{STYLE}<div style="overflow-x:auto"><table class="fl-table">{body}</table></div>'


def show(moment: Moment, specs: Sequence[ChartSpec], t: int, unit: str, key: str) -> None:
    """Draw the table below the charts."""
    with st.expander(f"Table of the values after the {unit} under the playhead", icon=":material/table_rows:", key=key):
        if not t:
            st.caption(f"Press Play or Step to see the values of the charts after that {unit}.")
        else:
            st.html(table(moment, specs, t))
            runs = moment.setup.replicates
            spread = f"Mean over {runs} replicates ± one standard error" if runs > 1 else "A single run"
            st.caption(f"{spread}, after {unit} {t:,}, without a moving average.")


def _mean(values: np.ndarray) -> str:
    known = values[~np.isnan(values)]
    if not known.size:
        return "–"
    error = f" ± {known.std(ddof=1) / np.sqrt(known.size):.2g}" if known.size > 1 else ""
    return f"{known.mean():.4g}{error}"
