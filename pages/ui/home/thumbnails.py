"""The pictures on the cards of the home page, made from real runs.

    python -m pages.ui.home.thumbnails          # makes those that are missing or out of date
    python -m pages.ui.home.thumbnails flip     # makes these again

A picture is out of date when the settings that its demo opens with have changed, or the way pictures are drawn. Every
file says what it was made from, so that a test can tell.
"""

import hashlib
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from learners.base import Array
from learners.grid import Grid, GridSpec
from learners.metric import Metric
from learners.spec import RunSpec, learner_of
from learners.sweep import gather, run
from learners.sweep.parts import swept
from pages.ui.draw import svg
from pages.ui.draw.charts import Look, stairs
from pages.ui.draw.hues import hues, own
from pages.ui.families import labs
from pages.ui.form.form import Form
from pages.ui.form.links import read_link
from pages.ui.gallery.demos import DEMOS, Demo
from pages.ui.plain import Html, Ours
from pages.ui.race.charts import HEIGHT, ChartSpec, ChartView, drawn_curves
from pages.ui.race.knob import knobs_of
from pages.ui.race.limits import kept
from pages.ui.race.moment import Moment
from pages.ui.sweep.page import ask

FOLDER = Path(__file__).parent / "pictures"
MOVING = FOLDER / "moving.json"  # of the ranking that moves on the home page
DRAWN = 3  # raised whenever pictures are drawn differently
MOST_PICTURES = 2  # side by side
STEPS = range(12, 46)  # of the ranking that moves: calm, the first flip, and the way back


@dataclass(frozen=True)
class LabPicture:
    """The content of a picture: a run of a lab with the way it is viewed and the chart."""

    setup: RunSpec
    view: ChartView
    chart: ChartSpec

    @property
    def mark(self) -> Ours:
        """A text that changes with everything that the picture depends on."""
        view = self.view
        return _mark(self.setup, view.which, view.window, view.x_log, view.y_log, self.chart.id)

    def svg(self) -> str:
        """Run it to its end and return the picture."""
        simulations = simulated(self.setup)
        for simulation in simulations:
            simulation.advance(steps=self.setup.steps)
        moment, chart = Moment(self.setup, self.setup.steps, simulations), self.chart
        colors = Look().raced(self.setup.ids)
        if chart.metric is not None:
            content = _curves(chart.metric, moment, self.view)
        elif chart.write is not None:
            content = svg.pictures(svg.found_in(chart.write(moment, colors))[:MOST_PICTURES])
        else:
            assert chart.draw is not None
            content = svg.sketch(chart.draw(moment, colors, HEIGHT))
        return svg.small(content, chart.title, self.mark)


@dataclass(frozen=True)
class Swept:
    """The content of a picture: a sweep and the metric drawn."""

    setup: GridSpec
    metric: Metric

    @property
    def mark(self) -> Ours:
        """A text that changes with everything that the picture depends on."""
        return _mark(self.setup.run, self.setup.over, self.metric.id)

    def table(self) -> Any:
        """Run it, and return the table of its results."""
        return gather(run(swept(self.setup)))

    def svg(self) -> str:
        """Run it and return the picture."""
        setup, table = self.setup, self.table()
        means = table[table.metric == self.metric.id].groupby(list(reversed(setup.over))).value.mean()
        if len(setup.grids) == 1:
            content = svg.lines(
                [(own(setup.learner.id), means.index.to_numpy(float), means.to_numpy(float))], setup.grids[0].log
            )
        else:
            content = svg.cells(means.unstack().to_numpy(float))
        return svg.small(content, self.metric.label, self.mark)


def shown(demo: Demo) -> LabPicture | Swept:
    """Return what the picture of a demo shows, from the same settings as its link.

    Raises
    ------
    ValueError : if the link or the chart is wrong.
    """
    page, query = Path(demo.page).stem, demo.settings | dict(demo.stands_for)
    if page == "sweep":
        return _swept(query)
    filled = labs()[page].ask(Form(query))
    lab = filled.lab
    if demo.turn:  # where the run ends for each value of the knob
        (knob,) = (k for k in knobs_of(filled.run, lab.knobs, (1, 2, 3, 4), lab.family) if k.key == demo.turn)
        turned = replace(filled.run, learners=(filled.run.learners[knob.slot or 0],))
        grid = replace(Grid.suggested(knob.parameter), low=knob.values[0], high=knob.values[-1])
        return Swept(GridSpec(turned, (grid,)), turned.family.metrics[0])
    wanted = demo.picture or filled.charts[0]
    if wanted not in lab.charts:
        raise ValueError(f"the demo {demo.id} asks for the chart {wanted!r}; {page} has {', '.join(lab.charts)}")
    return LabPicture(filled.run, filled.view, lab.charts[wanted])


def path_of(demo: Demo) -> Path:
    """Return where the picture of a demo is kept."""
    return FOLDER / f"{demo.id}.svg"


def stale() -> list[str]:
    """Return the ids of the demos whose pictures are missing or old, and "moving" for the ranking that moves."""
    late = [demo.id for demo in DEMOS if _kept_mark(demo) != shown(demo).mark]
    kept = json.loads(MOVING.read_text("utf-8"))["of"] if MOVING.exists() else ""
    return late + ["moving"] * (kept != _mark(_moving_setup(), STEPS))


def moving() -> dict[str, Any]:
    """Return the ranking that moves: what two learners show in the same steps, and where the user clicks.

    For each learner and step: the documents (ids) from the top, the clicked positions, and which of these clicks are
    mistakes. `best` is the document that the user looks for.
    """
    setup = _moving_setup()
    found: dict[str, Any] = {"of": _mark(setup, STEPS), "first": STEPS[0], "learners": []}
    for choice, simulation in zip(setup.learners, simulated(setup), strict=True):
        steps = []
        for t in range(1, STEPS[-1] + 1):
            simulation.advance(steps=1)
            if t not in STEPS:
                continue
            step = simulation.last
            order, grades = step.shown.ranking[0], step.grades[0]
            by_position = np.take_along_axis(step.grades, step.shown.ranking, axis=1)
            wrong = simulation.environment.user.mistaken(by_position, step.response)[0]
            clicks = np.flatnonzero(step.response.clicks[0])
            found["best"] = int(np.argmax(grades))
            steps.append([order.tolist(), clicks.tolist(), [int(wrong[i]) for i in clicks]])
        found["learners"].append({"title": learner_of(choice).title, "steps": steps})
    return found


def simulated(setup: RunSpec) -> list[Any]:
    """Return the simulations of a setup, at their beginning."""
    return setup.simulations(setup.load(), **kept(setup))


def _moving_setup() -> RunSpec:
    """Return the run of the first demo."""
    run = shown(DEMOS[0])
    assert isinstance(run, LabPicture)
    return replace(run.setup, steps=STEPS[-1])


def _mark(*parts: Any) -> Ours:
    return cast(Ours, hashlib.sha256(repr((DRAWN, *parts)).encode()).hexdigest()[:12])


def _kept_mark(demo: Demo) -> str:
    path = path_of(demo)
    found = re.search(r'data-of="(\w+)"', path.read_text("utf-8")) if path.exists() else None
    return found[1] if found else ""


def _curves(metric: Metric, moment: Moment, view: ChartView) -> Html:
    found = [c for c in drawn_curves(metric, moment, view, moment.setup.steps) if not c.bound and not c.faint]
    of = hues(moment.setup.ids)
    drawn = [(c, np.nanmean(c.values, axis=1)) for c in found]
    means: list[tuple[int, Array, Array]] = [(of[c.slot], *(stairs(c.x, y) if c.steps else (c.x, y))) for c, y in drawn]
    limits = metric.limits(moment.data) if callable(metric.limits) else metric.limits
    falls = limits is not None and limits[0] > limits[1]
    return svg.lines(means, view.x_log, view.y_log and metric.log, falls)


def _swept(query: Mapping[str, str]) -> Swept:
    _, problems = read_link(query, ask)
    if problems:
        raise ValueError(" ".join(problems))
    filled = ask(Form(query))
    assert filled.spec is not None
    return Swept(filled.spec, filled.spec.run.family.by_id[filled.metric])


def main(wanted: list[str]) -> None:
    """Make the pictures with these ids, or those that are out of date."""
    FOLDER.mkdir(exist_ok=True)
    for id in wanted or stale():
        if id == "moving":
            MOVING.write_text(json.dumps(moving(), separators=(",", ":")) + "\n", "utf-8")
            print(f"{MOVING.name}  {MOVING.stat().st_size:,} bytes")
            continue
        demo = next((d for d in DEMOS if d.id == id), None)
        if demo is None:
            sys.exit(f"There is no demo {id!r}. The demos are {', '.join(d.id for d in DEMOS)}.")
        path_of(demo).write_text(shown(demo).svg(), "utf-8")
        print(f"{path_of(demo).name}  {path_of(demo).stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
