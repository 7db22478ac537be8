"""Links from a panel to the lab or the sweep with exactly its setup, and the scripts that give the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

import datasets
from datasets.parameters import Declared
from learners.catalogue import create, create_user, families, learner_classes
from learners.family import Family
from learners.sweep.trial import Trial
from pages.ui.choice import Choice
from pages.ui.figures.figure import Groups, Over, Panel, Series, Steps
from pages.ui.figures.plan import trial
from pages.ui.lab.lab import NONE, SLOTS, Lab
from pages.ui.labs import labs
from pages.ui.settings import LinkReader
from pages.ui.sweep.setup import Grid, SweepSetup


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
        runs = [(s, trial(panel, s, size, 0, group=group)) for s in panel.series if s.learner]

        def world(run: tuple[Series, Trial]) -> tuple[str, str]:
            return repr(run[1].dataset), repr(run[1].user)

        for _, found in groupby(sorted(runs, key=world), key=world):  # sorted is stable: the legend's order stays
            several = list(found)
            for first in range(0, len(several), SLOTS):
                part = several[first : first + SLOTS]
                words = ", ".join(series.name for series, _ in part)
                words = f"{group.name}: {words}" if group else words
                name = panel.lab or _family(part[0][1]).page
                lab = labs()[name]
                query = _race(lab, panel, [run for _, run in part])
                yield Link(words, f"pages/{name}.py", query, partial(_script, lab, query))


def _script(lab: Lab, query: Mapping[str, str]) -> str:
    return lab.ask_setup(LinkReader(query)).script()


def _family(run: Trial) -> Family:
    return families()[learner_classes()[run.learner[0]].family]


def _race(lab: Lab, panel: Panel, runs: Sequence[Trial]) -> dict[str, str]:
    """Return the query that opens a lab with the runs of one world, the curve of the panel drawn first."""
    one = runs[0]
    query: dict[str, str] = {}
    for slot in range(1, SLOTS + 1):
        query[f"learner-{slot}"] = runs[slot - 1].learner[0] if slot <= len(runs) else NONE
        if slot <= len(runs):
            id, params = runs[slot - 1].learner
            query |= _written(learner_classes()[id], params, f"-{slot}")
    id, params = one.dataset
    other = {name: dict(datasets.create(id, **dict(params)).params)[name] for name in lab.defaults.get(id, {})}
    query |= {"dataset": id} | _written(datasets.classes()[id], tuple((other | dict(params)).items()))
    if one.user:
        query |= {"user": one.user[0]} | _written(type(create_user(one.user[0])), one.user[1])
    declared = {p.name: p for _, p in lab.comparison}
    query |= {name: declared[name].format(value) for name, value in one.comparison or ()}
    query |= {
        "steps": str(min(int(lab.steps.high), max(int(lab.steps.low), one.steps))),
        "replicates": str(one.replicates),
        "seed": str(one.seed),
    }
    known = families()[lab.family].by_id
    if isinstance(panel.x, Steps):
        chart = known[panel.metric].chart or panel.metric if panel.metric in known else ""
        query |= {"charts": chart} if chart in lab.charts else {}
        query |= {"x_log": "true"} if panel.x.log else {}
        query |= {"y_log": "true"} if panel.log_y else {}
    return query


def _sweeps(panel: Panel, scale: str) -> Iterator[Link]:
    size, x = panel.size(scale), panel.x
    assert isinstance(x, Over)
    for series in panel.series:
        if not series.learner or not panel.dataset or (x.only and series.name not in x.only):
            continue
        run = trial(panel, series, size, 0)
        owners: dict[str, type[Declared]] = {
            "learner": learner_classes()[run.learner[0]],
            "dataset": datasets.classes()[run.dataset[0]],
        }
        if run.user:
            owners["user"] = type(create_user(run.user[0]))
        low, high = min(x.values), max(x.values)
        query = {"family": _family(run).id, "learner": run.learner[0], "dataset": run.dataset[0]}
        query |= _written(owners["learner"], run.learner[1], "-1") | _written(owners["dataset"], run.dataset[1])
        if run.user:
            query |= {"user": run.user[0]} | _written(owners["user"], run.user[1])
        query |= {
            "vary-1": x.name, "from-1": f"{low:g}", "to-1": f"{high:g}", "number-1": str(len(x.values)),
            "log-1": "true" if x.log and low > 0 else "false", "metric": series.metric or panel.metric,
            "steps": str(run.steps), "replicates": str(max(run.replicates, 1)), "seed": "0",
        }  # fmt: skip
        grid = Grid(owners[x.owner].parameter(x.name), low, high, len(x.values), x.log and low > 0)
        setup = SweepSetup(
            _choice(create(run.learner[0], **dict(run.learner[1]))),
            _choice(datasets.create(run.dataset[0], **dict(run.dataset[1]))),
            _choice(create_user(run.user[0], **dict(run.user[1]))) if run.user else None,
            (grid,), run.replicates, run.steps, 0,
        )  # fmt: skip
        yield Link(f"{series.name} over {x.title or x.name}", "pages/sweep.py", query, setup.script)


def _choice(made: Any) -> Choice:
    return Choice(made.id, tuple(made.params.items()))


def _written(kind: type[Declared], params: Sequence[tuple[str, Any]], suffix: str = "") -> dict[str, str]:
    """Return parameters as they stand in a link."""
    return {f"{name}{suffix}": kind.parameter(name).format(value) for name, value in params}
