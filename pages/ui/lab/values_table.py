"""The values of a run at one step as a table, beside those of kept runs."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from learners import Simulation
from learners.base import Array
from learners.metric import Metric
from pages.ui.draw.markup import STYLE
from pages.ui.plain import NOTHING, Html, for_html
from pages.ui.race.charts import ChartSpec, ChartView, share_of
from pages.ui.race.moment import Moment

_EXACT = ChartView(window=1)

# The label of a kept run, and the run itself as far as it is computed
KeptMoment = tuple[str, Moment | None]

_STYLE = """<style>
.fl-table td { white-space: nowrap; }
.fl-table .fl-was td { border-bottom-style: dotted; }
.fl-table .fl-was td:first-child { padding-left: 1.6rem; }
.fl-table .fl-was small { font-size: .78rem; white-space: nowrap; }
.fl-table .fl-good { color: var(--st-green-text-color, #007a59); }
.fl-table .fl-bad { color: var(--st-orange-text-color, #b34e00); }
</style>"""


def table(
    moment: Moment, specs: Sequence[ChartSpec], t: int, kept: Sequence[KeptMoment] = (), view: ChartView = _EXACT
) -> Html:
    """Return an HTML table of the values after step t, with a row for each learner and a column for each curve.

    Each cell holds the mean over the replicates ± the standard error, of the value that the chart draws in this view.
    Below each learner is a row for each kept run, with the value of the learner of the same colour after as many
    steps, and how far the present value lies from it. `t` is at most `moment.t`. A kept run that has not come as far
    has no value.
    """
    drawn = [spec.metric for spec in specs if spec.metric is not None]
    columns: dict[str, Metric] = {}
    for metric in drawn:
        columns[metric.id] = metric
        if metric.companion is not None:
            columns[metric.companion.id] = metric.companion
    relative = {metric.id for metric in drawn if metric.relative}
    head = "".join(f'<th scope="col">{for_html(view.titled(metric.label, metric))}</th>' for metric in columns.values())
    labels = moment.setup.labels()
    pasts = [(words, past, past.setup.labels()) for words, past in kept if past is not None]
    rows = []
    for slot in range(max([len(labels), *(len(names) for _, _, names in pasts)])):
        present = slot < len(labels)
        now = {m: _values(moment.simulations[slot], m, t, m in relative, view) for m in columns} if present else {}
        if present:
            cells = "".join(f"<td>{_mean(values)}</td>" for values in now.values())
            rows.append(f'<tr><th scope="row" style="text-align:left">{for_html(labels[slot])}</th>{cells}</tr>')
        for words, past, names in pasts:
            if slot >= len(names):
                continue
            other = "" if present and names[slot] == labels[slot] else f"{names[slot]}, "
            parts = []
            for id, metric in columns.items():
                then = _values(past.simulations[slot], id, t, id in relative, view) if t <= past.t else np.empty(0)
                parts.append(f"<td>{_mean(then)}{_change(now.get(id), then, metric)}</td>")
            title = for_html(f"{other}kept: {words}")
            rows.append(f'<tr class="fl-was"><td style="text-align:left">{title}</td>{"".join(parts)}</tr>')
    body = f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f'{STYLE}{_STYLE}<div style="overflow-x:auto"><table class="fl-table">{body}</table></div>'


def show(
    moment: Moment, specs: Sequence[ChartSpec], t: int, kept: Sequence[KeptMoment], view: ChartView, key: str
) -> None:
    """Draw the table of the step under the playhead below the charts."""
    unit = view.unit
    with st.expander(f"Table of the values after {unit} {t:,}", icon=":material/table_rows:", key=key):
        if not t:
            st.caption(f"The values of the charts appear here once the playhead has left {unit} 0.")
            return
        st.html(table(moment, specs, t, kept, view))
        runs = moment.setup.replicates
        spread = f"Mean over {runs} replicates ± one standard error" if runs > 1 else "A single run"
        words = f"{spread}, after {unit} {t:,}, as the charts draw them."
        if any(spec.metric is not None and view.averages(spec.metric) for spec in specs):
            words += f" Where the heading says so, the mean of the latest {view.window} {unit}s."
        if kept:
            words += (
                f" Rows of kept runs hold their values after as many {unit}s, and after “now” how far the present "
                "value lies above (+) or below (−)."
            )
        missing = sum(past is None or past.t < t for _, past in kept)
        if missing:
            which = "A kept run ends" if missing == 1 else f"{missing} kept runs end"
            words += f" {which} before this {unit}, or {'is' if missing == 1 else 'are'} still computed."
        if moment.simulations[0].history.thinned:
            words += f" This long run keeps fewer and fewer {unit}s; the row is the last one kept up to {unit} {t:,}."
        st.caption(words)


def _values(simulation: Simulation, metric: str, t: int, relative: bool, view: ChartView) -> Array:
    """Return the values (R,) of a metric in the last row kept up to step t, none if it is not measured."""
    history = simulation.history
    row = int(np.searchsorted(history.at, t, side="right")) - 1
    if metric not in history or row < 0:
        return np.empty(0)
    if view.averages(history.metrics[metric]):
        return np.asarray(history.smooth(metric, np.array([row]), view.window)[0])
    values = history[metric]
    return np.asarray(share_of(values[row], values[0]) if relative else values[row])


def _change(now: Array | None, then: Array, metric: Metric) -> Html:
    """Return how far the present mean lies from that of a kept run, and whether that is better, in words."""
    means = [values[~np.isnan(values)].mean() for values in (now, then) if values is not None and _known(values)]
    if len(means) < 2:
        return NOTHING
    change = means[0] - means[1]
    if f"{means[0]:.4g}" == f"{means[1]:.4g}":
        return Html("<br><small>now the same</small>")
    verdict, css = "", ""
    if metric.better:
        good = (change < 0) == (metric.better == "lower")
        verdict, css = (" better", "fl-good") if good else (" worse", "fl-bad")
    signed = f"{change:+.3g}".replace("-", "−")
    return f'<br><small class="{css}">now {signed}{verdict}</small>'


def _known(values: Array) -> bool:
    return bool((~np.isnan(values)).any())


def _mean(values: Array) -> Html:
    known = values[~np.isnan(values)]
    if not known.size:
        return Html("–")
    error = f" ± {known.std(ddof=1) / np.sqrt(known.size):.2g}" if known.size > 1 else ""
    return Html(f"{known.mean():.4g}{error}")
