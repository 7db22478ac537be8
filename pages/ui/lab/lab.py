"""The live runner on which the lab of every family is built.

A lab names its family, its charts and its inspector. This module adds the rest: settings in the sidebar and in the
link, play, pause, step, reset, speed, live charts, and export.
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
from pages.ui.lab import export, numbers, pinned, pins
from pages.ui.lab.charts import ChartSpec, View, bounds_of, curves, figure, revision
from pages.ui.lab.compiling import explained
from pages.ui.lab.race import Race
from pages.ui.lab.setup import REPLICATES, SEED, STEPS, Setup
from pages.ui.log.log import name_settings
from pages.ui.play.moment import Moment
from pages.ui.settings import LinkReader, Settings, choice_of, plain

SLOTS = 4
NONE = "none"
SPEEDS = (1, 2, 5, 10, 25, 50, 100, 250, 1000, None)  # steps per second; None is as fast as possible
BAND = choice_of(
    "band", "standard error", ["standard error", "10–90 %", "none", "single runs"],
    "The spread drawn around the mean over the replicates. “Single runs” draws the first eight replicates instead.",
)  # fmt: skip
TICK = 0.125  # seconds between redraws
SLICE, LONG = 0.03, 0.07  # seconds of simulation between redraws; LONG for runs of more than 10,000 steps


@dataclass(frozen=True)
class Lab:
    """The declaration of one lab, and the page that follows from it.

    Parameters
    ----------
    id, title : its name in keys, and its heading. lead : what to look for, in a sentence or two.
    family : id of the family of its learners. race : ids of the learners raced at first.
    shown : charts shown at first, by their metrics or the ids of pictures.
    inspector : function that draws the latest step of a simulation for one replicate.
    glance : function that draws, below the charts, what is worth watching while the race runs.
    ask : function that draws, above the charts, a question to the person.
    pictures : charts other than curves. metrics : metrics that get charts; None for all of the family's.
    which : choice between what is shown, what is predicted, and both, in this order.
    regret : the quantity on a logarithmic y axis. bounded : whether bounds of some learners are drawn.
    datasets, users : ids on offer; None for all of the family's. first : ids that head these lists.
    steps, replicates, speed : the settings of a run with their defaults.
    defaults : for each data set id, defaults of parameters that suit the lab better than the declared ones.
    thin : what the thin lines show. comparison : settings of a comparison by interleaving.
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
    thin: str = "the predicted ranking or label"
    comparison: tuple[Parameter, ...] = ()

    @cached_property
    def declaration(self) -> Family:
        """The family of its learners."""
        return families()[self.family]

    @property
    def unit(self) -> str:
        """The name of a step."""
        return self.declaration.unit

    @cached_property
    def charts(self) -> dict[str, ChartSpec]:
        """All charts that the lab can draw, by id."""
        drawn = self.declaration.metrics if self.metrics is None else self.metrics
        return {chart.id: chart for chart in (*curves(drawn), *self.pictures)}

    # ---- the settings, read from the sidebar or from a link ------------------------------------------

    def schema(self, query: Mapping[str, str]) -> dict[str, Parameter]:
        """Return all settings that a link with these ids may contain, by key."""
        reader = LinkReader(query)
        self._settings(reader)
        return reader.known

    def _settings(self, settings: Settings | LinkReader) -> tuple[Setup, View, list[str]]:
        """Ask for every setting, either of `Settings`, which draws widgets, or of a `LinkReader`, which does not."""
        settings.get(demos.PARAMETER, noted=False)
        settings.get(self._speed)
        settings.get(pins.VS)
        return self._setup(settings), *self._view(settings)

    def _setup(self, settings: Settings | LinkReader) -> Setup:
        """Ask for the settings that determine the numbers. Pins and the run log know a run by these."""
        settings.section("Race")
        titles = {id: cls.title for id, cls in learner_classes().items()} | {NONE: "— none —"}
        learners = [c for c in (self._learner(settings, slot, titles) for slot in range(1, SLOTS + 1)) if c is not None]
        settings.section("World")
        ids = self._ids(self.datasets, datasets_of(self.declaration))
        names = {id: cls.title for id, cls in datasets.classes().items()}
        offered = choice_of("dataset", ids[0], ids, "The data on which the learners run.")
        kind = datasets.classes()[settings.widget(offered, label="Data set", titles=names.__getitem__)]
        settings.caption(kind.summary)
        dataset = self._dataset(settings, kind)
        user = None
        people = self._ids(self.users, users_of(self.declaration))
        if people:
            names = {id: cls.title for id, cls in user_classes().items()}
            offered = choice_of("user", people[0], people, "Who gives the feedback.")
            user_class = user_classes()[settings.widget(offered, label="Simulated user", titles=names.__getitem__)]
            settings.caption(user_class.summary)
            user = settings.declared(user_class)
        comparison = None
        if self.comparison:
            settings.section("Comparison")
            comparison = tuple((p.name, settings.widget(p)) for p in self.comparison)
        settings.section("Run")
        replicates = settings.widget(self.replicates)
        steps = settings.widget(self.steps, label=f"{self.unit.capitalize()}s T")
        seed = settings.widget(SEED)
        return Setup(tuple(learners), dataset, user, replicates, steps, seed, comparison)

    def _view(self, settings: Settings | LinkReader) -> tuple[View, list[str]]:
        """Ask for the settings that change what is drawn, and return them with the ids of the charts."""
        settings.section("Charts")
        charts = settings.several(
            "charts", self._shown, {id: chart.title for id, chart in self.charts.items()}, "Charts"
        )
        which = "presented"
        if self.which is not None:
            which = ("presented", "predicted", "both")[self.which.choices.index(settings.widget(self.which))]
        view = View(
            which,
            settings.widget(BAND, label="Uncertainty band", titles=str),
            settings.widget(self._window, label="Moving average, steps") if self._smooth else 1,
            settings.widget(self._log("x", self.unit), label=f"Logarithmic {self.unit}s"),
            settings.widget(self._log("y", self.regret), label=f"Logarithmic {self.regret}"),
            self.bounded and settings.widget(self._bounds, label="Theorem's bound"),
            self.unit,
        )
        return view, charts

    def _ids(self, own: tuple[str, ...] | None, all: tuple[str, ...]) -> list[str]:
        ids = all if own is None else own
        return [*(id for id in self.first if id in ids), *(id for id in ids if id not in self.first)]

    def _learner(self, settings: Settings | LinkReader, slot: int, titles: Mapping[str, str]) -> Choice | None:
        ids = list(learners_of(self.declaration))
        ids = ids if slot == 1 else [NONE, *ids]
        default = self.race[slot - 1] if slot <= len(self.race) else NONE
        place = choice_of(f"learner-{slot}", default, ids, f"The learner drawn in colour {slot}.")
        id = settings.widget(place, label=f"{DOTS[slot - 1]} Learner {slot}", titles=titles.__getitem__)
        if id == NONE:
            return None
        cls = learner_classes()[id]
        if not cls.parameters():
            return Choice(id)
        with settings.expander(f"Settings of learner {slot}"):
            return settings.declared(cls, f"-{slot}", of=f"learner {slot}")

    def _dataset(self, settings: Settings | LinkReader, kind: type[Dataset]) -> Choice:
        if not files.is_file(kind):
            return settings.declared(kind, family=self.family, defaults=self.defaults.get(kind.id, {}))
        if isinstance(settings, Settings):
            return files.choose(settings, kind, family=self.family)
        found = settings.declared(kind, family=self.family)
        settings.known["path"] = files.parameter()
        return found

    @property
    def _shown(self) -> list[str]:
        """Ids of the charts shown at first."""
        return [(m.chart or m.id) if isinstance(m, Metric) else m for m in self.shown]

    @property
    def _speed(self) -> Parameter:
        return choice_of("speed", self.speed, [_speed_id(s) for s in SPEEDS])

    @property
    def _smooth(self) -> bool:
        """Whether any chart shows values of single steps."""
        return any(chart.metric is not None and chart.metric.per_step for chart in self.charts.values())

    @property
    def _window(self) -> Parameter:
        default = 25 if self.steps.default <= 1000 else 250
        words = "Values of single steps are averaged over this many steps. 1 shows each step as it is."
        return Parameter("window", "integer", default, 1, 5000, help=words)

    def _log(self, axis: str, what: str) -> Parameter:
        use = "It spreads out early learning" if axis == "x" else "A power law is a straight line if both axes have one"
        return Parameter(f"{axis}_log", "flag", False, help=f"Logarithmic scale for the {what} axis. {use}.")

    @property
    def _bounds(self) -> Parameter:
        words = f"Draw the theorem's bound on the {self.regret} as a dotted line, computed from quantities of this run."
        return Parameter("bounds", "flag", True, help=words)

    # ---- the page ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Draw the page."""
        settings = Settings(self.id, self.schema)
        race: Race = st.session_state.setdefault(f"race:{self.id}", Race())
        with st.sidebar:
            setup, view, charts = self._settings(settings)
        speed = settings.get(self._speed)
        kept = pinned.chosen(settings, self._setup)
        settings.write()
        name_settings(pins.titles_of(settings.link, self._setup))
        title(self.title, self.lead)
        settings.show_problems()
        if settings.by_link:
            race.reset()  # a link begins at step 0; after a change by hand the race catches up
        demos.show(settings)
        try:
            setup.check()
            with explained(st.empty()), st.spinner("Preparing the data …"):
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
            st.error("This setup needs more memory than the server has. Lower the queries, documents or features.")
            return
        if self.ask is not None:
            self.ask(race)
        pinned.show(settings, self._setup, kept, f"pages/{self.id.replace('-', '_')}.py")
        st.session_state[f"ticking:{self.id}"] = race.active
        st.fragment(self._live, run_every=TICK if race.active else None)(race, settings, view, charts, speed)
        export.section(race, [c for id, c in self.charts.items() if id in charts], view, urlencode(settings.link))

    # ---- the live part ---------------------------------------------------------------------------

    def _live(self, race: Race, settings: Settings, view: View, charts: list[str], speed: str) -> None:
        assert race.setup is not None
        was_active = race.active
        place = st.empty()
        if was_active:
            with explained(place):
                self._tick(race, _steps_a_second(speed))
        self._controls(race, settings, speed)
        style = look()
        specs = [self.charts[id].titled_for(race.simulations[0].dataset) for id in charts]
        drawn = [chart.metric for chart in specs if chart.metric is not None]
        bounds = [bounds_of(race, n, drawn) for n in (0, 1)] if view.bounds and any(m.bounds for m in drawn) else []
        names = legend(
            race.setup.labels(),
            style,
            [name for name in bounds if name],
            thin=self.thin if view.which == "both" and any(m.companion for m in drawn) else "",
        )
        axes = revision(race, view)
        figures = [Chart(c.id, c.title, c.help, figure(c, race, view, style), axes, c.wide) for c in specs]
        live_charts.show(figures, names, f"{self.id}:grid", style.text)
        moment = Moment(race.setup, race.t, race.simulations, race.costs)
        numbers.show(moment, specs, 0 if race.active else race.t, [], self.unit, f"{self.id}-numbers")
        self._inspect(race, style, slow=speed in ("1", "2"))
        tidy()
        if race.active != st.session_state.get(f"ticking:{self.id}"):
            st.rerun()  # registers the fragment again, with or without its interval

    def _tick(self, race: Race, speed: float | None) -> None:
        now = time.monotonic()
        clock = f"clock:{self.id}"
        elapsed = min(1.0, now - st.session_state.get(clock, now))
        st.session_state[clock] = now
        assert race.setup is not None
        race.tick(SLICE if race.setup.steps <= 10_000 else LONG, speed, elapsed)

    def _controls(self, race: Race, settings: Settings, speed: str) -> None:
        """Draw the buttons. They act in callbacks, before anything is drawn, so that a press costs one run only."""
        assert race.setup is not None
        at_end = race.t >= race.setup.steps
        ids = [_speed_id(s) for s in SPEEDS]
        position = ids.index(speed)

        def play() -> None:
            race.playing = True
            st.session_state[f"clock:{self.id}"] = time.monotonic()

        def step() -> None:  # taken by the next tick, which can say what it waits for
            race.pause()
            race.goal = race.t + 1

        def faster(by: int) -> None:
            settings.set(self._speed, ids[position + by])
            st.session_state[f"ticking:{self.id}"] = None  # rerun the page, which writes the address

        with st.container(horizontal=True, vertical_alignment="center", key=f"{self.id}-controls"):
            if race.playing:
                stop = race.pause
                st.button(
                    "Pause", icon=":material/pause:", shortcut="Space", type="primary", key="pause", on_click=stop
                )
            else:
                st.button(
                    "Play", icon=":material/play_arrow:", shortcut="Space", type="primary", key="play", on_click=play,
                    disabled=at_end,
                )  # fmt: skip
            st.button("Step", icon=":material/skip_next:", shortcut="S", key="step", on_click=step, disabled=at_end)
            st.button("Reset", icon=":material/replay:", shortcut="0", key="reset", on_click=race.reset)
            for name, icon, key, by, last in (
                ("Slower", "remove", "D", -1, 0),
                ("Faster", "add", "F", 1, len(ids) - 1),
            ):
                st.button(
                    name, icon=f":material/{icon}:", shortcut=key, key=name.lower(), on_click=faster, args=(by,),
                    disabled=position == last,
                )  # fmt: skip
            words = "as fast as possible" if speed == "max" else f"{speed} {self.unit}{'s' * (speed != '1')} a second"
            if race.simulations[0].history.thinned:
                words += f" · recorded on a logarithmic grid beyond step {race.simulations[0].history.recorded:,}"
            st.markdown(f"t = **{race.t:,}** / {race.setup.steps:,} · {words}", width="content")

    def _inspect(self, race: Race, style: Look, slow: bool) -> None:
        assert race.setup is not None
        if self.glance is not None:
            self.glance(race)
        unit, heading = self.unit, f"{self.unit.capitalize()} inspector: what happened in the latest {self.unit}"
        with st.expander(heading, expanded=True, key=f"{self.id}-inspect"):
            if race.active and not slow:
                st.caption(f"Pause, slow down or press Step to follow a {unit} through the lines of the algorithm.")
                return
            if race.t == 0:
                st.caption(f"Press Step to follow a {unit} through the lines of the algorithm.")
                return
            labels = race.setup.labels()
            with st.container(horizontal=True):
                which = st.selectbox(
                    "Learner", range(len(labels)), format_func=labels.__getitem__, key=f"{self.id}:who"
                )
                place = 1
                if race.setup.replicates > 1:
                    key, words = f"{self.id}:replicate", "Which of the runs side by side to inspect."
                    place = st.number_input("Replicate", 1, race.setup.replicates, key=key, help=words)
            simulation = race.simulations[min(which, len(labels) - 1)]
            self.inspector(simulation, place - 1, style)
            paper = simulation.learner.paper
            if paper in PAPERS:
                st.caption(f"The algorithm: [{paper}] {PAPERS[paper]} {simulation.learner.section}")


def load_data(choice: Choice) -> Any:
    """Return the data of a choice. All sessions share them; a file is read again when it has changed."""
    return _load(choice, files.version(choice.dict.get("path", "")))


@st.cache_resource(max_entries=4, show_spinner=False)
def _load(choice: Choice, version: tuple[int, int] | None) -> Any:
    return datasets.load(choice.id, **files.resolve(choice.dict))


def _speed_id(speed: float | None) -> str:
    return "max" if speed is None else str(speed)


def _steps_a_second(id: str) -> float | None:
    return None if id == "max" else float(id)
