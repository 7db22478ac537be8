"""Panels on real data that packages carry, beside those on stand-ins: what was run as causes, drawn as panels."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from datasets.packaged import Packaged, carrier
from pages.ui.figures.causes import catalogue
from pages.ui.figures.figure import Figure, Panel
from pages.ui.figures.result import FOLDER, Panels, Result, read


@dataclass(frozen=True, eq=False)
class Real:
    """The panels of a figure on real data. figure, drawn : as for any other. notes : what the data are, and whose."""

    figure: Figure
    drawn: Panels
    notes: tuple[str, ...]


def beside(figure: Figure, page: Result, results: Path = FOLDER) -> Real | None:
    """Return the panels of a figure on real data, as far as they were run; None if none were."""
    panels, drawn, notes = [], {}, dict[str, None]()
    for one in catalogue.ablations().get(figure.id, ()):
        found = read(one.id, catalogue.folder(results)) if one.real else None
        if found is None or catalogue.stale(one, figure, page, found):
            continue
        for panel, data in _carried(one.figure_of(figure, page)):
            named = replace(panel, id=f"{panel.id}-{one.name}", title=_title(panel, data), own=None)
            panels.append(replace(named, stands_for=""))
            drawn[named.id] = found.panels[panel.id]
            notes[f"{data.title}: {data.licence}. It is no part of this lab. {data.wanted}"] = None
    return Real(replace(figure, panels=tuple(panels)), drawn, tuple(notes)) if panels else None


def _title(panel: Panel, data: Packaged) -> str:
    """Return the title of a panel on real data, without what its stand-in stands for."""
    return f"{data.title} · {panel.title.split(' in place of')[0]}"


def _carried(figure: Figure) -> Iterator[tuple[Panel, Packaged]]:
    for panel in figure.panels:
        if (data := carrier(str(panel.data.get("path", "")))) is not None:
            yield panel, data
