"""The section "Is the difference real?" of a lab, a sweep and kept runs: one button, and the answer in words."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from learners.compare import Compared, Unit, compared, planned, rivals, unit_of, values, words
from learners.grid import GridSpec
from learners.metric import Metric
from learners.spec import RunSpec
from learners.sweep import Batch
from pages.ui.counting import duration
from pages.ui.draw.ranks import diagram, shown
from pages.ui.draw.theme import look
from pages.ui.files import choose as files
from pages.ui.jobs.estimate import sweep_estimate, too_large
from pages.ui.jobs.queue import QUEUE
from pages.ui.plain import plain
from pages.ui.race import limits
from pages.ui.sweep.job import SweepJob
from pages.ui.sweep.setup import WORKERS
from pages.ui.ticking import ticking

SEEDS = (10, 20, 50)
TITLE = "Is the difference real?"


def section(spec: RunSpec | GridSpec, key: str) -> None:
    """Draw the section, closed at first. key : of the page that holds it."""
    box = st.expander(TITLE, icon=":material/balance:", key=f"{key}-compare", on_change="rerun")
    if box.open:
        with box:
            ticking(f"{key}:comparing", partial(_live, spec, key))


def _live(spec: RunSpec | GridSpec, key: str) -> bool:
    """Draw the section, and return whether a comparison, or its estimate, is under way."""
    try:
        run = rivals(spec)
        limits.check(replace(run, learners=run.learners[:1]))
    except ValueError as error:
        st.info(plain(f"{str(error)[:1].upper()}{str(error)[1:]}."), icon=":material/info:")
        return False
    unit, able = unit_of(run), [metric for metric in run.family.metrics if metric.better]
    st.markdown(
        "One run can be luck. This runs the same learners on further seeds and tests whether one is better. "
        + plain(unit.words)
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        metric = st.selectbox("By", able, format_func=lambda m: m.label, key=f"{key}-compare-metric", width=340)
        seeds = st.selectbox("Seeds", SEEDS, index=1, key=f"{key}-compare-seeds", width=110)
        name = ("compare", repr(run), seeds)
        job, problem, batches = _job(name, run, seeds)
        running = job is not None and not job.complete

        def start() -> None:
            QUEUE.enter(SweepJob(batches, min(2, WORKERS), None, sweep_estimate(name, batches)), name)

        def stop() -> None:
            QUEUE.leave(name)

        if running:
            st.button("Stop", icon=":material/stop:", key=f"{key}-compare-stop", on_click=stop)
        elif job is None and not problem:
            label = f"Run {int(seeds)} seeds"
            st.button(label, icon=":material/play_arrow:", type="primary", key=f"{key}-compare-start", on_click=start)
    estimate = None
    if problem:
        st.error(plain(problem), icon=":material/block:")
    elif job is None:
        estimate = sweep_estimate(name, batches)
        st.caption(plain(estimate.refusal() or estimate.words(min(2, WORKERS))))
    else:
        _progress(job, running)
        if not running and not job.failed and job.parts:
            rows = {batch.number: found for batch, found in job.parts}
            show(compared(values(run, metric.id, rows), metric.better), metric, unit, key)
    return running or (estimate is not None and not estimate.complete)


def _job(name: Hashable, run: RunSpec, seeds: int) -> tuple[SweepJob | None, str, Sequence[Batch]]:
    """Return the job if it was started, a sentence if it cannot be, and its batches."""
    job = QUEUE.get(name)
    if isinstance(job, SweepJob):
        if not job.complete:
            QUEUE.enter(job, name)  # this session wants it too
        return job, "", ()
    try:
        found = run.given("dataset", files.resolve(run.dataset.values))
        total, family = len(run.learners) * seeds * run.replicates * run.steps, run.family
        if total > family.budget.sweep:
            return None, (
                f"{seeds} seeds are {total:,} {family.unit}s in all; a comparison allows {family.budget.sweep:,}. "
                f"Lower the replicates or the {family.unit}s."
            ), ()  # fmt: skip
        batches = planned(found, seeds)
        return None, too_large(batches), batches
    except ValueError as error:
        return None, str(error), ()


def _progress(job: SweepJob, running: bool) -> None:
    if job.failed:
        st.error(plain(job.failed), icon=":material/block:")
    elif running:
        left = "" if job.progress.left is None else f", about {duration(job.progress.left)} left"
        st.progress(min(1.0, job.progress.share), plain(job.waiting() or f"{job.progress.share:.0%}{left}"))
    elif job.progress.finished < job.progress.batches:
        st.caption("Stopped. What follows counts the seeds that had ended.")


def show(found: Compared, metric: Metric, unit: Unit, key: str) -> None:
    """Draw what a comparison found: the answer, its sentences, the diagram, and the numbers for whoever wants them."""
    said: list[Any] = words.sentences(found, metric, unit)
    if found.left_out and not found.seeds:
        said = ["A learner does not report this metric here; choose another."]
    st.markdown(f"**{plain(words.headline(found))}**")
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in said))
    if len(found.names) > 2 and found.seeds:
        st.html(f'<div style="overflow-x: auto">{shown(found, look())}</div>')
        st.caption(
            "A bar joins learners that cannot be told apart (of a bar with dots, those at the dots). No order among "
            "them is claimed."
        )
    with st.container(horizontal=True):
        table, short = words.table(found), words.printed(found)
        caption = f"{metric.label}, {metric.final}. {words.method(found, unit)}"
        for label, text, name in (
            ("Tests as CSV", table.csv(), "compare.csv"),
            ("Markdown", short.markdown() + f"\n\n{caption}\n", "compare.md"),
            ("LaTeX", short.latex(caption) + "\n", "compare.tex"),
            ("Diagram as SVG", diagram(found), "compare.svg"),
        ):
            st.download_button(label, text, name, on_click="ignore", type="tertiary", key=f"{key}-{name}")
    several = len(found.names) > 2 and not found.problem
    st.caption(plain(words.method(found, unit) + f" {words.DECIDES}" * several))
