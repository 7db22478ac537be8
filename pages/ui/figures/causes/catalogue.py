"""All causes that are tried, what came of them, and the cause of every statement that differs or agrees in part."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pages.ui.figures.catalogue import declared, figures
from pages.ui.figures.catalogue import stale as older
from pages.ui.figures.causes import papers
from pages.ui.figures.causes.ablation import Ablation, Outcome, outcome
from pages.ui.figures.figure import Figure
from pages.ui.figures.result import FOLDER, Result, read

CAUSES = "causes"  # the folder of what came out, below that of the results


def folder(results: Path = FOLDER) -> Path:
    """Return the folder of what came of the causes."""
    return results / CAUSES


@cache
def ablations() -> Mapping[str, tuple[Ablation, ...]]:
    """Return the causes to try by the ids of figures, in the order in which they are declared.

    Raises
    ------
    TypeError : for two of a figure with the same name, for a figure or a statement that does not exist.
    """
    every, known = declared(papers, "ABLATIONS"), figures()
    for one in every:
        if one.figure not in known or not set(one.statements) <= set(range(len(known[one.figure].statements))):
            raise TypeError(f"{one.id} tells of a figure or a statement that does not exist")
    return {id: tuple(one for one in every if one.figure == id) for id in known}


def stale(ablation: Ablation, figure: Figure, page: Result, found: Result | None) -> str:
    """Return in a sentence how what came of a cause is missing or old, "" if it is up to date."""
    if not ablation.changes:
        return ""
    return "It was never tried." if found is None else older(ablation.figure_of(figure, page), found)


def tried(figure: Figure, page: Result, results: Path = FOLDER) -> tuple[tuple[Outcome, ...], ...]:
    """Return for each statement of a figure what came of its causes, those that were tried with the present setup."""
    found: list[list[Outcome]] = [[] for _ in figure.statements]
    for ablation in ablations().get(figure.id, ()):
        result = read(ablation.id, folder(results)) if ablation.changes else None
        if stale(ablation, figure, page, result):
            continue
        for number in ablation.statements:
            found[number].append(outcome(ablation, figure, number, page, result))
    return tuple(map(tuple, found))
