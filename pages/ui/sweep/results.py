"""The results of a sweep: progress, a curve or a heat map, the best value, and a table to download."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import streamlit as st

import datasets
from learners.catalogue import learner_classes
from learners.grid import Grid, GridSpec
from learners.metric import Metric
from learners.spec import learner_of
from pages.ui import paper
from pages.ui.counting import duration
from pages.ui.draw import still_charts
from pages.ui.draw.charts import Axis, Look
from pages.ui.draw.legend import Entry, legend
from pages.ui.draw.parameter_charts import parameter_chart, surface
from pages.ui.draw.still_charts import Chart
from pages.ui.draw.theme import look
from pages.ui.form.form import Form
from pages.ui.kept import shelf
from pages.ui.kept.finals import curve_of, of_sweep, table_of
from pages.ui.kept.run import KeptRun, kept_of, read_entry
from pages.ui.plain import for_plotly, plain
from pages.ui.sweep.form import ask_spec, query
from pages.ui.sweep.job import SweepJob

MOST_BEHIND = 3  # kept sweeps that are drawn beside the latest


def show_progress(job: SweepJob, running: bool) -> None:
    """Draw how far the job is, and what went wrong if anything did."""
    progress = job.progress
    if running:
        left = "" if progress.left is None else f", about {duration(progress.left)} left"
        batch = min(progress.finished + 1, progress.batches)
        words = f"{progress.share:.0%} · batch {batch} of {progress.batches}{left}"
        words = "Stopping …" if job.cancelled else job.waiting() or words
    elif job.failed:
        words = "Stopped by an error" if job.begun else "Not started"
    elif progress.finished < progress.batches:
        words = f"Cancelled: {progress.finished} of {progress.batches} batches are done and kept"
    else:
        words = f"Done in {duration(progress.seconds)}"
    st.progress(min(1.0, progress.share), words)
    for sentence in job.notes:
        st.warning(plain(sentence), icon=":material/cloud_off:")
    if job.failed:
        st.error(plain(job.failed), icon=":material/block:")


def show(job: SweepJob, ran: GridSpec, setup: GridSpec | None, metric: str, band: str) -> None:
    """Draw the results so far of the sweep that ran; `setup` holds the settings as they are now."""
    table = job.table()
    if ran != setup:
        st.caption("The settings have changed since this sweep was started. Press Start to run them.")
    if table.empty:
        return
    known = list(dict.fromkeys(table.metric))
    if metric not in known:
        metric = known[0]
    rows = table[table.metric == metric]
    drawn = ran.run.family.by_id[metric]
    words = drawn.label
    style = look()
    st.markdown(
        f"**{plain(named(ran))}** after {ran.run.steps:,} {ran.run.family.unit}s, {ran.run.replicates} replicates"
        + f" ({drawn.final})" * drawn.per_step
    )
    behind: list[KeptRun] = st.session_state.setdefault("sweep:behind", [])
    if len(ran.grids) == 1:
        figure, entries = curves([*_tables(behind, ran), (ran, table)], metric, words, band, style)
    else:
        figure, entries = _map(rows, ran.grids, words, style), []
    still_charts.show(
        [Chart("sweep", words, best(rows, ran, drawn), figure, repr(ran) + metric)], entries, "sweep-chart", style.text
    )
    st.caption(plain(best(rows, ran, drawn)))
    light, single = Look(), len(ran.grids) == 1
    learner = learner_classes()[ran.learner.id].title
    said = paper.caption(f"{words} of {learner}", ran.run, band if single else "none")
    paper.chart(
        lambda: (
            curves([(ran, table)], metric, words, band, light)[0] if single else _map(rows, ran.grids, words, light)
        ),
        words, said, "sweep",
    )  # fmt: skip
    if not job.running:
        _keep(behind, ran, table, metric)
    st.download_button(
        "Results as CSV",
        lambda: job.table().to_csv(index=False),
        "sweep.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
        help="One row for each point, replicate and metric. Replicates are counted from 0, as in the library.",
    )


def _keep(behind: list[KeptRun], ran: GridSpec, table: pd.DataFrame, metric: str) -> None:
    """Draw what keeps the sweep, and draws kept sweeps beside it."""
    link = query(ran, metric)
    form = Form(link)
    now = KeptRun(kept_of(link, ask_spec).link, ask_spec(form))

    def full() -> KeptRun:
        return replace(now, finals=of_sweep(ran, table), curve=curve_of(ran, table))

    def add() -> None:
        if now not in behind and len(behind) < MOST_BEHIND:
            behind.append(full())

    def tick(ticked: list[Any]) -> None:
        known = {run.text: run for run in behind}
        found = [known.get(str(each.get("text"))) or read_entry(each, ask_spec)[0] for each in ticked]
        behind[:] = [run for run in found if run is not None][:MOST_BEHIND]

    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = shelf.show("sweep", now, behind, form.asked, add, tick, MOST_BEHIND)
    if pressed:
        shelf.keep(full().entry("sweep", "Sweep", form.asked, urlencode(link)))
    shelf.keeper()


def _tables(behind: Sequence[KeptRun], ran: GridSpec) -> list[tuple[GridSpec, pd.DataFrame]]:
    """Return the kept sweeps that can be drawn beside the one that ran, with their tables."""
    others = [(k.spec, k.curve) for k in behind if isinstance(k.spec, GridSpec) and k.spec != ran]
    name = ran.grids[0].name
    return [(spec, table_of(spec, curve)) for spec, curve in others if [grid.name for grid in spec.grids] == [name]]


def named(ran: GridSpec) -> str:
    learner, dataset = learner_classes()[ran.learner.id].title, datasets.classes()[ran.run.dataset.id].title
    return f"{learner} on {dataset[0].lower() + dataset[1:]}"


def curves(
    sweeps: Sequence[tuple[GridSpec, pd.DataFrame]], metric: str, words: str, band: str, style: Look
) -> tuple[dict[str, Any], list[Entry]]:
    """Return a chart of sweeps over the same parameter, of which the last gives the axis, with its legend."""
    grid = sweeps[-1][0].grids[0]
    series, ids = [], []
    for spec, table in sweeps:
        rows = table[table.metric == metric]
        if not rows.empty:
            by_value = rows.groupby(grid.name, sort=True).value.apply(np.asarray)
            ids.append(spec.learner.id)
            series.append((_label(spec), by_value.index.to_numpy(dtype=float), np.stack(list(by_value))))
    style = style.raced(ids)
    figure = parameter_chart(series, Axis(words, x_log=grid.log, hover=".4g"), grid.parameter.label, band, style)
    return figure, legend([name for name, _, _ in series], style, []) if len(series) > 1 else []


def _label(ran: GridSpec) -> str:
    """Return the name of a curve, which tells the learner, its parameters that are not varied, and the data set."""
    made, varied = learner_of(ran.learner), {grid.parameter.symbol or grid.name.replace("_", " ") for grid in ran.grids}
    words = [word for word in made.describe().split(", ") if word and word.split(" = ")[0] not in varied]
    dataset = datasets.classes()[ran.run.dataset.id].title
    return ", ".join((made.title, *words)) + f" on {dataset[0].lower() + dataset[1:]}"


def _map(rows: pd.DataFrame, grids: tuple[Grid, ...], words: str, style: Look) -> dict[str, Any]:
    x, y = (grid.name for grid in grids)
    table = rows.groupby([y, x]).value.agg(["mean", "sem"])
    means, errors = (
        table[kind].unstack().reindex(index=grids[1].values, columns=grids[0].values) for kind in ("mean", "sem")
    )
    return surface(
        np.array(grids[0].values, dtype=float),
        np.array(grids[1].values, dtype=float),
        means.to_numpy(),
        errors.to_numpy(),
        (for_plotly(grids[0].parameter.label), for_plotly(grids[1].parameter.label), for_plotly(words)),
        style,
    )


def best(rows: pd.DataFrame, ran: GridSpec, metric: Metric) -> str:
    """Say which choice has the best mean, for each circumstance where one was varied.

    Where nothing was chosen, or neither lower nor higher is better, say where the mean is lowest and highest.
    """
    names = [grid.name for grid in ran.grids]
    means = rows.groupby(names).value.mean().dropna()
    if means.empty:
        return "This learner does not report this metric here."

    def at(place: Any) -> str:
        point = means.index[place]
        values = point if isinstance(point, tuple) else (point,)
        where = ", ".join(f"{name.replace('_', ' ')} = {value:g}" for name, value in zip(names, values, strict=True))
        return f"{means.iloc[place]:.4g} at {where}"

    met = ran.circumstances
    best = metric.best(means.tolist())
    if best is None or len(met) == len(names):
        return f"From {at(means.argmin())} to {at(means.argmax())}."
    if not met:
        return f"The best mean is {at(best)} ({metric.better} is better)."
    (choice,) = (name for name in names if name not in met)
    found = []
    for value, part in means.groupby(level=met[0]):
        place = metric.best(part.tolist())
        assert place is not None
        found.append(f"{value:g}: {part.index.get_level_values(choice)[place]:g} (mean {part.iloc[place]:.4g})")
    words = f"The best {choice.replace('_', ' ')} for each {met[0].replace('_', ' ')}"
    return f"{words}, {metric.better} mean is better: {'; '.join(found)}."
