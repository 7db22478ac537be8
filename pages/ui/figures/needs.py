"""The files that a figure needs and that do not belong to the project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from datasets.paths import locate
from pages.ui.figures.figure import Figure, Groups, Panel


def files(panel: Panel) -> Iterator[str]:
    """Yield the files of a panel's data, as paths below the data folder."""
    given = [panel.data, *(series.data for series in panel.series)]
    if isinstance(panel.x, Groups):
        given += [group.data for group in panel.x.groups]
    yield from dict.fromkeys(str(data["path"]) for data in given if data.get("path"))


def missing(figure: Figure) -> str:
    """Return in a sentence which file is not here, "" if nothing is missing."""
    return next(filter(None, map(_lacks, figure.panels)), "")


def runnable(figure: Figure) -> Figure:
    """Return the figure with those panels only whose files are here, or as it is if there are none of them."""
    panels = tuple(panel for panel in figure.panels if not _lacks(panel))
    return replace(figure, panels=panels) if panels else figure


def _lacks(panel: Panel) -> str:
    for file in files(panel):
        if not locate(file, "data file").exists():
            return (
                f"{panel.title} needs the file {file}, which is not here; FEEDBACK_LAB_DATA may name the folder "
                "that holds it."
            )
    return ""
