"""The data files that a figure needs from elsewhere: those that are missing, and panels that can do without them."""

from collections.abc import Iterator
from dataclasses import replace

from datasets.packaged import carrier
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
    for panel in figure.panels:
        for file in _away(panel):
            if (carried := carrier(file)) is not None:
                return f"{panel.title} needs {carried.title}, which is not here. {carried.wanted}"
            return (
                f"{panel.title} needs the file {file}, which is not here; FEEDBACK_LAB_DATA may name the folder "
                "that holds it."
            )
    return ""


def here(figure: Figure) -> Figure:
    """Return the figure with the panels whose files are here."""
    return replace(figure, panels=tuple(panel for panel in figure.panels if not any(_away(panel))))


def _away(panel: Panel) -> Iterator[str]:
    return (file for file in files(panel) if not locate(file, "data file").exists())
