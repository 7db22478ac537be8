"""Links from a panel to the lab or the sweep with exactly its setup, and the scripts that give the same numbers.

Where a lab does not take as many steps, the words of the link say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
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
from pages.ui.race.world import NONE


@dataclass(frozen=True)
class Link:
    """A link into a lab or the sweep. words : what it opens. script : makes the Python script of the same run."""

    words: str
    page: str
    query: Mapping[str, str]
    script: Callable[[], str]


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
                if (steps := _nearest(lab, run.steps)) != run.steps:
                    words += f" ({steps:,} {lab.unit}s in place of {run.steps:,}, which the lab does not take)"
                query = _race(lab, panel, run)
                yield Link(words, f"pages/{name}.py", query, partial(lab_script, _complete(run)))


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


def _race(lab: Lab, panel: Panel, one: RunSpec) -> dict[str, str]:
    """Return the query that opens a lab with a run, the curve of the panel drawn first."""
    query: dict[str, str] = {f"learner-{slot}": NONE for slot in range(1, SLOTS + 1)}
    for slot, learner in enumerate(one.learners, 1):
        query |= {f"learner-{slot}": learner.id} | _written(learner_classes()[learner.id], learner, f"-{slot}")
    data = datasets.classes()[one.dataset.id]
    other = {name: data.parameter(name).default for name in lab.defaults.get(data.id, {})}
    query |= {"dataset": data.id} | _written(data, Spec(data.id, tuple(other.items())).given(one.dataset.values))
    if one.user:
        query |= {"user": one.user.id} | _written(user_classes()[one.user.id], one.user)
    declared = {p.name: p for _, p in lab.comparison}
    query |= {name: declared[name].format(value) for name, value in one.comparison or ()}
    query |= {
        "steps": str(_nearest(lab, one.steps)), "replicates": str(one.replicates), "seed": str(one.seed),
    }  # fmt: skip
    known = families()[lab.family].by_id
    if isinstance(panel.x, Steps):
        chart = known[panel.metric].chart or panel.metric if panel.metric in known else ""
        query |= {"charts": chart} if chart in lab.charts else {}
        query |= {"x_log": "true"} if panel.x.log else {}
        query |= {"y_log": "true"} if panel.log_y else {}
    return query


def _nearest(lab: Lab, steps: int) -> int:
    """Return the number of steps of a lab that is nearest to another."""
    return min(int(lab.steps.high), max(int(lab.steps.low), steps))


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
        query = {"family": run.family.id, "learner": learner.id, "dataset": run.dataset.id}
        query |= _written(kinds["learner"], learner, "-1") | _written(kinds["dataset"], run.dataset)
        query |= {"user": run.user.id} | _written(kinds["user"], run.user) if run.user else {}
        query |= {
            "vary-1": x.name, "from-1": f"{low:g}", "to-1": f"{high:g}", "number-1": str(grid.number),
            "log-1": "true" if grid.log else "false", "metric": series.metric or panel.metric,
            "steps": str(run.steps), "replicates": str(run.replicates), "seed": str(run.seed),
        }  # fmt: skip
        spec = GridSpec(_complete(run), (grid,))
        yield Link(f"{series.name} over {x.title or x.name}", "pages/sweep.py", query, partial(sweep_script, spec))


def _written(kind: type[Declared], spec: Spec, suffix: str = "") -> dict[str, str]:
    """Return the parameters of a spec as they stand in a link."""
    return {f"{name}{suffix}": kind.parameter(name).format(value) for name, value in spec.params}
