"""Series: what a card plays that no lab runs. A declared function makes the curves of each from a few settings.

Those of a module of this folder are its `SERIES`. A card names it as its lab (`lab = "lower-bound"`), with the series'
own settings; charts, questions and facts are then those of a run.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple

from datasets.parameters import Parameter
from learners.base import Array
from pages.ui.draw.charts import Look
from pages.ui.families import labs
from pages.ui.form.form import Form, known
from pages.ui.lab.lab import Lab
from pages.ui.plain import plain
from pages.ui.recordings.columns import RecordedColumns
from pages.ui.recordings.document import Document

CHARTS = "charts"  # key of the setting with the ids of the charts
LOG = tuple(
    Parameter(f"{axis}_log", "flag", False, help=f"Whether the {axis} axis is logarithmic.") for axis in ("x", "y")
)
KEPT = 64  # series whose numbers are kept for all who ask


class SeriesLine(NamedTuple):
    """The curves of one name: by the id of the chart, values (T, R). learner : its id, for the colour, or ""."""

    name: str
    curves: Mapping[str, Array]
    learner: str = ""


class SeriesHistory(dict[str, Array]):
    """The curves of a line, which can be read as those of a run."""

    @property
    def steps(self) -> int:
        """The steps that it has."""
        return len(next(iter(self.values())))

    recorded = steps


@dataclass(frozen=True)
class SeriesLineRun:
    """A line that stands for a simulation that has run to its end."""

    history: SeriesHistory

    @property
    def t(self) -> int:
        """The steps that it has taken."""
        return self.history.steps

    @property
    def replicates(self) -> int:
        """The columns of its curves."""
        return int(next(iter(self.history.values())).shape[1])


@dataclass(frozen=True)
class SeriesRun:
    """The settings that determine the numbers of a series, which answers what lessons ask of a `RunSpec`.

    id : of the series. values : of its settings. charts : the ids of those shown. x_log, y_log : of their axes.
    """

    id: str
    values: tuple[tuple[str, Any], ...]
    charts: tuple[str, ...] = ()
    x_log: bool = False
    y_log: bool = False

    @property
    def lines(self) -> tuple[SeriesLine, ...]:
        """Its lines; they are computed once for all who ask."""
        return _lines(self.id, self.values)

    @property
    def learners(self) -> tuple[str, ...]:
        """The names of its lines."""
        return tuple(line.name for line in self.lines)

    @property
    def simulations(self) -> tuple[SeriesLineRun, ...]:
        """Its lines in place of simulations."""
        return tuple(SeriesLineRun(SeriesHistory(line.curves)) for line in self.lines)

    @property
    def steps(self) -> int:
        """The steps of its longest line."""
        return max(ran.t for ran in self.simulations)

    @property
    def replicates(self) -> int:
        """The most columns of a curve."""
        return max(ran.replicates for ran in self.simulations)


@dataclass(frozen=True)
class CardSeries:
    """A declared series.

    id : as cards name it. title, words : heading, and a sentence on how it is made. settings : their labels and
    parameters. charts : titles by id, in their order. make : function from the settings to the lines. page, query :
    where the same can be set up in the app, and what the link says besides the settings. unit : what a step is called.
    names : titles of the values among which a setting chooses. ranges : limits of y axes, by the ids of charts.
    """

    id: str
    title: str
    words: str
    settings: tuple[tuple[str, Parameter], ...]
    charts: Mapping[str, str]
    make: Callable[..., Sequence[SeriesLine]]
    page: str
    query: Mapping[str, str]
    unit: str = "step"
    names: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def ask(self, form: Form) -> SeriesRun:
        """Ask for every setting."""
        titles = {choice: self.names.get(choice, choice) for _, p in self.settings for choice in p.choices}.__getitem__
        values = tuple((p.name, form.widget(p, label=plain(label), titles=titles)) for label, p in self.settings)
        charts = form.several(CHARTS, list(self.charts), self.charts, "Charts")
        x_log, y_log = (bool(form.get(axis)) for axis in LOG)
        return SeriesRun(self.id, values, tuple(charts), x_log, y_log)

    ask_run = ask

    def link(self, settings: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """Return the page on which the same can be set up, and its query."""
        own = {parameter.name for _, parameter in self.settings} & {*known(labs()[self.page].ask, self.query)}
        return self.page, {**self.query, **{key: text for key, text in settings.items() if key in own}}


@lru_cache(maxsize=KEPT)
def recorded(run: SeriesRun, look: Look) -> Document:
    """Return the recording of a series; it is made once for all who ask."""
    of = series()[run.id]
    columns = [{id: line.curves[id] for id in run.charts if id in line.curves} for line in run.lines]
    made = RecordedColumns(
        of.title, run.learners, columns, of.charts, of.unit, words=of.words, x_log=run.x_log, y_log=run.y_log,
        ranges=of.ranges,
    )  # fmt: skip
    return made.document(look.raced([line.learner for line in run.lines]))


@lru_cache(maxsize=KEPT)
def _lines(id: str, values: tuple[tuple[str, Any], ...]) -> tuple[SeriesLine, ...]:
    return tuple(series()[id].make(**dict(values)))


@cache
def series() -> dict[str, CardSeries]:
    """Return all series by their ids: the `SERIES` of the modules of this folder.

    >>> series()["lower-bound"].title
    'The lower bound'
    """
    modules = (importlib.import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__))
    return {one.id: one for module in modules for one in module.SERIES}


def places() -> dict[str, Lab | CardSeries]:
    """Return all that a card may play in: the labs by the names of their pages, and the series by their ids."""
    return {**labs(), **series()}
