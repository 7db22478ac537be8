"""The sweep page, with its settings, a job in the background, and a chart of the results."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from datasets.parameters import Parameter
from learners.family import Family
from learners.grid import GridSpec
from learners.sweep import Batch
from learners.sweep.parts import swept
from pages.ui import exports
from pages.ui.draw.theme import title
from pages.ui.files import choose as files
from pages.ui.form.form import Form
from pages.ui.form.links import choice_of
from pages.ui.form.settings import Settings
from pages.ui.gallery import demo_text, demos
from pages.ui.gallery.demos import Demo
from pages.ui.glossary import says
from pages.ui.jobs.estimate import sweep_estimate, too_large
from pages.ui.jobs.limits import AWAY_SECONDS
from pages.ui.jobs.queue import QUEUE
from pages.ui.plain import plain
from pages.ui.race.script import sweep_script
from pages.ui.share import dialog, presentation
from pages.ui.sweep import difference
from pages.ui.sweep.form import ask_numbers
from pages.ui.sweep.job import SweepJob
from pages.ui.sweep.results import show, show_progress
from pages.ui.sweep.setup import WORKERS, check, clusters_allowed
from pages.ui.ticking import ticking

PAGE = "pages/sweep.py"
BAND = choice_of("band", "standard error", ["standard error", "10–90 %", "none"], says("band"))
RUNS = 40  # per batch, few enough to show results early and to keep several processes busy


def draw() -> None:
    """Draw the page."""
    settings = Settings("sweep")
    with settings.sidebar():
        filled = ask(settings)
    setup = filled.spec
    settings.write()
    place = title(
        "Sweep",
        "How does the end of a run depend on a parameter? Choose a learner, one or two numeric parameters and a grid "
        "of values. Every value runs on the same data in the same order. Look for a **valley**, where both smaller and "
        "larger values cost more.",
    )
    presentation.frame(settings, place)
    settings.show_problems()
    if filled.demo:
        demo_text.show(filled.demo, settings, ask)
    state = st.session_state.setdefault("sweep:job", {"job": None, "setup": None})
    key = repr(setup), files.data_version(setup.run.dataset) if setup is not None else None
    if state["job"] is None and isinstance(found := QUEUE.get(key), SweepJob):  # the page was reloaded
        if not found.complete:
            QUEUE.enter(found, key)
        state |= {"job": found, "setup": setup}
    batches, problem = _planned(setup)
    ticking("sweep:ticking", partial(_live, state, filled, key, batches, problem))
    if setup is not None and problem is None and not settings.hides("take-away"):
        if all(grid.name in setup.learner.values for grid in setup.grids):
            difference.section(setup, "sweep")
        _export(setup, urlencode(settings.link))
    dialog.offer(settings, place, "Sweep")


@st.fragment
def _export(setup: GridSpec, query: str) -> None:
    if (box := exports.box("Export the link, or a script that gives the same table", "sweep-export")) is None:
        return
    with box:
        exports.address(query)
        exports.button("Setup as Python script", partial(sweep_script, setup), "sweep.py", "text/x-python", "code")
        exports.setup(setup)


def _metric(family: Family) -> Parameter:
    """Return the choice of the metric that is drawn."""
    return choice_of("metric", family.metrics[0].id, list(family.by_id), "The metric drawn, at the end of the run.")


@dataclass(frozen=True)
class FilledSweep:
    """The filled form of the page. spec : None where nothing can vary. workers, scheduler : where it runs."""

    spec: GridSpec | None
    metric: str
    band: str
    workers: int = 1
    scheduler: str = ""
    demo: Demo | None = None


def ask(form: Form) -> FilledSweep:
    """Ask for every setting of the page."""
    demo = demos.ask(form, PAGE)
    family, spec = ask_numbers(form)
    workers, scheduler = _where() if isinstance(form, Settings) and not form.hides("sidebar") else (2, "")
    form.section("Chart", "charts")
    metric = form.widget(
        _metric(family),
        label="Result",
        titles=lambda id: f"{family.by_id[id].label}, {family.by_id[id].final}",
        owner=family.id,
    )
    band = form.widget(BAND, label="Uncertainty band", titles=str)
    return FilledSweep(spec, metric, band, min(workers, WORKERS), scheduler.strip(), demo)


def _where() -> tuple[int, str]:
    """Draw what says where a sweep runs. Return the number of processes and the address of a cluster, or ""."""
    with st.expander("Where it runs", icon=":material/memory:"):
        workers = st.slider(
            "Processes",
            1,
            max(WORKERS, 2),
            min(2, WORKERS),
            key="sweep:workers",
            disabled=WORKERS == 1,
            help="Processes of this server that share the batches. The results do not depend on it.",
        )
        scheduler = ""
        if clusters_allowed():
            scheduler = st.text_input(
                "Dask scheduler",
                key="sweep:scheduler",
                placeholder="tcp://host:8786",
                help="Address of a cluster that runs the batches. Leave it empty to run on this server. The link does "
                "not contain it.",
            )
        else:
            st.caption("Whoever runs this server can allow a Dask cluster (`FEEDBACK_LAB_DASK`).")
    return workers, scheduler


def _planned(setup: GridSpec | None) -> tuple[list[Any], str | None]:
    """Return the batches of a sweep, and a sentence on what is wrong if there are none."""
    if setup is None:
        return [], None
    try:
        check(setup)
        batches = _plan(setup)
        return batches, too_large(batches) or None
    except ValueError as error:
        return [], str(error)


def _live(
    state: dict[str, Any], filled: FilledSweep, key: Hashable, batches: list[Any], problem: str | None
) -> bool:  # fmt: skip
    """Draw the buttons, the progress and the results of the sweep. Return whether it, or its estimate, is under way."""
    setup, workers = filled.spec, filled.workers
    job: SweepJob | None = state["job"]
    running = job is not None and not job.complete
    estimate = None
    if setup is not None and problem is None:
        estimate = sweep_estimate(key, batches)
        problem = estimate.refusal() or None
    if problem and (job is None or job.failed != problem):
        st.error(plain(problem), icon=":material/block:")

    def start() -> None:
        if estimate is not None:
            job = SweepJob(batches, workers, filled.scheduler or None, sweep_estimate(key, batches))
            ticket = QUEUE.enter(job, (key, filled.scheduler) if filled.scheduler else key)
            state.update(job=ticket.job, setup=setup)

    def cancel() -> None:
        if job is not None and not QUEUE.leave(job.key):
            state["job"] = None  # others go on with it

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Start",
            icon=":material/play_arrow:",
            type="primary",
            key="sweep-start",
            on_click=start,
            disabled=running or problem is not None or setup is None,
        )
        st.button("Cancel", icon=":material/stop:", key="sweep-cancel", on_click=cancel, disabled=not running)
        if (job is None or state["setup"] != setup) and batches and setup is not None:
            run, runs = setup.run, sum(b.runs for b in batches)
            st.markdown(
                f"{runs // run.replicates:,} point{'s' * (runs != run.replicates)} × {run.replicates} replicates "
                f"× {run.steps:,} {run.family.unit}s, in {len(batches)} batch{'es' * (len(batches) != 1)}"
            )
    if estimate is not None and not problem and not running and (job is None or state["setup"] != setup):
        st.caption(estimate.words(workers))
    if job is not None:
        show_progress(job, running)
        show(job, state["setup"], setup, filled.metric, filled.band)
    else:
        if setup is not None and problem is None:
            for grid in setup.grids:
                values = ", ".join(f"{v:g}" for v in grid.values)
                st.markdown(f"{plain(grid.parameter.label)}: {values}")
        st.caption(
            "Press Start to run the sweep. Results appear batch by batch. The sweep goes on while you look at other "
            f"pages or reload this one. It ends {AWAY_SECONDS.value:g} seconds after you have closed the app."
        )
        st.markdown(
            "The results then appear here: how the runs end, as a curve over one parameter or a map over two, with the "
            "best value in words. These examples have everything set:"
        )
        with st.container(horizontal=True):
            for demo in demos.DEMOS:
                if demo.page == PAGE:
                    st.page_link(PAGE, label=demo.title, icon=":material/tune:", query_params=demo.link)
    return running or (estimate is not None and not estimate.complete)


def _plan(spec: GridSpec) -> list[Batch]:
    run = spec.run.given("dataset", files.resolve(spec.run.dataset.values))
    most = 1 if run.family.rounds else RUNS  # side by side, rounds are no cheaper
    return swept(replace(spec, run=run), runs=max(most, run.replicates))
