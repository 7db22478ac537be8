"""The sweep page: settings in the sidebar and in the link; a job in the background; what it found as a chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

import datasets
from datasets.parameters import Parameter
from learners.catalogue import (
    create,
    create_user,
    datasets_of,
    families,
    learner_classes,
    learners_of,
    user_classes,
    users_of,
)
from learners.family import Family
from learners.sweep import Job, plan
from pages.ui.choice import Choice
from pages.ui.draw.theme import title
from pages.ui.files import choose as files
from pages.ui.gallery import demos
from pages.ui.lab.setup import SEED
from pages.ui.settings import Settings, choice_of, chosen_id, plain
from pages.ui.sweep.results import family_of, show, tell
from pages.ui.sweep.setup import MOST_POINTS, REPLICATES, STEPS, WORKERS, Grid, SweepSetup, clusters_allowed, variable

NONE = "none"
FAMILY = choice_of("family", "classification", list(families()), "Which kind of learners.")
NUMBER = Parameter("number", "integer", 9, 2, MOST_POINTS, help="How many values of the parameter are tried.")
LOG = Parameter("log", "flag", False, help="Values grow by equal factors instead of equal steps.")
BAND = choice_of(
    "band",
    "standard error",
    ["standard error", "10–90 %", "none"],
    "What is drawn around the mean over the replicates.",
)
TICK = 0.5  # seconds between two looks at the job
RUNS = 40  # in a batch: few enough for results to come while it runs, and for several processes
MOST_JOBS = 8  # sweeps of all visitors that are remembered, so that a page loaded anew finds its own


def draw() -> None:
    """The page."""
    settings = Settings("sweep", _schema)
    with st.sidebar:
        setup, metric, band, workers, scheduler = _sidebar(settings)
    settings.write()
    title(
        "Sweep",
        "How does the end of a run depend on a parameter? Choose a learner, one or two of its numbers and a grid; "
        "every value runs on the same data in the same order. Look for a **valley**: too small and too large both "
        "cost.",
    )
    settings.show_problems()
    demos.show(settings)
    state = st.session_state.setdefault("sweep:job", {"job": None, "setup": None})
    if state["job"] is None and repr(setup) in _jobs():  # the page was loaded anew
        state |= {"job": _jobs()[repr(setup)], "setup": setup}
    running = state["job"] is not None and state["job"].running
    batches, problem = _planned(setup)
    st.fragment(_live, run_every=TICK if running else None)(
        state, setup, batches, problem, metric, band, workers, scheduler
    )
    if setup is not None and problem is None:
        with st.expander("Export: the link, and a script that gives the same table", icon=":material/download:"):
            query = urlencode(settings.link)
            st.caption("The address of this page holds every setting:")
            st.code(f"{(st.context.url or '').split('?')[0]}?{query}", language=None, wrap_lines=True)
            st.download_button(
                "Setup as Python script", setup.script(), "sweep.py", "text/x-python", icon=":material/code:",
                on_click="ignore",
            )  # fmt: skip


@st.cache_resource(show_spinner=False)
def _jobs() -> dict[str, Job]:
    """The latest sweeps of this server, by their setups."""
    return {}


def _schema(query: Mapping[str, str]) -> dict[str, Parameter]:
    """All settings that a link with these ids may have, by key."""
    family = families()[chosen_id(query, FAMILY)]
    learner, dataset, user = _choices(family)
    known = {p.name: p for p in (FAMILY, learner, dataset, REPLICATES, _steps(family), SEED, BAND)}
    cls = learner_classes()[chosen_id(query, learner)]
    kind = datasets.classes()[chosen_id(query, dataset)]
    own = {p.name: p for p in cls.parameters()}
    theirs = {p.name: p for p in kind.used_by(cls.family)}
    known |= {f"{name}-1": p for name, p in own.items()} | theirs
    if "path" in known:
        known["path"] = files.parameter()
    if user is not None:
        people = {p.name: p for p in user_classes()[chosen_id(query, user)].parameters()}
        known |= {"user": user} | people
        own = own | {name: p for name, p in people.items() if name not in own}
    own = own | {name: p for name, p in theirs.items() if name not in own}
    names = [name for name, p in own.items() if p.kind in ("real", "integer")]
    for place in ("1", "2"):
        known[f"vary-{place}"] = choice_of(f"vary-{place}", NONE, [NONE, *names])
        varied = own.get(query.get(f"vary-{place}", ""))
        if varied is not None:
            ends = Grid.suggested(varied)
            known |= {
                f"from-{place}": replace(varied, default=varied.check(ends.low)),
                f"to-{place}": replace(varied, default=varied.check(ends.high)),
            }
        known |= {f"number-{place}": NUMBER, f"log-{place}": LOG}
    known["demo"] = demos.PARAMETER
    known["metric"] = _metric(family)
    return known


def _metric(family: Family) -> Parameter:
    """The choice of what is drawn."""
    return choice_of("metric", family.metrics[0].id, list(family.by_id), "What is drawn, at the end of the run.")


def _steps(family: Family) -> Parameter:
    """Where each run ends."""
    if family.rounds:
        return replace(STEPS, default=family.rounds, low=1, high=1000, step=10)
    return STEPS


def _choices(family: Family) -> tuple[Parameter, Parameter, Parameter | None]:
    ids = sorted(  # those with a number to vary come first
        learners_of(family),
        key=lambda id: not any(p.kind in ("real", "integer") for p in learner_classes()[id].parameters()),
    )
    learner = choice_of("learner", ids[0], ids, "The learner that is run.")
    sets, people = datasets_of(family), users_of(family)
    dataset = choice_of("dataset", sets[0], list(sets), "What it is run on.")
    user = choice_of("user", people[0], list(people), "Who answers.") if people else None
    return learner, dataset, user


def _sidebar(settings: Settings) -> tuple[SweepSetup | None, str, str, int, str]:
    st.subheader("What is run")
    names = {id: family.title for id, family in families().items()}
    of = settings.widget(FAMILY, label="Family", titles=names.__getitem__)
    family = families()[of]
    learner_choice, dataset_choice, user_choice = _choices(family)
    titles = {id: cls.title for id, cls in learner_classes().items()}
    id = settings.widget(learner_choice, label="Learner", titles=titles.__getitem__, owner=of)
    cls = learner_classes()[id]
    learner = Choice(id)
    if cls.parameters():
        with st.expander("Settings of the learner", icon=":material/tune:"):
            learner = settings.declared(cls, "-1")
    sets = {id: kind.title for id, kind in datasets.classes().items()}
    kind = datasets.classes()[
        settings.widget(dataset_choice, label="Data set", titles=sets.__getitem__, owner=of)
    ]  # fmt: skip
    with st.expander("Settings of the data set", icon=":material/tune:"):
        dataset = files.choose(settings, kind, family=of) if files.is_file(kind) else settings.declared(kind, family=of)
    user = None
    if user_choice is not None:
        people = {id: cls.title for id, cls in user_classes().items()}
        who = user_classes()[settings.widget(user_choice, label="Simulated user", titles=people.__getitem__)]
        with st.expander("Settings of the user", icon=":material/tune:"):
            user = settings.declared(who)
    st.subheader("What is varied")
    own = variable(learner, dataset, user)
    grids: list[Grid] = []
    for place in ("1", "2"):
        grid = _grid(settings, own, place, f"{of}:{id}", [g.parameter.name for g in grids])
        if grid is not None:
            grids.append(grid)
    st.subheader("Run")
    replicates = settings.widget(REPLICATES)
    unit = family.unit
    if settings.state["owners"].setdefault("steps", unit) != unit:  # a number of steps is none of rounds
        settings.values.pop("steps", None)
        settings.state["owners"]["steps"] = unit
    steps = settings.widget(_steps(family), label=f"{unit.capitalize()}s T", owner=unit)
    seed = settings.widget(SEED)
    with st.expander("Where it runs", icon=":material/memory:"):
        workers = st.slider(
            "Processes", 1, max(WORKERS, 2), min(2, WORKERS), key="sweep:workers", disabled=WORKERS == 1,
            help="What does not fit in one batch is shared by so many processes of this server. The numbers are the "
                 "same.",
        )  # fmt: skip
        scheduler = ""
        if clusters_allowed(st.context.ip_address):
            scheduler = st.text_input(
                "Dask scheduler", key="sweep:scheduler", placeholder="tcp://host:8786",
                help="Address of a cluster that runs the batches instead; leave it empty to run on this server. It is "
                     "not part of the link.",
            )  # fmt: skip
        else:
            st.caption("A Dask cluster can be named only at the machine that runs the app.")
    st.subheader("Chart")
    metric = settings.widget(
        _metric(family), label="Result", titles=lambda id: f"{family.by_id[id].label}, "
                                                           f"{family.by_id[id].final}", owner=of
    )  # fmt: skip
    band = settings.widget(BAND, label="Around the mean", titles=str)
    setup = SweepSetup(learner, dataset, user, tuple(grids), replicates, steps, seed) if grids else None
    return setup, metric, band, min(workers, WORKERS), scheduler.strip()


def _grid(settings: Settings, own: Mapping[str, Parameter], place: str, owner: str, taken: list[str]) -> Grid | None:
    """The widgets of one parameter's values."""
    ids = [name for name in own if name not in taken]
    if place == "2":
        ids = [NONE, *ids]
    if not ids:
        st.info("This learner and this data set have no number to vary.")
        return None
    default = ids[0]
    labels = {name: p.label for name, p in own.items()} | {NONE: "— none —"}
    words = "First parameter" if place == "1" else "Second parameter (a heat map)"
    which = choice_of(f"vary-{place}", default, ids, "The number that is varied.")
    if settings.values.get(which.name, default) not in ids:
        settings.values.pop(which.name, None)
        st.session_state.pop(f"sweep:{owner}:{which.name}", None)
    name = settings.widget(which, label=words, titles=labels.__getitem__, owner=owner)
    settings.link[which.name] = name  # always in the link: which comes first depends on the rest of it
    if name == NONE:
        settings.link.pop(which.name)
        return None
    parameter = own[name]
    suggested = Grid.suggested(parameter)
    mine = f"{owner}:{name}"
    low, high = (
        replace(parameter, name=f"{end}-{place}", default=parameter.check(value), help=words, when=None)
        for end, value, words in (
            ("from", suggested.low, "The first value."), ("to", suggested.high, "The last value.")
        )
    )  # fmt: skip
    left, right = st.columns(2)
    with left:
        first = settings.number(low, label="From", owner=mine)
    with right:
        last = settings.number(high, label="To", owner=mine)
    number = settings.widget(replace(NUMBER, name=f"number-{place}"), label="Values", owner=mine)
    log = settings.widget(
        replace(LOG, name=f"log-{place}", default=suggested.log), label="Equal factors", owner=mine
    )  # fmt: skip
    return Grid(parameter, first, last, number, log)


def _planned(setup: SweepSetup | None) -> tuple[list[Any], str | None]:
    """The batches of a sweep, or a sentence on why there are none."""
    if setup is None:
        return [], None
    try:
        setup.check()
        return _plan(setup), None
    except ValueError as error:
        return [], str(error)


def _live(
    state: dict[str, Any], setup: SweepSetup | None, batches: list[Any], problem: str | None, metric: str, band: str,
    workers: int, scheduler: str,
) -> None:  # fmt: skip
    job: Job | None = state["job"]
    running = job is not None and job.running
    if problem:
        st.error(plain(problem), icon=":material/block:")

    def start() -> None:
        state["job"] = Job(batches, workers, scheduler or None)
        state["setup"] = setup
        jobs = _jobs()
        jobs[repr(setup)] = state["job"]
        while len(jobs) > MOST_JOBS:
            del jobs[next(iter(jobs))]

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Start", icon=":material/play_arrow:", type="primary", key="sweep-start", on_click=start,
            disabled=running or problem is not None or setup is None,
        )  # fmt: skip
        st.button(
            "Cancel", icon=":material/stop:", key="sweep-cancel", on_click=(lambda: job.cancel()) if job else None,
            disabled=not running,
        )  # fmt: skip
        if job is None and batches and setup is not None:
            runs = sum(b.runs for b in batches)
            st.markdown(
                f"{runs // setup.replicates:,} point{'s' * (runs != setup.replicates)} × {setup.replicates} replicates "
                f"× {setup.steps:,} {family_of(setup).unit}s, in {len(batches)} batch{'es' * (len(batches) != 1)}"
            )
    if job is not None:
        tell(job, running)
        show(job, state["setup"], setup, metric, band)
    else:
        if setup is not None and problem is None:
            for name, values in setup.over.items():
                st.markdown(f"`{name}`: " + ", ".join(f"{v:g}" for v in values))
        st.caption(
            "Press Start: the result appears here batch by batch, with live progress. Neither another page nor a "
            "reload of this one stops it."
        )
    if running != st.session_state.get("sweep:ticking", False):
        st.session_state["sweep:ticking"] = running
        st.rerun()  # so that the fragment is registered again, with its interval or without


def _plan(setup: SweepSetup) -> list[Any]:
    made = {
        "learner": create(setup.learner.id, **setup.learner.dict),
        "dataset": datasets.create(setup.dataset.id, **files.resolve(setup.dataset.dict)),
    }
    if setup.user is not None:
        made["user"] = create_user(setup.user.id, **setup.user.dict)
    most = 1 if family_of(setup).rounds else RUNS  # rounds do not get cheaper side by side
    return plan(made, setup.over, setup.replicates, setup.seed, setup.steps, runs=max(most, setup.replicates))
