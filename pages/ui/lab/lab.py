"""The live runner: what every lab is made of, whatever its family.

A lab names its learners, data sets, users, charts and inspector; everything else (settings in the
sidebar and in the link, play, pause, step, reset, speed, charts that move, export) is here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

import datasets
from datasets.parameters import Parameter
from learners.base import PAPERS
from learners.catalogue import learner_classes, user_classes
from pages.ui.collector import tidy
from pages.ui.draw import live_charts
from pages.ui.draw.chart_specs import ChartSpec, View, bounds_of, figure, revision
from pages.ui.draw.charts import Look
from pages.ui.draw.live_charts import Chart
from pages.ui.draw.theme import DOTS, legend, look, title
from pages.ui.files import choose as files
from pages.ui.gallery import demos
from pages.ui.lab import export, numbers
from pages.ui.lab.race import Race
from pages.ui.lab.setup import REPLICATES, SEED, STEPS, Choice, Setup, unit_of
from pages.ui.settings import Settings, choice_of, chosen_id, plain

SLOTS = 4
NONE = "none"
SPEEDS = (1, 2, 5, 10, 25, 50, 100, 250, 1000, None)  # steps a second; None is as fast as it goes
TICK = 0.125  # seconds between redraws
SLICE, LONG = 0.03, 0.07  # seconds of simulation in each; of runs of more than 10,000 steps, which would take minutes


@dataclass(frozen=True)
class Lab:
    """One lab. `learners`, `datasets` and `users` are ids; the first of each is the default."""

    id: str
    title: str
    lead: str  # one sentence: what to look for here
    learners: tuple[str, ...]
    race: tuple[str, ...]  # learners in the slots at the start
    datasets: tuple[str, ...]
    charts: tuple[ChartSpec, ...]
    shown: tuple[str, ...]  # charts at the start
    inspector: Callable[[Any, int, Look], None]  # draws the latest step of a simulation for a replicate
    glance: Callable[[Race], None] | None = None  # draws what is worth seeing while it plays, below the charts
    ask: Callable[[Race], None] | None = None  # draws what a person is asked, above the charts
    users: tuple[str, ...] = ()
    twin: Parameter | None = None  # the choice between what is shown and what is predicted: first, second, both
    regret: str = "regret"  # what the y axes show that may be logarithmic
    bounded: bool = True  # whether some learners have bounds that are drawn
    steps: Parameter = STEPS
    replicates: Parameter = REPLICATES
    speed: str = "max"  # at the start
    # of the parameters of a data set, by its id, where others than declared suit the lab better
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    thin: str = "what the learner believes best"  # what the thin lines are
    comparison: tuple[Parameter, ...] = ()  # settings of a comparison by interleaving, for a lab that makes one

    @property
    def family(self) -> str:
        """The family of its learners."""
        return learner_classes()[self.learners[0]].family

    @property
    def unit(self) -> str:
        """What a step is called."""
        return unit_of(self.family)

    # ---- what may stand in the link ---------------------------------------------------------------

    @property
    def dataset(self) -> Parameter:
        return choice_of("dataset", self.datasets[0], list(self.datasets), "What the learners are run on.")

    @property
    def user(self) -> Parameter:
        return choice_of("user", self.users[0], list(self.users), "Who answers the rankings.")

    def learner(self, slot: int) -> Parameter:
        ids = list(self.learners) if slot == 1 else [NONE, *self.learners]
        default = self.race[slot - 1] if slot <= len(self.race) else NONE
        return choice_of(f"learner-{slot}", default, ids, f"The learner drawn in the colour of place {slot}.")

    @property
    def view(self) -> dict[str, Parameter]:
        """Settings of the charts."""
        twin = {} if self.twin is None else {self.twin.name: self.twin}
        return twin | {
            "charts": Parameter("charts", "text", ",".join(self.shown)),
            "band": choice_of(
                "band", "standard error", ["standard error", "10–90 %", "none", "single runs"],
                "What is drawn around the mean over the replicates; single runs draws the first eight of them.",
            ),
            "window": Parameter(
                "window", "integer", 25 if self.steps.default <= 1000 else 250, 1, 5000,
                help="Values that belong to one step are averaged over this many steps; 1 shows each step as it is.",
            ),
            "x_log": Parameter("x_log", "flag", False, help=f"Logarithmic {self.unit} axis: shows early learning."),
            "y_log": Parameter(
                "y_log", "flag", False, help=f"Logarithmic {self.regret} axis: a straight line is a power law."
            ),
            "bounds": Parameter(
                "bounds", "flag", True,
                help=f"Draw the theorem's bound on the {self.regret} as a dotted line, with what was measured put into it.",
            ),
            "speed": choice_of("speed", self.speed, [_speed_id(s) for s in SPEEDS]),
        }  # fmt: skip

    def schema(self, query: Mapping[str, str]) -> dict[str, Parameter]:
        """All settings that a link with these ids may have, by key."""
        known = {"dataset": self.dataset, "replicates": self.replicates, "steps": self.steps, "seed": SEED}
        known |= self.view | {"demo": demos.PARAMETER} | {p.name: p for p in self.comparison}
        kind = datasets.classes()[chosen_id(query, self.dataset)]
        known |= {p.name: p for p in kind.heeded(self.family)}
        own = self.defaults.get(kind.id, {})
        known |= {name: replace(known[name], default=value) for name, value in own.items()}
        if "path" in known:
            known["path"] = files.parameter()
        if self.users:
            known |= {"user": self.user}
            known |= {p.name: p for p in user_classes()[chosen_id(query, self.user)].parameters()}
        for slot in range(1, SLOTS + 1):
            place = self.learner(slot)
            known[place.name] = place
            learner = chosen_id(query, place)
            if learner != NONE:
                known |= {f"{p.name}-{slot}": p for p in learner_classes()[learner].parameters()}
        return known

    # ---- the page ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Draw the page."""
        settings = Settings(self.id, self.schema)
        race: Race = st.session_state.setdefault(f"race:{self.id}", Race())
        with st.sidebar:
            setup, view, charts = self._sidebar(settings)
        speed = settings.get(self.view["speed"])
        settings.write()
        title(self.title, self.lead)
        settings.show_problems()
        if settings.by_link:
            race.reset()  # a link begins at step 0; only a setting changed by hand runs up to where it was
        demos.show(settings)
        try:
            setup.check()
            with st.spinner("Preparing the data …"):
                data = load_data(setup.dataset)
                setup.check_step(data)
                race.change(setup, data)
        except ValueError as error:
            st.error(plain(str(error)), icon=":material/block:")
            if "Data page" in str(error):
                link = {"family": datasets.classes()[setup.dataset.id].family, "dataset": setup.dataset.id}
                st.page_link("pages/data.py", label="Open the Data page", icon=":material/database:", query_params=link)
            return
        except MemoryError:
            st.error("This setup needs more memory than the server has; lower the queries, documents or features.")
            return
        if self.ask is not None:
            self.ask(race)
        st.session_state[f"ticking:{self.id}"] = race.active
        st.fragment(self._live, run_every=TICK if race.active else None)(race, settings, view, charts, speed)
        export.section(race, [c for c in self.charts if c.id in charts], view, urlencode(settings.link))

    def _sidebar(self, settings: Settings) -> tuple[Setup, View, list[str]]:
        st.subheader("Race")
        learners = []
        for slot in range(1, SLOTS + 1):
            titles = {id: cls.title for id, cls in learner_classes().items()} | {NONE: "— none —"}
            place = self.learner(slot)
            id = settings.widget(place, label=f"{DOTS[slot - 1]} Learner {slot}", titles=titles.__getitem__)
            if id == NONE:
                continue
            cls = learner_classes()[id]
            if cls.parameters():
                with st.expander(f"Settings of learner {slot}", icon=":material/tune:"):
                    learners.append(settings.declared(cls, f"-{slot}"))
            else:
                learners.append(Choice(id))
        st.subheader("World")
        names = {id: cls.title for id, cls in datasets.classes().items()}
        dataset_id = settings.widget(self.dataset, label="Data set", titles=names.__getitem__)
        kind = datasets.classes()[dataset_id]
        st.caption(kind.summary)
        if files.is_file(kind):
            dataset = files.choose(settings, kind, family=self.family)
        else:
            dataset = settings.declared(kind, family=self.family, defaults=self.defaults.get(kind.id, {}))
        user = None
        if self.users:
            people = {id: cls.title for id, cls in user_classes().items()}
            user_id = settings.widget(self.user, label="Simulated user", titles=people.__getitem__)
            st.caption(user_classes()[user_id].summary)
            user = settings.declared(user_classes()[user_id])
        comparison = None
        if self.comparison:
            st.subheader("Comparison")
            comparison = tuple((p.name, settings.widget(p)) for p in self.comparison)
        st.subheader("Run")
        replicates = settings.widget(self.replicates)
        steps = settings.widget(self.steps, label=f"{self.unit.capitalize()}s T")
        seed = settings.widget(SEED)
        st.subheader("Charts")
        charts = self._choose_charts(settings)
        look_at = self.view
        smooth = any(chart.smooth for chart in self.charts)
        which = "presented"
        if self.twin is not None:
            at = self.twin.choices.index(settings.widget(self.twin))
            which = ("presented", "predicted", "both")[at]
        view = View(
            which,
            settings.widget(look_at["band"], label="Around the mean", titles=str),
            settings.widget(look_at["window"], label="Moving average, steps") if smooth else 1,
            settings.widget(look_at["x_log"], label=f"Logarithmic {self.unit}s"),
            settings.widget(look_at["y_log"], label=f"Logarithmic {self.regret}"),
            self.bounded and settings.widget(look_at["bounds"], label="Theorem's bound"),
            self.unit,
        )
        return Setup(tuple(learners), dataset, user, replicates, steps, seed, comparison), view, charts

    def _choose_charts(self, settings: Settings) -> list[str]:
        parameter = self.view["charts"]
        known = {chart.id: chart.title for chart in self.charts}
        name = f"{self.id}:charts"
        if settings.fresh or name not in st.session_state:
            asked = settings.values.get("charts", parameter.default).split(",")
            unknown = [id for id in asked if id and id not in known]
            if unknown:
                settings.problems.append(f"charts must be among {', '.join(known)}, got {', '.join(unknown)}.")
                asked = parameter.default.split(",")
            st.session_state[name] = [id for id in asked if id in known]
        chosen: list[str] = st.multiselect(
            "Charts", list(known), format_func=known.__getitem__, key=name, help="Drawn in the order chosen."
        )
        settings.values["charts"] = ",".join(chosen)
        settings.get(parameter)
        return chosen

    # ---- the part that moves ----------------------------------------------------------------------

    def _live(self, race: Race, settings: Settings, view: View, charts: list[str], speed: str) -> None:
        assert race.setup is not None
        was_active = race.active
        if was_active:
            self._tick(race, _steps_a_second(speed))
        self._controls(race, settings, speed)
        now = look()
        by_id = {chart.id: chart for chart in self.charts}
        specs = [by_id[id].of(race.simulations[0].dataset) for id in charts]
        bounds = [bounds_of(race, n) for n in (0, 1)] if view.bounds and any(c.bounds for c in specs) else []
        names = legend(
            race.setup.labels(), now, [name for name in bounds if name],
            thin=self.thin if view.which == "both" and any(c.predicted for c in specs) else "",
        )  # fmt: skip
        drawn = [Chart(c.id, c.title, c.help, figure(c, race, view, now), revision(race, view), c.wide) for c in specs]
        live_charts.show(drawn, names, f"{self.id}:grid", now.text)
        numbers.show(race, specs, self.unit, f"{self.id}-numbers")
        self._inspect(race, now, slow=speed in ("1", "2"))
        tidy()
        if race.active != st.session_state.get(f"ticking:{self.id}"):
            st.rerun()  # so that the fragment is registered again, with its interval or without

    def _tick(self, race: Race, speed: float | None) -> None:
        now = time.monotonic()
        clock = f"clock:{self.id}"
        elapsed = min(1.0, now - st.session_state.get(clock, now))
        st.session_state[clock] = now
        assert race.setup is not None
        race.tick(SLICE if race.setup.steps <= 10_000 else LONG, speed, elapsed)

    def _controls(self, race: Race, settings: Settings, speed: str) -> None:
        """Buttons act in callbacks, before anything is drawn, so that a press costs one run of the fragment."""
        assert race.setup is not None
        at_end = race.t >= race.setup.steps
        ids = [_speed_id(s) for s in SPEEDS]
        at = ids.index(speed)

        def play() -> None:
            race.playing = True
            st.session_state[f"clock:{self.id}"] = time.monotonic()

        def faster(by: int) -> None:
            settings.set(self.view["speed"], ids[at + by])
            st.session_state[f"ticking:{self.id}"] = None  # the page must be run, for the address

        with st.container(horizontal=True, vertical_alignment="center", key=f"{self.id}-controls"):
            if race.playing:
                st.button(
                    "Pause", icon=":material/pause:", shortcut="Space", type="primary", key="pause", on_click=race.pause
                )
            else:
                st.button(
                    "Play", icon=":material/play_arrow:", shortcut="Space", type="primary", key="play", on_click=play,
                    disabled=at_end,
                )  # fmt: skip
            st.button(
                "Step", icon=":material/skip_next:", shortcut="S", key="step", on_click=race.step, disabled=at_end
            )
            st.button("Reset", icon=":material/replay:", shortcut="0", key="reset", on_click=race.reset)
            st.button(
                "Slower", icon=":material/remove:", shortcut="D", key="slower", on_click=faster, args=(-1,),
                disabled=at == 0,
            )  # fmt: skip
            st.button(
                "Faster", icon=":material/add:", shortcut="F", key="faster", on_click=faster, args=(1,),
                disabled=at == len(ids) - 1,
            )  # fmt: skip
            words = "as fast as it goes" if speed == "max" else f"{speed} {self.unit}{'s' * (speed != '1')} a second"
            if race.simulations[0].history.thinned:
                words += f" · recorded on a logarithmic grid beyond step {race.simulations[0].history.recorded:,}"
            st.markdown(f"t = **{race.t:,}** / {race.setup.steps:,} · {words}", width="content")

    def _inspect(self, race: Race, now: Look, slow: bool) -> None:
        assert race.setup is not None
        if self.glance is not None:
            self.glance(race)
        unit = self.unit
        with st.expander(
            f"{unit.capitalize()} inspector: what happened in the latest {unit}",
            expanded=True,
            key=f"{self.id}-inspect",
        ):
            if race.active and not slow:
                st.caption(
                    f"Pause, slow down, or press Step, to read what happened in a {unit}, line by line of the algorithm."
                )
                return
            if race.t == 0:
                st.caption(f"Press Step: the {unit} appears here, line by line of the algorithm.")
                return
            labels = race.setup.labels()
            with st.container(horizontal=True):
                which = st.selectbox(
                    "Learner", range(len(labels)), format_func=labels.__getitem__, key=f"{self.id}:who"
                )
                replicate = 0
                if race.setup.replicates > 1:
                    replicate = st.number_input(
                        "Replicate", 1, race.setup.replicates, key=f"{self.id}:replicate",
                        help="Which of the runs made side by side.",
                    ) - 1  # fmt: skip
            simulation = race.simulations[min(which, len(labels) - 1)]
            self.inspector(simulation, replicate, now)
            paper = simulation.learner.paper
            if paper in PAPERS:
                st.caption(f"The algorithm: [{paper}] {PAPERS[paper]} {simulation.learner.section}")


def load_data(choice: Choice) -> Any:
    """The data of a choice, shared by all sessions; a file that has changed is read again."""
    return _load(choice, files.version(choice.dict.get("path", "")))


@st.cache_resource(max_entries=4, show_spinner=False)
def _load(choice: Choice, version: tuple[int, int] | None) -> Any:
    return datasets.load(choice.id, **files.resolve(choice.dict))


def _speed_id(speed: float | None) -> str:
    return "max" if speed is None else str(speed)


def _steps_a_second(id: str) -> float | None:
    return None if id == "max" else float(id)
