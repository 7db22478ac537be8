"""Judges each statement of a figure on the largest run there is, with the causes that were tried."""

from dataclasses import dataclass, replace
from pathlib import Path

from pages.ui.figures import paper_size
from pages.ui.figures.causes.ablation import (
    SIZE,
    Ablation,
    Altered,
    Cause,
    Outcome,
    cause,
    failures,
    joined,
    outcome,
    reads,
)
from pages.ui.figures.causes.catalogue import tried
from pages.ui.figures.figure import Figure
from pages.ui.figures.result import FOLDER, Result
from pages.ui.figures.statement import AGREES, Statement

_ALL = (Altered(),)  # what the paper's size changes is said by the figure


@dataclass(frozen=True, eq=False)
class JudgedStatement:
    """A statement and what came of it.

    result : that which decides. paper : whether it is at the paper's size, where that is larger than the page's.
    page : the verdict at the size of the page. verdict, here : of the result that decides.
    tried : what came of each cause that was tried, the paper's size among them where it decides.
    cause : None if the statement agrees.
    """

    statement: Statement
    result: Result
    paper: bool
    page: str
    verdict: str
    here: str
    tried: tuple[Outcome, ...]
    cause: Cause | None


def judge(figure: Figure, page: Result, results: Path = FOLDER) -> tuple[JudgedStatement, ...]:
    """Return each statement of a figure, judged.

    Raises
    ------
    KeyError, ValueError, IndexError : for a result that has other panels, series or places than the statements.
    """
    more = paper_size.find(figure, results)
    panels = {panel.id for panel in paper_size.figure_of(figure).panels} if more is not None else set()
    found = []
    for number, (statement, outcomes) in enumerate(zip(figure.statements, tried(figure, page, results), strict=True)):
        result = _decides(statement, page, more, panels) or page
        verdict, failing = statement.verdict(result), failures(statement, result)
        if result is not page and failures(statement, page):
            sized = Ablation(
                figure.id, paper_size.SCALE, SIZE, "the paper’s size in place of the page’s", (number,), _ALL
            )
            outcomes = (*outcomes, replace(outcome(sized, figure, number, page, result), here=""))
        why = None if verdict == AGREES else cause(outcomes, failing)
        here, paper, at_page = statement.here(result), result is not page, statement.verdict(page)
        outcomes = outcomes if why else ()
        found.append(JudgedStatement(statement, result, paper, at_page, verdict, here, outcomes, why))
    return tuple(found)


def _decides(statement: Statement, page: Result, more: Result | None, larger_panels: set[str]) -> Result | None:
    """Return the larger result if it has all of which the statement tells, with enough data seeds; else None."""
    if more is None:
        return None
    wanted = [(panel, series) for panel, series in reads(statement, page) if panel in larger_panels]
    enough = (
        paper_size.seeds(more, panel) >= paper_size.ENOUGH and series in more.panels[panel] for panel, series in wanted
    )
    if not wanted or not all(enough):
        return None
    result = joined(page, more)
    try:
        statement.here(result)
        statement.outcomes(result)
    except ValueError:  # the page's data seeds beside more of the paper's
        return None
    return result
