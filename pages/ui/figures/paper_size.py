"""The second layer of results: figures at the paper's size, kept beside those at the size of the page."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from learners.wording import listed
from pages.ui.counting import counted
from pages.ui.figures.digest import setup_digest
from pages.ui.figures.figure import Figure, Panel
from pages.ui.figures.plan import FigurePlan, Work
from pages.ui.figures.result import FOLDER, Drawn, Result, read

SCALE = "paper"
ENOUGH = 10  # data seeds with which a larger run decides


def folder(results: Path = FOLDER) -> Path:
    """Return the folder of the results at the paper's size."""
    return results / SCALE


def figure_of(figure: Figure) -> Figure:
    """Return the figure with the panels of which the paper ran more than the page. Panels that give times are none."""

    def larger(panel: Panel) -> bool:
        alone, here, there = replace(figure, panels=(panel,)), panel.size("page"), panel.size(SCALE)
        more = there.steps * there.replicates >= here.steps * here.replicates
        return more and not panel.timed and setup_digest(alone, SCALE) != setup_digest(alone)

    return replace(figure, panels=tuple(panel for panel in figure.panels if larger(panel)))


def find(figure: Figure, results: Path = FOLDER) -> Result | None:
    """Return the result at the paper's size, as far as it is computed; None if it is of another setup."""
    found = read(figure.id, folder(results))
    return None if found is None or found.setup != setup_digest(figure_of(figure), SCALE) else found


def seeds(result: Result, panel: str) -> int:
    """Return with how many data seeds a panel was run."""
    return min((len(drawn.y) for drawn in result.panels.get(panel, {}).values()), default=0)


def share(figure: Figure, results: Path = FOLDER) -> tuple[float, float]:
    """Return which share of the data seeds of the paper's size was run, and the seconds it took."""
    found, panels = find(figure, results), figure_of(figure).panels
    if found is None:
        return 0.0, 0.0
    ran = sum(seeds(found, panel.id) for panel in panels)
    return ran / sum(panel.size(SCALE).seeds for panel in panels), found.seconds


def in_order(works: list[Work]) -> list[Work]:
    """Return works seed by seed, so that a run that is interrupted has some data seeds of everything."""
    return sorted(works, key=lambda work: work.seed)


def rest(planned: FigurePlan, before: Result) -> FigurePlan:
    """Return the plan of the data seeds that a result does not have yet."""
    begin = {panel.id: seeds(before, panel.id) for panel in planned.figure.panels}
    places = [place for place in planned.places if place.seed >= begin[place.panel]]
    needed = {place.work for place in places}
    return replace(planned, works=[work for work in planned.works if work.number in needed], places=places)


def gathered(planned: FigurePlan, found: Mapping[int, Any], before: Result | None = None) -> Result:
    """Return the result of the data seeds that are complete up to the first that is not, and what is missing.

    before : of the data seeds before those that are planned.
    """
    missing = [(place.panel, place.seed) for place in planned.places if place.work not in found]
    ends = {
        panel.id: min((seed for id, seed in missing if id == panel.id), default=panel.size(planned.scale).seeds)
        for panel in planned.figure.panels
    }
    places = [place for place in planned.places if place.seed < ends[place.panel]]
    result = replace(planned, places=places).gather(found)
    if before is not None:
        result = _after(before, result)
    lacking = [
        f"{seeds(result, panel.id)} of {counted(panel.size(planned.scale).seeds, 'data seed')} of {panel.title}"
        for panel in planned.figure.panels
        if seeds(result, panel.id) < panel.size(planned.scale).seeds
    ]
    partial = f"At the paper’s size only a part has been run: {listed(lacking)}." if lacking else ""
    panels = {id: series for id, series in result.panels.items() if series}
    return replace(result, panels=panels, partial=partial)


def _after(before: Result, more: Result) -> Result:
    """Return a result with the data seeds of another after its own."""

    def both(panel: str) -> Mapping[str, Drawn]:
        old, new = before.panels.get(panel, {}), more.panels[panel]
        if not (old and new):
            return new or old
        return {name: replace(drawn, y=np.concatenate([old[name].y, drawn.y])) for name, drawn in new.items()}

    return replace(more, panels={id: both(id) for id in more.panels}, seconds=round(before.seconds + more.seconds, 1))
