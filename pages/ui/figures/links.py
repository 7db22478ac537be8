"""Links from a panel to the lab or the sweep with exactly its setup, and the scripts that give the same numbers.

Where a lab does not take as many steps, the words of the link say so.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

import datasets
from datasets.parameters import Declared
from datasets.spec import Spec
from learners.catalogue import families, learner_classes, user_classes
from learners.grid import Grid, GridSpec
from learners.spec import RunSpec
from pages.ui.families import labs
from pages.ui.figures.figure import Groups, Over, Panel, Series, Steps
from pages.ui.figures.plan import trial
from pages.ui.lab.lab import SLOTS, Lab
from pages.ui.race.script import lab_script, sweep_script
from pages.ui.sweep import form as sweep


@dataclass(frozen=True)
class Link:
    """A link into a lab or the sweep. words : what it opens. spec : what the panel ran."""

    words: str
    page: str
    query: Mapping[str, str]
    spec: RunSpec | GridSpec

    def script(self) -> str:
        """Return the Python script of the same run."""
        return lab_script(self.spec) if isinstance(self.spec, RunSpec) else sweep_script(self.spec)


def of(panel: Panel, scale: str = "page") -> tuple[Link, ...]:
    """Return the links of a panel, whose runs are those of its first data seed.

    A lab has room for four learners, so a panel with more has several links, and so has one with several worlds. A
    sweep has one learner. A panel that a function makes links the learners that it names, if it names any.
    """
    return tuple(_sweeps(panel, scale) if isinstance(panel.x, Over) else _labs(panel, scale))


def _labs(panel: Panel, scale: str) -> Iterator[Link]:
    size = panel.size(scale)
    groups = panel.x.groups if isinstance(panel.x, Groups) else (None,)
    for group in groups:
        if not (panel.dataset or (group and group.dataset)):
            continue
        runs = [(s, trial(panel, s, size, 0, group=group).run) for s in panel.series if s.learner]

        def world(run: tuple[Series, RunSpec]) -> tuple[str, str]:
            return repr(run[1].dataset), repr(run[1].user)

        for _, found in groupby(sorted(runs, key=world), key=world):  # sorted is stable: the legend's order stays
            several = list(found)
            for first in range(0, len(several), SLOTS):
                part = several[first : first + SLOTS]
                words = ", ".join(series.name for series, _ in part)
                words = f"{group.name}: {words}" if group else words
                name = panel.lab or part[0][1].family.page
                run = replace(part[0][1], learners=tuple(learner for _, one in part for learner in one.learners))
                lab = labs()[name]
                shown = lab.showing(run)[1]
                steps = min(int(shown.steps.high), max(int(shown.steps.low), run.steps))
                if steps != run.steps:
                    words += f" ({steps:,} {shown.unit}s in place of {run.steps:,}, which the lab does not take)"
                query = lab.query(replace(run, steps=steps)) | _drawn(shown, panel)
                yield Link(words, f"pages/{name}.py", query, _complete(run))


def _complete(run: RunSpec) -> RunSpec:
    """Return a run with the parameters that its figure leaves at their defaults, as far as its family uses them."""
    family = run.family.id

    def whole(kind: type[Declared], spec: Spec) -> Spec:
        return Spec(spec.id, tuple((p.name, spec.values.get(p.name, p.default)) for p in kind.used_by(family)))

    return replace(
        run,
        learners=tuple(whole(learner_classes()[learner.id], learner) for learner in run.learners),
        dataset=whole(datasets.classes()[run.dataset.id], run.dataset),
        user=run.user and whole(user_classes()[run.user.id], run.user),
    )


def _drawn(lab: Lab, panel: Panel) -> dict[str, str]:
    """Return the part of a link that has the curve of a panel drawn first, with its axes."""
    if not isinstance(panel.x, Steps):
        return {}
    known = families()[lab.family].by_id
    chart = known[panel.metric].chart or panel.metric if panel.metric in known else ""
    query = {"charts": chart} if chart in lab.charts else {}
    query |= {"x_log": "true"} if panel.x.log else {}
    return query | ({"y_log": "true"} if panel.log_y else {})


def _sweeps(panel: Panel, scale: str) -> Iterator[Link]:
    size, x = panel.size(scale), panel.x
    assert isinstance(x, Over)
    for series in panel.series:
        if not series.learner or not panel.dataset or (x.only and series.name not in x.only):
            continue
        run = trial(panel, series, size, 0).run
        (learner,) = run.learners
        kinds: dict[str, type[Declared]] = {
            "learner": learner_classes()[learner.id], "dataset": datasets.classes()[run.dataset.id],
        }  # fmt: skip
        kinds |= {"user": user_classes()[run.user.id]} if run.user else {}
        low, high = min(x.values), max(x.values)
        grid = Grid(kinds[x.owner].parameter(x.name), low, high, len(x.values), x.log and low > 0)
        query = sweep.query(GridSpec(run, (grid,)), series.metric or panel.metric)
        words = f"{series.name} over {x.title or x.name}"
        yield Link(words, "pages/sweep.py", query, GridSpec(_complete(run), (grid,)))
