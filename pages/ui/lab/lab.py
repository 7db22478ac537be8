"""The live runner, of which every lab is made, whatever its family.

A lab names its family, its charts and its inspector. Everything else is here: the settings in the sidebar and in
the link, play, pause, step, reset, speed, the charts that move, and export.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import streamlit as st

import datasets
from datasets import Dataset
from datasets.parameters import Parameter
from learners.base import PAPERS
from learners.catalogue import datasets_of, families, learner_classes, learners_of, user_classes, users_of
from learners.family import Family
from learners.metric import Metric
from pages.ui.choice import Choice
from pages.ui.collector import tidy
from pages.ui.draw import live_charts
from pages.ui.draw.charts import Look
from pages.ui.draw.live_charts import Chart
from pages.ui.draw.theme import DOTS, legend, look, title
from pages.ui.files import choose as files
from pages.ui.gallery import demos
from pages.ui.lab import export, numbers
from pages.ui.lab.charts import ChartSpec, View, bounds_of, curves, figure, revision
from pages.ui.lab.race import Race
from pages.ui.lab.setup import REPLICATES, SEED, STEPS, Setup
from pages.ui.settings import LinkReader, Settings, choice_of, plain

SLOTS = 4
NONE = "none"
SPEEDS = (1, 2, 5, 10, 25, 50, 100, 250, 1000, None)  # steps a second; None is as fast as it goes
BAND = choice_of(
    "band", "standard error", ["standard error", "10–90 %", "none", "single runs"],
    "What is drawn around the mean over the replicates; single runs draws the first eight of them.",
)  # fmt: skip
TICK = 0.125  # seconds between redraws
SLICE, LONG = 0.03, 0.07  # seconds of simulation in each; of runs of more than 10,000 steps, which would take minutes


@dataclass(frozen=True)
class Lab:
    """One lab; `race` and the ids that come `first` are its defaults.

    family : id of the family of its learners. lead : what to look for, in a sentence. race : learners at the start.
    shown : charts at the start, by their metrics or the ids of pictures. inspector : draws the latest step of a
    simulation for a replicate. glance : draws what is worth seeing while it plays, below the charts. ask : draws what a
    person is asked, above the charts. pictures : charts that are no curves. metrics : those that have charts, all of
    the family's if None. which : the choice between what is shown and what is predicted, as first, second, both.
    regret : what a logarithmic y axis shows. bounded : whether some learners have bounds that are drawn. datasets, users :
    ids that it offers, all of the family's if None. defaults : of the parameters of a data set, by its id, where others than
    declared suit the lab better. thin : what the thin lines are. comparison : settings of a comparison by interleaving.
    """

    id: str
    title: str
    lead: str
    family: str
    race: tuple[str, ...]
    shown: tuple[Metric | str, ...]
    inspector: Callable[[Any, int, Look], None]
    glance: Callable[[Race], None] | None = None
    ask: Callable[[Race], None] | None = None
    pictures: tuple[ChartSpec, ...] = ()
    metrics: tuple[Metric, ...] | None = None
    which: Parameter | None = None
    regret: str = "regret"
    bounded: bool = True
    datasets: tuple[str, ...] | None = None
    users: tuple[str, ...] | None = None
    first: tuple[str, ...] = ()
    steps: Parameter = STEPS
    replicates: Parameter = REPLICATES
    speed: str = "max"
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    thin: str = "what the learner believes best"
    comparison: tuple[Parameter, ...] = ()

    @cached_property
    def of(self) -> Family:
        """The family of its learners."""
        return families()[self.family]

    @property
    def unit(self) -> str:
        """What a step is called."""
        return self.of.unit

    @cached_property
    def charts(self) -> dict[str, ChartSpec]:
        """Every chart it can draw, by id."""
        drawn = self.of.metrics if self.metrics is None else self.metrics
        return {chart.id: chart for chart in (*curves(drawn), *self.pictures)}

    # ---- the settings: asked of the sidebar, or of a link --------------------------------------------

    def schema(self, query: Mapping[str, str]) -> dict[str, Parameter]:
        """Return all settings that a link with these ids may have, by key."""
        reader = LinkReader(query)
        self._settings(reader)
        return reader.known

    def _settings(self, ask: Settings | LinkReader) -> tuple[Setup, View, list[str]]:
        """Name every setting once; `ask` is the page's `Settings`, which draws it, or a `LinkReader`."""
        ask.get(demos.PARAMETER, noted=False)
        ask.get(self._speed)
        ask.section("Race")
        titles = {id: cls.title for id, cls in learner_classes().items()} | {NONE: "— none —"}
        learners = [c for c in (self._learner(ask, slot, titles) for slot in range(1, SLOTS + 1)) if c is not None]
        ask.section("World")
        ids = self._ids(self.datasets, datasets_of(self.of))
        names = {id: cls.title for id, cls in datasets.classes().items()}
        what = choice_of("dataset", ids[0], ids, "What the learners are run on.")
        kind = datasets.classes()[ask.widget(what, label="Data set", titles=names.__getitem__)]
        ask.caption(kind.summary)
        dataset = self._dataset(ask, kind)
        user = None
        people = self._ids(self.users, users_of(self.of))
        if people:
            names = {id: cls.title for id, cls in user_classes().items()}
            who = choice_of("user", people[0], people, "Who answers the rankings.")
            person = user_classes()[ask.widget(who, label="Simulated user", titles=names.__getitem__)]
            ask.caption(person.summary)
            user = ask.declared(person)
        comparison = None
        if self.comparison:
            ask.section("Comparison")
            comparison = tuple((p.name, ask.widget(p)) for p in self.comparison)
        ask.section("Run")
        replicates = ask.widget(self.replicates)
        steps = ask.widget(self.steps, label=f"{self.unit.capitalize()}s T")
        seed = ask.widget(SEED)
        ask.section("Charts")
        charts = ask.several("charts", self._shown, {id: chart.title for id, chart in self.charts.items()}, "Charts")
        which = "presented"
        if self.which is not None:
            which = ("presented", "predicted", "both")[self.which.choices.index(ask.widget(self.which))]
        view = View(
            which,
            ask.widget(BAND, label="Uncertainty band", titles=str),
            ask.widget(self._window, label="Moving average, steps") if self._smooth else 1,
            ask.widget(self._log("x", self.unit), label=f"Logarithmic {self.unit}s"),
            ask.widget(self._log("y", self.regret), label=f"Logarithmic {self.regret}"),
            self.bounded and ask.widget(self._bounds, label="Theorem's bound"),
            self.unit,
        )
        return Setup(tuple(learners), dataset, user, replicates, steps, seed, comparison), view, charts

    def _ids(self, own: tuple[str, ...] | None, all: tuple[str, ...]) -> list[str]:
        ids = all if own is None else own
        return [*(id for id in self.first if id in ids), *(id for id in ids if id not in self.first)]

    def _learner(self, ask: Settings | LinkReader, slot: int, titles: Mapping[str, str]) -> Choice | None:
        ids = list(learners_of(self.of)) if slot == 1 else [NONE, *learners_of(self.of)]
        default = self.race[slot - 1] if slot <= len(self.race) else NONE
        place = choice_of(f"learner-{slot}", default, ids, f"The learner drawn in the colour of place {slot}.")
        id = ask.widget(place, label=f"{DOTS[slot - 1]} Learner {slot}", titles=titles.__getitem__)
        if id == NONE:
            return None
        cls = learner_classes()[id]
        if not cls.parameters():
            return Choice(id)
        with ask.expander(f"Settings of learner {slot}"):
            return ask.declared(cls, f"-{slot}")

    def _dataset(self, ask: Settings | LinkReader, kind: type[Dataset]) -> Choice:
        if not files.is_file(kind):
            return ask.declared(kind, family=self.family, defaults=self.defaults.get(kind.id, {}))
        if isinstance(ask, Settings):
            return files.choose(ask, kind, family=self.family)
        found = ask.declared(kind, family=self.family)
        ask.known["path"] = files.parameter()
        return found

    @property
    def _shown(self) -> list[str]:
        """Ids of the charts at the start."""
        return [(m.chart or m.id) if isinstance(m, Metric) else m for m in self.shown]

    @property
    def _speed(self) -> Parameter:
        return choice_of("speed", self.speed, [_speed_id(s) for s in SPEEDS])

    @property
    def _smooth(self) -> bool:
        """Whether a chart shows values of single steps."""
        return any(chart.metric is not None and chart.metric.per_step for chart in self.charts.values())

    @property
    def _window(self) -> Parameter:
        return Parameter(
            "window", "integer", 25 if self.steps.default <= 1000 else 250, 1, 5000,
            help="Values that belong to one step are averaged over this many steps; 1 shows each step as it is.",
        )  # fmt: skip

    def _log(self, axis: str, what: str) -> Parameter:
        shows = "shows early learning" if axis == "x" else "a straight line is a power law"
        return Parameter(f"{axis}_log", "flag", False, help=f"Logarithmic {what} axis: {shows}.")

    @property
    def _bounds(self) -> Parameter:
        return Parameter(
            "bounds", "flag", True,
            help=f"Draw the theorem's bound on the {self.regret} as a dotted line, with what was measured put into it.",
        )  # fmt: skip

    # ---- the page ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Draw the page."""
        settings = Settings(self.id, self.schema)
        race: Race = st.session_state.setdefault(f"race:{self.id}", Race())
        with st.sidebar:
            setup, view, charts = self._settings(settings)
        speed = settings.get(self._speed)
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
        export.section(race, [c for id, c in self.charts.items() if id in charts], view, urlencode(settings.link))

    # ---- the part that moves ----------------------------------------------------------------------

    def _live(self, race: Race, settings: Settings, view: View, charts: list[str], speed: str) -> None:
        assert race.setup is not None
        was_active = race.active
        if was_active:
            self._tick(race, _steps_a_second(speed))
        self._controls(race, settings, speed)
        now = look()
        specs = [self.charts[id].of(race.simulations[0].dataset) for id in charts]
        drawn = [chart.metric for chart in specs if chart.metric is not None]
        bounds = [bounds_of(race, n, drawn) for n in (0, 1)] if view.bounds and any(m.bounds for m in drawn) else []
        names = legend(
            race.setup.labels(), now, [name for name in bounds if name],
            thin=self.thin if view.which == "both" and any(m.companion for m in drawn) else "",
        )  # fmt: skip
        figures = [
            Chart(c.id, c.title, c.help, figure(c, race, view, now), revision(race, view), c.wide) for c in specs
        ]
        live_charts.show(figures, names, f"{self.id}:grid", now.text)
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
            settings.set(self._speed, ids[at + by])
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
                    f"Pause, slow down, or press Step, to read what happened in a {unit}, line by line of the "
                    f"algorithm."
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
