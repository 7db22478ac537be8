"""The lab of every family.

A lab names its family, its charts and its inspector. This module adds the settings, behind chips and in the link, and
has the run computed that they describe; the stage plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import datasets
from datasets.parameters import Parameter
from datasets.spec import Spec
from learners.catalogue import datasets_of, families, learner_classes, learners_of, user_classes, users_of
from learners.family import Family
from learners.metric import Metric
from learners.spec import RunSpec
from pages.ui.draw.theme import look, title
from pages.ui.files.sharing import load_data
from pages.ui.form.form import Asked, Form
from pages.ui.form.links import PRESENT, choice_of
from pages.ui.form.settings import Settings
from pages.ui.gallery import demo_text, demos
from pages.ui.gallery.demos import Demo
from pages.ui.glossary import says
from pages.ui.kept import finals, shelf
from pages.ui.kept.run import MOST_BEHIND, VS, KeptRun, write
from pages.ui.lab import export, tries
from pages.ui.lab.be_the_user import AnswerPlace
from pages.ui.lab.compiling import explained
from pages.ui.lab.recorded import Opened, memory_refused
from pages.ui.lab.stage import BUSY, Stage
from pages.ui.lab.tries import Try
from pages.ui.plain import NOTHING, Markdown, plain
from pages.ui.play.payload import SPEEDS
from pages.ui.race.answers import ANSWERS
from pages.ui.race.charts import ChartSpec, ChartView, curves
from pages.ui.race.face import Face
from pages.ui.race.knob import Knob, knobs_of
from pages.ui.race.moment import Moment
from pages.ui.race.world import NONE, REPLICATES, SEED, STEPS, ask_answers, ask_data, ask_learner, ask_user, written
from pages.ui.share import dialog, presentation
from pages.ui.sweep import difference

SLOTS = 4
PATIENCE = 4.0  # seconds that a run may take to its end before it is kept with the values that it has
MODE, OWN = "mode", "race"  # the key of the mode in a link, and the mode that is the lab itself
ADD = ":material/add: Add a learner"
T = Parameter("t", "integer", 0, 0, 10**7, help="The step at which the playhead stands.")
HELP = (
    "A learner has the same colour on every page. Where two in a race share a colour, one of them takes another, which "
    "the legend shows."
)
SCENE = Parameter("scene", "flag", True, help="Show above the charts what happens in the step under the playhead.")
BAND = choice_of(
    "band", "standard error", ["standard error", "10–90 %", "none", "single runs"],
    f"{says('band')} “Single runs” draws the first eight replicates instead.",
)  # fmt: skip


class Mode(Protocol):
    """A view on the page of a lab: the lab itself, or something else that shares page and settings with it."""

    def fill(self, form: Form) -> Any:
        """Ask for every setting, and return what they describe."""

    def show(self, page: Lab, settings: Settings, filled: Any, head: DeltaGenerator) -> None:
        """Draw what was asked for on the page of a lab. head : where the title stands."""


@dataclass(frozen=True)
class Filled:
    """The filled form of a lab: the run, how it is drawn, the ids of its charts, and the settings of its numbers.

    lab : the mode of the lab that shows the run.
    """

    lab: Lab
    run: RunSpec
    view: ChartView
    charts: list[str]
    numbers: Asked
    demo: Demo | None = None


@dataclass(frozen=True)
class Lab:
    """The declaration of one lab, and the page that follows from it.

    Parameters
    ----------
    id, title : its name in keys, and its heading. lead : what to look for, in a sentence or two.
    family : id of the family of its learners. race : ids of the learners raced at first.
    face : the charts shown at first, the pictures among them, the scene above them, and what tells of a step.
    question : function that draws, above the charts, a question to the person.
    metrics : metrics that get charts; None for all of the family's.
    which : choice between what is shown, what is predicted, and both, in this order.
    regret : the quantity on a logarithmic y axis. bounded : whether bounds of some learners are drawn. theory : whether
    they are drawn when no link opens the lab; a link draws them unless it says `bounds=false`.
    datasets, users : ids on offer; None for all of the family's. first : ids that head these lists.
    steps, replicates, speed : the settings of a run with their defaults.
    defaults : for each data set id, defaults of parameters that suit the lab better than the declared ones.
    thin : what the thin lines show. comparison : settings of a comparison by interleaving, with labels.
    words : titles of the values among which these choose, and of the modes.
    tries : what to try next, below the lab.
    knobs : settings with a slider above the charts.
    modes : what else its page can show, by the value of `mode` in the link.
    """

    id: str
    title: str
    lead: Markdown
    family: str
    race: tuple[str, ...]
    face: Face
    question: Callable[[Moment], None] | None = None
    metrics: tuple[Metric, ...] | None = None
    which: Parameter | None = None
    regret: str = "regret"
    bounded: bool = True
    theory: bool = False
    datasets: tuple[str, ...] | None = None
    users: tuple[str, ...] | None = None
    first: tuple[str, ...] = ()
    steps: Parameter = STEPS
    replicates: Parameter = REPLICATES
    speed: str = "100"
    defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    thin: str = "what the learner predicts"
    comparison: tuple[tuple[str, Parameter], ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    tries: tuple[Try, ...] = ()
    knobs: tuple[Knob, ...] = ()
    modes: Mapping[str, Mode] = field(default_factory=dict)

    @cached_property
    def declaration(self) -> Family:
        """The family of its learners."""
        return families()[self.family]

    @property
    def page(self) -> str:
        """The file of the page."""
        return f"pages/{self.id.replace('-', '_')}.py"

    @property
    def unit(self) -> str:
        """The name of a step."""
        return self.declaration.unit

    @cached_property
    def charts(self) -> dict[str, ChartSpec]:
        """All charts that the lab can draw, by id."""
        drawn = self.declaration.metrics if self.metrics is None else self.metrics
        return {chart.id: chart for chart in (*curves(drawn), *self.face.pictures)}

    # ---- the settings, behind chips or in a link -----------------------------------------------------

    def ask(self, form: Form) -> Any:
        """Ask for every setting of the mode that is chosen."""
        return self.mode(form).fill(form)

    def ask_run(self, form: Form) -> RunSpec:
        """Ask for the settings that determine the numbers. A kept run is known by these."""
        return self._lab(self.mode(form)).ask_own_run(form)

    def mode(self, form: Form) -> Mode:
        """Ask which mode is chosen, and return it."""
        if not self.modes:
            return self
        form.section("")
        words = "What this page shows. Settings that several of these have stay as they are."
        chosen = choice_of(MODE, OWN, [OWN, *self.modes], words)
        return self.modes.get(form.widget(chosen, label="Mode", titles=self.words.__getitem__, row=True), self)

    def showing(self, run: RunSpec) -> tuple[str, Lab]:
        """Return the id of the mode that shows a run, and its lab."""
        labs = ((id, mode) for id, mode in self.modes.items() if isinstance(mode, Lab))
        return next(((id, lab) for id, lab in labs if lab.made_for(run)), (OWN, self))

    def made_for(self, run: RunSpec) -> bool:
        """Return whether this mode, rather than the lab itself, shows a run: a comparison, or learners from a log."""
        if self.comparison or run.comparison is not None:
            return bool(self.comparison) and run.comparison is not None
        fits = run.dataset.id in (self.datasets or ()) and run.user is not None and run.user.id in (self.users or ())
        return fits and any(learner_classes()[learner.id].from_log for learner in run.learners)

    def _lab(self, mode: Mode) -> Lab:
        """Return the lab of a mode, and this one for a mode that has no runs."""
        return mode if isinstance(mode, Lab) else self

    def fill(self, form: Form) -> Filled:
        """Ask for what determines the numbers, how they are drawn, and the ids of the charts."""
        demo = demos.ask(form, self.page)
        form.get(self._speed, noted=False)
        form.get(T, noted=False)
        if self.face.scene:
            form.get(SCENE, noted=False)
        form.get(VS)
        others = set(form.asked)
        run = self.ask_own_run(form)
        numbers = {key: asked for key, asked in form.asked.items() if key not in others or key == MODE}
        return Filled(self, run, *self._view(form, run.replicates), numbers, demo)

    def ask_own_run(self, form: Form) -> RunSpec:
        """Ask in this mode for the settings that determine the numbers."""
        ids = self._ids(self.datasets, datasets_of(self.declaration))
        offered = choice_of("dataset", ids[0], ids, "The data on which the learners run.")
        learners = self._learners(form, offered)
        people = self._ids(self.users, users_of(self.declaration))
        form.section("Data and user" if people else "Data", "world")
        dataset = ask_data(form, offered, learners_of(self.declaration), self.family, defaults=self.defaults)
        user = None
        if people:
            user = ask_user(form, choice_of("user", people[0], people, "Who gives the feedback."))
        comparison = None
        if self.comparison:
            form.section("Comparison")
            comparison = self._compared(form)
        form.section("Run")
        replicates = form.widget(self.replicates)
        steps = form.widget(self.steps, label=f"{self.unit.capitalize()}s T")
        seed = form.widget(SEED)
        answers = ask_answers(form, self.declaration)
        return RunSpec(learners, dataset, user, replicates, steps, seed, comparison, answers)

    def query(self, run: RunSpec) -> dict[str, str]:
        """Return the link that opens a run here, which `ask_run` reads. Parameters left out have their defaults."""
        mode, lab = self.showing(run)
        if mode != OWN:
            return {MODE: mode} | lab.query(run)
        found = {f"learner-{slot}": NONE for slot in range(1, SLOTS + 1)}
        for slot, learner in enumerate(run.learners, 1):
            found |= {f"learner-{slot}": learner.id} | written(learner_classes()[learner.id], learner, f"-{slot}")
        data = datasets.classes()[run.dataset.id]
        other = {name: data.parameter(name).default for name in self.defaults.get(data.id, {})}
        found |= {"dataset": data.id} | written(data, Spec(data.id, tuple(other.items())).given(run.dataset.values))
        if run.user:
            found |= {"user": run.user.id} | written(user_classes()[run.user.id], run.user)
        declared = {p.name: p for _, p in self.comparison}
        found |= {name: declared[name].format(value) for name, value in run.comparison or ()}
        found |= {"steps": str(run.steps), "replicates": str(run.replicates), "seed": str(run.seed)}
        return found | ({ANSWERS.name: ANSWERS.format(run.answers)} if run.answers else {})

    def _learners(self, form: Form, dataset: Parameter) -> tuple[Spec, ...]:
        """Ask for each learner behind a chip with its name, a short one where many share the row."""
        ids, race = learners_of(self.declaration), (*self.race, *[NONE] * SLOTS)
        places = [
            choice_of(f"learner-{slot}", race[slot - 1], [*([NONE] if slot > 1 else []), *ids], HELP)
            for slot in range(1, SLOTS + 1)
        ]
        kinds = [learner_classes().get(form.now(place) or place.default) for place in places]
        many = sum(kind is not None for kind in kinds) > 2
        names = [kind and ((many and kind.short) or kind.title) for kind in kinds]
        learners = []
        for slot, (place, name) in enumerate(zip(places, names, strict=True), 1):
            again = f" ({names[:slot].count(name)})" if names.count(name) > 1 else ""  # each has a chip of its own
            form.section(plain(name + again) if name else ADD, "race")
            learners.append(ask_learner(form, place, dataset, f"Learner {slot}", f"-{slot}", f"learner {slot}"))
        return tuple(learner for learner in learners if learner is not None)

    def _compared(self, form: Form) -> tuple[tuple[str, Any], ...]:
        """Ask for the settings of the comparison. One without effect has no widget and keeps its value."""
        values: dict[str, Any] = {}
        for label, p in self.comparison:
            used = p.when is None or values[p.when[0]] == p.when[1]
            titles = {id: self.words.get(id, id) for id in p.choices}.__getitem__
            values[p.name] = form.widget(p, label=plain(label), titles=titles) if used else form.get(p)
        return tuple(values.items())

    def _view(self, form: Form, replicates: int) -> tuple[ChartView, list[str]]:
        """Ask for the settings that change what is drawn, and return them with the ids of the charts."""
        window = self._window(replicates)
        form.section("Charts")
        form.belongs("charts", ",".join(self._shown))
        charts = form.several("charts", self._shown, {id: chart.title for id, chart in self.charts.items()}, "Charts")
        which = "presented"
        if self.which is not None:
            which = ("presented", "predicted", "both")[self.which.choices.index(form.widget(self.which))]
        form.belongs("window", f"{'one' if replicates == 1 else 'several'} of {self.steps.default}")
        view = ChartView(
            which,
            form.widget(BAND, label="Uncertainty band", titles=str),
            form.widget(window, label=f"Moving average, {self.unit}s") if self._smooth else 1,
            form.widget(self._log("x", self.unit), label=f"Logarithmic {self.unit}s"),
            form.widget(self._log("y", self.regret), label=f"Logarithmic {self.regret}"),
            self.bounded and form.widget(self._bounds, label="Bounds from theory"),
            self.unit,
            form.widget(PRESENT, label="For a projector"),
        )
        return view, charts

    def _ids(self, own: tuple[str, ...] | None, all: tuple[str, ...]) -> list[str]:
        ids = all if own is None else own
        return [*(id for id in self.first if id in ids), *(id for id in ids if id not in self.first)]

    def drawn(self, ids: Sequence[str], setup: RunSpec, data: Any) -> list[ChartSpec]:
        """Return the charts with these ids; those that nobody chose are left out where there is nothing to see."""
        adapts = list(ids) != self._shown or any(learner.adapts for learner in setup.made())
        found = []
        for chart in (self.charts[id] for id in ids if id in self.charts):
            if chart.id not in self._shown or chart.tells(data, adapts):
                found.append(chart.titled_for(data))
        return found

    @property
    def _shown(self) -> list[str]:
        """Ids of the charts shown at first."""
        return [(m.chart or m.id) if isinstance(m, Metric) else m for m in self.face.shown]

    @property
    def _speed(self) -> Parameter:
        return choice_of("speed", self.speed, list(SPEEDS))

    @property
    def _smooth(self) -> bool:
        """Whether any chart shows values of single steps."""
        return any(chart.metric is not None and chart.metric.per_step for chart in self.charts.values())

    def _window(self, replicates: int) -> Parameter:
        default = 1 if replicates == 1 else 25 if self.steps.default <= 1000 else 250
        words = (
            "Values of single steps are averaged over this many steps. 1 shows each step as it is, as at first where "
        )
        words += "there is one replicate."
        return Parameter("window", "integer", default, 1, 5000, help=words)

    def _log(self, axis: str, what: str) -> Parameter:
        use = "It spreads out early learning" if axis == "x" else "A power law is a straight line if both axes have one"
        return Parameter(f"{axis}_log", "flag", False, help=f"Logarithmic scale for the {what} axis. {use}.")

    @property
    def _bounds(self) -> Parameter:
        words = f"{says('bound')} That on the {self.regret} is drawn as a dotted line, computed from this run."
        return Parameter("bounds", "flag", True, help=words)

    @property
    def opening(self) -> dict[str, bool]:
        """The settings with which the lab begins where no link opens it, other than their defaults in links."""
        return {"bounds": False} if self.bounded and not self.theory else {}

    # ---- the page ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Draw the page."""
        settings = Settings(self.id, played=(T.name, "speed", SCENE.name), opening=self.opening)
        head, bar = st.container(gap="xxsmall"), st.container(horizontal=True, gap="xsmall", key="settings-bar")
        with settings.bar(bar):
            mode = self.mode(settings)
            filled = mode.fill(settings)
        mode.show(self, settings, filled, head)

    def show(self, page: Lab, settings: Settings, filled: Filled, head: DeltaGenerator) -> None:
        """Draw a run on the page of a lab, of which this is a mode. head : where the title stands."""
        setup = filled.run
        behind = shelf.behind(settings, page.ask_run)
        settings.write()
        race = [settings.values[f"learner-{slot}"] for slot in range(1, SLOTS + 1)]
        beside = page.introduce(settings, head, self.lead, ["" if id == NONE else id for id in race], filled.demo)
        if (stage := self.prepare(filled)) is None:
            return
        if self.question is not None and not settings.hides("question"):
            self.question(stage.open().moment())
        self._keep(page, settings, filled, behind, stage, beside)
        offered = tuple(self._ids(self.datasets, datasets_of(self.declaration)))
        if AnswerPlace(self.id, self.page, self.declaration.answerable, settings, offered).show(setup, beside):
            return
        stage.behind, stage.fit = behind, True
        self.let_play(stage, settings)
        self._give_knobs(stage, settings, filled, race)
        stage.show()
        if not settings.hides("tries"):
            same = {key: text for key, text in settings.link.items() if key == MODE}
            same |= {key: str(value).lower() for key, value in self.opening.items()}
            tries.show(self.tries, self.page, self.id, same | settings.sticky_query)
        if not settings.hides("take-away"):
            if len(setup.learners) > 1 and setup.comparison is None:
                difference.section(setup, self.id)
            export.section(stage, urlencode(settings.link))
        dialog.offer(settings, beside, self.title)

    def introduce(
        self, settings: Settings, head: DeltaGenerator, lead: Markdown, race: Sequence[str], demo: Demo | None = None
    ) -> DeltaGenerator:
        """Draw the title, a line on what to look for, and what is wrong with the link. Return where buttons stand.

        race : for each field of a learner the id of the one chosen, or "".
        """
        with head:
            apart = presentation.chrome_hidden(settings.present) or demo is not None
            beside = title(self.title, NOTHING if apart else lead, race, compact=True)
            with presentation.frame(settings, beside, introduced=True):
                if demo is not None:
                    demo_text.show(demo, settings, self.ask)
                elif apart:
                    st.markdown(lead)
        settings.show_problems()
        return beside

    def _keep(
        self, page: Lab, settings: Settings, filled: Filled, behind: Sequence[KeptRun], stage: Stage,
        place: DeltaGenerator,
    ) -> None:  # fmt: skip
        """Draw what keeps the run, and shows kept runs behind it."""
        setup, numbers, name = filled.run, filled.numbers, Path(page.page).stem
        now = KeptRun(tuple((key, text) for key, text in settings.link.items() if key in numbers), setup)

        def add() -> None:
            if now not in behind and len(behind) < MOST_BEHIND:
                settings.set(VS, write([*behind, now]))

        def tick(ticked: list[Any]) -> None:
            texts = [str(each.get("text", "")) for each in ticked if isinstance(each, dict)]
            settings.set(VS, "~~".join(texts[:MOST_BEHIND]))

        with place:
            pressed = shelf.show(name, now, behind, numbers, add, tick)
        if pressed:
            recording = stage.open()
            recording.wait(PATIENCE)
            metrics = [m for spec in (*stage.specs, *self.charts.values()) if (m := spec.metric) is not None]
            metrics = list(dict.fromkeys(metrics))
            made, _ = recording.parts("finals", lambda m: {"t": m.t, "finals": finals.of_run(m, metrics)}, BUSY)
            reached = made["t"] if made["t"] < setup.steps else None
            query = urlencode({key: text for key, text in settings.link.items() if key != VS.name})
            kept = replace(now, finals=made["finals"], reached=reached)
            shelf.keep(kept.entry(name, self.title, numbers, query))
        shelf.keeper()

    def _give_knobs(self, stage: Stage, settings: Settings, filled: Filled, race: Sequence[str]) -> None:
        """Give a stage the knobs of its run, without those that a link hides."""
        slots = tuple(slot for slot, id in enumerate(race, 1) if id != NONE)
        knobs = knobs_of(filled.run, self.knobs, slots, self.family)
        stage.knobs = [knob for knob in knobs if settings.shows(knob.key)]
        stage.locked = frozenset(knob.key for knob in knobs if settings.locks(knob.key))
        stage.near = filled.demo.turn if filled.demo else ""
        stage.turn = lambda knob, value: settings.set(knob.parameter, value, knob.key)

    def let_play(self, stage: Stage, settings: Settings) -> None:
        """Have a stage play as the settings of its page say, without the parts that a link hides."""
        stage.speed, stage.change_speed = settings.get(self._speed, noted=False), partial(settings.set, self._speed)
        stage.t = settings.get(T, noted=False) if settings.by_link else None
        stage.hidden = frozenset(part for part in ("scene", "preview", "table", "inspector") if settings.hides(part))

    def prepare(self, filled: Filled, id: str = "") -> Stage | None:
        """Have a run recorded, and return the stage that plays it.

        id : its name in keys, that of the lab where it is none. Where the run asks for too much, or its data cannot be
        loaded, say so on the page and return None.
        """
        id, setup, now = id or self.id, filled.run, look()
        try:
            with explained(st.empty()), st.spinner("Preparing the data …"), memory_refused():
                opened = Opened(id, setup)
                specs = self.drawn(filled.charts, setup, load_data(setup.dataset))  # its file may be damaged meanwhile
                opened.draw(self.face.drawn(specs, now), now)
            return Stage(id, self.title, self.thin, self.face, opened, filled.view, specs, self.speed)
        except ValueError as error:
            st.error(plain(str(error)), icon=":material/block:")
            if "in the catalogue" in str(error):
                link = {
                    "show": "data",
                    "family": datasets.classes()[setup.dataset.id].family,
                    "dataset": setup.dataset.id,
                }
                st.page_link(
                    "pages/catalogue.py", label="Open the catalogue", icon=":material/menu_book:", query_params=link
                )
        return None
