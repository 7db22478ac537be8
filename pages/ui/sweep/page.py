"""The sweep page, with its settings, a job in the background, and a chart of the results."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

import streamlit as st

import datasets
from datasets.parameters import Parameter
from datasets.spec import Spec
from learners.catalogue import datasets_of, families, learner_classes, learners_of, user_classes, users_of
from learners.family import Family
from learners.grid import Grid, GridSpec, varying
from learners.spec import RunSpec
from learners.sweep import plan
from pages.ui import taken
from pages.ui.draw.theme import title
from pages.ui.files import choose as files
from pages.ui.gallery import demo_text, demos
from pages.ui.race import fits
from pages.ui.race.script import sweep_script
from pages.ui.race.setup import SEED
from pages.ui.server.line import AWAY_SECONDS
from pages.ui.server.presence import session
from pages.ui.settings import Settings, choice_of, chosen_id, plain
from pages.ui.share import dialog, quiet
from pages.ui.sweep import started
from pages.ui.sweep.estimates import ESTIMATES, Estimate, refused, too_long, words
from pages.ui.sweep.results import show, show_progress
from pages.ui.sweep.setup import MOST_POINTS, REPLICATES, STEPS, WORKERS, check, clusters_allowed
from pages.ui.sweep.started import Started

NONE = "none"
PAGE = "pages/sweep.py"
FAMILY = choice_of("family", "classification", list(families()), "The family of the learners.")
NUMBER = Parameter("number", "integer", 9, 2, MOST_POINTS, help="Number of values of the parameter.")
LOG = Parameter(
    "log", "flag", False, help="Each value is the one before times a constant factor, instead of plus a constant."
)
BAND = choice_of(
    "band",
    "standard error",
    ["standard error", "10–90 %", "none"],
    "The spread drawn around the mean over the replicates.",
)
TICK = 0.5  # seconds between two checks of the job
RUNS = 40  # per batch, few enough to show results early and to keep several processes busy


def draw() -> None:
    """Draw the page."""
    settings = Settings("sweep", schema)
    with settings.sidebar():
        setup, metric, band, workers, scheduler = _sidebar(settings)
    settings.write()
    place = title(
        "Sweep",
        "How does the end of a run depend on a parameter? Choose a learner, one or two numeric parameters and a grid "
        "of values. Every value runs on the same data in the same order. Look for a **valley**, where both smaller and "
        "larger values cost more.",
    )
    quiet.frame(settings, place)
    settings.show_problems()
    demo_text.show(settings)
    state = st.session_state.setdefault("sweep:job", {"job": None, "setup": None})
    key = repr(setup), files.version(setup.run.dataset.values.get("path", "")) if setup is not None else None
    if state["job"] is None and (found := started.remembered(key)) is not None:  # the page was reloaded
        found.join(session())
        state |= {"job": found, "setup": setup}
    batches, problem = _planned(setup)
    busy = st.session_state.get("sweep:ticking", False)
    st.fragment(_live, run_every=TICK if busy else None)(
        state, setup, key, batches, problem, metric, band, workers, scheduler
    )
    if setup is not None and problem is None and not settings.hides("take-away"):
        _export(setup, urlencode(settings.link))
    dialog.offer(settings, place, "Sweep")


@st.fragment
def _export(setup: GridSpec, query: str) -> None:
    if (box := taken.box("Export the link, or a script that gives the same table", "sweep-export")) is None:
        return
    with box:
        taken.address(query)
        taken.button("Setup as Python script", partial(sweep_script, setup), "sweep.py", "text/x-python", "code")


def schema(query: Mapping[str, str]) -> dict[str, Parameter]:
    """Return all settings that a link with these ids may contain, by key."""
    family = families()[chosen_id(query, FAMILY)]
    learner, dataset, user = _choices(family)
    known = {p.name: p for p in (FAMILY, learner, dataset, REPLICATES, _steps(family), SEED, BAND)}
    cls = learner_classes()[chosen_id(query, learner)]
    dataset_class = datasets.classes()[chosen_id(query, dataset)]
    of_learner = {p.name: p for p in cls.parameters()}
    of_dataset = {p.name: p for p in dataset_class.used_by(cls.family)}
    of_user: dict[str, Parameter] = {}
    known |= {f"{name}-1": p for name, p in of_learner.items()} | of_dataset
    if "path" in known:
        known["path"] = files.parameter()
    if user is not None:
        of_user = {p.name: p for p in user_classes()[chosen_id(query, user)].parameters()}
        known |= {"user": user} | of_user
    # in this order; a name that two of them share stands for the first
    every = of_learner | of_user | of_dataset | of_user | of_learner
    names = [name for name, p in every.items() if p.kind in ("real", "integer")]
    for place in ("1", "2"):
        known[f"vary-{place}"] = choice_of(f"vary-{place}", NONE, [NONE, *names])
        varied = every.get(query.get(f"vary-{place}", ""))
        if varied is not None and varied.name in names:  # a text or a choice has no ends
            ends = Grid.suggested(varied)
            known |= {
                f"from-{place}": replace(varied, default=varied.check(ends.low)),
                f"to-{place}": replace(varied, default=varied.check(ends.high)),
            }
        known |= {f"number-{place}": NUMBER, f"log-{place}": LOG}
    known[demos.NAME] = demos.parameter(PAGE)
    known["metric"] = _metric(family)
    return known


def _metric(family: Family) -> Parameter:
    """Return the choice of the metric that is drawn."""
    return choice_of("metric", family.metrics[0].id, list(family.by_id), "The metric drawn, at the end of the run.")


def _steps(family: Family) -> Parameter:
    """Return the length of each run."""
    if family.rounds:
        return replace(STEPS, default=family.rounds, low=1, high=1000, step=10)
    return STEPS


def _choices(family: Family) -> tuple[Parameter, Parameter, Parameter | None]:
    ids = sorted(  # those with numeric parameters come first
        learners_of(family),
        key=lambda id: not any(p.kind in ("real", "integer") for p in learner_classes()[id].parameters()),
    )
    learner = choice_of("learner", ids[0], ids, "The learner to run.")
    sets, users = datasets_of(family), users_of(family)
    dataset = choice_of("dataset", sets[0], list(sets), "The data on which the learner runs.")
    user = choice_of("user", users[0], list(users), "Who gives the feedback.") if users else None
    return learner, dataset, user


def _sidebar(settings: Settings) -> tuple[GridSpec | None, str, str, int, str]:
    settings.get(demos.parameter(PAGE))
    settings.section("Setup", "race")
    names = {id: family.title for id, family in families().items()}
    family_id = settings.widget(FAMILY, label="Family", titles=names.__getitem__)
    family = families()[family_id]
    learner_choice, dataset_choice, user_choice = _choices(family)
    titles = {id: cls.title for id, cls in learner_classes().items()}
    ids = fits.offered(settings, learner_choice.choices, learner_choice, dataset_choice, family_id)
    learner_choice = replace(learner_choice, choices=tuple(ids))
    id = settings.widget(learner_choice, label="Learner", titles=titles.__getitem__, owner=family_id)
    cls = learner_classes()[id]
    learner = Spec(id)
    if cls.parameters():
        with settings.expander("Settings of the learner", [f"{p.name}-1" for p in cls.parameters()]):
            learner = settings.declared(cls, "-1")
    settings.section("", "world")
    sets = {id: kind.title for id, kind in datasets.classes().items()}
    kind = datasets.classes()[
        settings.widget(dataset_choice, label="Data set", titles=sets.__getitem__, owner=family_id)
    ]
    fits.tell(settings, learners_of(family), kind.id)
    with settings.expander("Settings of the data set", [p.name for p in kind.parameters()]):
        if files.is_file(kind):
            dataset = files.choose(settings, kind, family=family_id)
        else:
            dataset = settings.declared(kind, family=family_id)
    user = None
    if user_choice is not None:
        users = {id: cls.title for id, cls in user_classes().items()}
        user_class = user_classes()[settings.widget(user_choice, label="Simulated user", titles=users.__getitem__)]
        with settings.expander("Settings of the user", [p.name for p in user_class.parameters()]):
            user = settings.declared(user_class)
    settings.section("Parameters to vary", "vary")
    numeric = {name: p for name, (_, p) in varying(learner, dataset, user).items()}
    grids: list[Grid] = []
    for place in ("1", "2"):
        grid = _grid(settings, numeric, place, f"{family_id}:{id}", [g.name for g in grids])
        if grid is not None:
            grids.append(grid)
    settings.section("Run")
    replicates = settings.widget(REPLICATES)
    unit = family.unit
    if settings.state["owners"].setdefault("steps", unit) != unit:  # a number of steps does not fit rounds
        settings.values.pop("steps", None)
        settings.state["owners"]["steps"] = unit
    steps = settings.widget(_steps(family), label=f"{unit.capitalize()}s T", owner=unit)
    seed = settings.widget(SEED)
    workers, scheduler = (min(2, WORKERS), "") if settings.hides("sidebar") else _where()
    settings.section("Chart", "charts")
    metric = settings.widget(
        _metric(family),
        label="Result",
        titles=lambda id: f"{family.by_id[id].label}, {family.by_id[id].final}",
        owner=family_id,
    )
    band = settings.widget(BAND, label="Uncertainty band", titles=str)
    run = RunSpec((learner,), dataset, user, replicates, steps, seed)
    setup = GridSpec(run, tuple(grids)) if grids else None
    return setup, metric, band, min(workers, WORKERS), scheduler.strip()


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


def _grid(
    settings: Settings, numeric: Mapping[str, Parameter], place: str, owner: str, taken: list[str]
) -> Grid | None:
    """Draw the widgets of one parameter's grid and return the grid."""
    ids = [name for name in numeric if name not in taken]
    if place == "2":
        ids = [NONE, *ids]
    if not ids:
        st.info("Neither this learner nor this data set has a numeric parameter to vary.")
        return None
    default = ids[0]
    labels = {name: p.label for name, p in numeric.items()} | {NONE: "— none —"}
    words = "First parameter" if place == "1" else "Second parameter (for a heat map)"
    which = choice_of(f"vary-{place}", default, ids, "The parameter that is varied.")
    if settings.values.get(which.name, default) not in ids:
        settings.values.pop(which.name, None)
        st.session_state.pop(f"sweep:{owner}:{which.name}", None)
    name = settings.widget(which, label=words, titles=labels.__getitem__, owner=owner)
    settings.link[which.name] = name  # always in the link, because the default depends on the other settings
    if name == NONE:
        settings.link.pop(which.name)
        return None
    parameter = numeric[name]
    suggested = Grid.suggested(parameter)
    owner = f"{owner}:{name}"
    low, high = (
        replace(parameter, name=f"{end}-{place}", default=parameter.check(value), help=words, when=None)
        for end, value, words in (
            ("from", suggested.low, "The first value."),
            ("to", suggested.high, "The last value."),
        )
    )
    drawn = settings.shows(low.name) or settings.shows(high.name)
    left, right = st.columns(2) if drawn else (nullcontext(), nullcontext())
    with left:
        first = settings.number(low, label="From", owner=owner)
    with right:
        last = settings.number(high, label="To", owner=owner)
    number = settings.widget(replace(NUMBER, name=f"number-{place}"), label="Values", owner=owner)
    spacing = replace(LOG, name=f"log-{place}", default=suggested.log)
    log = settings.widget(spacing, label="Logarithmic spacing", owner=owner)
    return Grid(parameter, first, last, number, log)


def _planned(setup: GridSpec | None) -> tuple[list[Any], str | None]:
    """Return the batches of a sweep, and a sentence on what is wrong if there are none."""
    if setup is None:
        return [], None
    try:
        check(setup)
        batches = _plan(setup)
        return batches, refused(batches) or None
    except ValueError as error:
        return [], str(error)


def _live(
    state: dict[str, Any],
    setup: GridSpec | None,
    key: Hashable,
    batches: list[Any],
    problem: str | None,
    metric: str,
    band: str,
    workers: int,
    scheduler: str,
) -> None:
    """Draw the buttons, the progress and the results of the sweep."""
    job: Started | None = state["job"]
    running = job is not None and job.running
    estimate = None
    if setup is not None and problem is None:
        estimate = ESTIMATES.ask(key, lambda: batches)
        problem = _too_much(estimate, workers)
    if problem and (job is None or job.error != problem):
        st.error(plain(problem), icon=":material/block:")

    def start() -> None:
        if estimate is not None:
            state["job"] = started.start(key, batches, estimate, workers, scheduler or None, session())
            state["setup"] = setup

    def cancel() -> None:
        if job is not None and not job.leave(session()):
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
        st.caption(_takes(estimate, workers))
    if job is not None:
        show_progress(job, running)
        show(job, state["setup"], setup, metric, band)
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
    busy = running or (estimate is not None and not estimate.ended.is_set())
    if busy != st.session_state.get("sweep:ticking", False):
        st.session_state["sweep:ticking"] = busy
        st.rerun()  # registers the fragment again, with or without its interval


def _too_much(estimate: Estimate, workers: int) -> str | None:
    """Return a sentence if an estimate says that a sweep takes too long or cannot run, None as long as it does not."""
    if not estimate.ended.is_set():
        return None
    return estimate.problem or too_long(estimate.cost(workers)) or None


def _takes(estimate: Estimate, workers: int) -> str:
    """Return what a sweep takes, as a sentence."""
    if not estimate.ended.is_set():
        return "Estimating what this sweep takes … You need not wait for it."
    if estimate.unknown:
        return "What this sweep takes is unknown, since trying a few steps took too long. It may take very long."
    return f"This sweep takes {words(estimate.cost(workers), workers)}, by a few steps that were tried."


def _plan(spec: GridSpec) -> list[Any]:
    run, (learner,) = spec.run, spec.run.made()
    made = {"learner": learner, "dataset": datasets.create(run.dataset.id, **files.resolve(run.dataset.values))}
    if run.user is not None:
        made["user"] = run.made_user()
    most = 1 if run.family.rounds else RUNS  # side by side, rounds are no cheaper
    return plan(made, spec.over, run.replicates, run.seed, run.steps, runs=max(most, run.replicates))
