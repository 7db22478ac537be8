"""A figure on a person's own file: the figure that runs, what is wrong with a file, and what is said of the result.

>>> from pages.ui.figures.figure import Figure, Own, Panel, Series, Size
>>> own = Own("letor-file", "a file in the form of LETOR")
>>> web = Panel("web", "Web search", (Series("3PR", "perturbed-perceptron"),), Size(100, {"queries": 9}),
...             dataset="web-search", metric="average-regret", own=own)
>>> mine = on(Figure("C-fig0", "C", 0, "", "", "", (web,), ()), "web", {"path": "mine.txt"}).panel("web")
>>> mine.dataset, dict(mine.data), dict(mine.page.data)
('letor-file', {'path': 'mine.txt'}, {})
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

import datasets
from learners.sweep.sampled_run import SampledRun
from pages.ui.figures.figure import Figure, Group, Groups, Over, Panel, Size, Steps
from pages.ui.figures.plan import plan
from pages.ui.figures.result import Drawn, Result
from pages.ui.figures.statement import AGREES, DIFFERS, PARTLY, Rule, Statement, Value

MINE = "your file"  # the name of a person's world where worlds stand on the x axis
UNREACHED = "not reached"


def on(figure: Figure, panel: str, params: Mapping[str, Any]) -> Figure:
    """Return the figure with one panel alone, on a person's file.

    panel : the id of a panel that has `own`. params : of the data set of `own`, its `path` at least.

    The size that is declared for the stand-in does not hold for a file, which is used as it is.

    Raises
    ------
    KeyError : if there is no such panel.
    ValueError : if the panel has no data that a person may have, or if its series or its x axis vary a parameter that
        the file's data set does not have.
    """
    old = figure.panel(panel)
    own = old.own
    if own is None:
        raise ValueError(f"{figure.id}: the panel {panel} has no data that a file could replace")
    data = {**own.params, **params}
    known = {p.name for p in datasets.classes()[own.dataset].parameters()}
    varied = {name for series in old.series for name in series.data}
    if isinstance(old.x, Over) and old.x.owner == "dataset":
        varied.add(old.x.name)
    if unknown := sorted((varied | set(data)) - known):
        raise ValueError(f"{figure.id}: {own.dataset} has no parameter {unknown[0]}, which the panel {panel} sets")

    def sized(size: Size) -> Size:
        # a function that makes the curves is told the data by its size
        given = {"dataset": own.dataset, **data} if old.computed else {}
        return replace(size, data=given, replicates=own.replicates or size.replicates)

    x = old.x
    if isinstance(x, Groups):
        first = x.groups[0]
        x = replace(x, groups=(Group(MINE, user=first.user, asks=first.asks, steps=first.steps),))
    mine = replace(
        old, dataset=own.dataset, data=data, x=x, page=sized(old.page), live=sized(old.size("live")), paper=None,
        stands_for="", own=None,
    )  # fmt: skip
    return replace(figure, panels=(mine,))


def check(figure: Figure, data: Any) -> None:
    """Check that every learner of a figure on a person's file can begin with the data that were read from it.

    Raises
    ------
    ValueError : one sentence that says what the learner needs.
    """
    begun = set()
    for work in plan(figure, "live").works:
        if isinstance(work, SampledRun) and (begins := (work.run.learners, work.run.user)) not in begun:
            begun.add(begins)
            replace(work.run, replicates=1, seed=0).simulation(0, data, megabytes=0)


# ---- what is said of the result ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """The part of a statement on one panel.

    outcomes : its rules about this panel, in words, each with whether it holds; None where it asks for more steps than
    were taken. here : what came out in words; "" if the words tell of other panels too.
    """

    statement: Statement
    outcomes: tuple[tuple[str, bool | None], ...]
    here: str

    @property
    def verdict(self) -> str:
        """One of VERDICTS, or `UNREACHED` if no rule can be asked yet."""
        held = [holds for _, holds in self.outcomes if holds is not None]
        if not held:
            return UNREACHED
        return AGREES if all(held) else PARTLY if any(held) else DIFFERS


def said(figure: Figure, panel: str, result: Result, scale: str = "page") -> tuple[Said, ...]:
    """Return what each statement says of one panel, for those that say something of it alone.

    scale : of the result. A curve that is shorter than at page scale says nothing about what comes after its end.
    """
    alone = replace(result, panels={panel: _continued(figure.panel(panel), result.panels[panel], scale)})
    found = []
    for statement in figure.statements:
        known = [(rule, _known(_values(rule), alone)) for rule in statement.rules]
        held = tuple(
            (r.words, r.holds(alone) if all_of_it else None) for r, all_of_it in known if all_of_it is not None
        )
        if held:
            here = statement.here(alone) if _known(statement.told.values(), alone) else ""
            found.append(Said(statement, held, here))
    return tuple(found)


def _continued(panel: Panel, series: Mapping[str, Drawn], scale: str) -> dict[str, Drawn]:
    """Continue curves up to the last step of the page scale by values that nobody knows."""
    end = panel.size("page").steps
    if scale == "page" or not isinstance(panel.x, Steps) or panel.computed or panel.size(scale).steps >= end:
        return dict(series)
    return {
        name: Drawn((*drawn.x, drawn.x[-1] + 1, end), np.pad(drawn.y, ((0, 0), (0, 2)), constant_values=np.nan))
        for name, drawn in series.items()
    }


def _values(rule: Rule) -> list[Value]:
    held = [getattr(rule, field.name) for field in fields(rule)]
    return [value for value in held if isinstance(value, Value)]


def _known(values: Iterable[Value], result: Result) -> bool | None:
    """Return whether all values are numbers; None if the result lacks a panel, a series or a place of one."""
    try:
        return all([bool(np.isfinite(value.of(result)).all()) for value in values])
    except np.linalg.LinAlgError:  # of a fit to values that nobody knows
        return False
    except (KeyError, ValueError, IndexError):
        return None
