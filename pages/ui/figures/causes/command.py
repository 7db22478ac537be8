"""Try causes: `python -m pages.figures causes [figures]` runs those that are missing or old, and says what they decide.

    python -m pages.figures causes                    # every cause that was not tried yet
    python -m pages.figures causes C-fig2 --again     # those of a figure, all of them
    python -m pages.figures causes --minutes 20       # begin none after twenty minutes
    python -m pages.figures causes --check            # say what is missing or old, and run nothing

Runs of a cause are kept until its file is written, as for figures.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pages.ui.figures.causes import catalogue
from pages.ui.figures.causes.ablation import UNKNOWN, UNTRIED, Ablation, cause, failures, outcome
from pages.ui.figures.command import compute, parser, told
from pages.ui.figures.figure import Figure
from pages.ui.figures.needs import missing
from pages.ui.figures.plan import amount
from pages.ui.figures.result import FOLDER, Result, read, write
from pages.ui.figures.unfinished import Unfinished


def main(arguments: Sequence[str] | None = None) -> int:
    """Try causes from the command line; return 1 if --check finds one missing or old, or one cannot run."""
    given, figures = told(parser("python -m pages.figures causes", __doc__), arguments)
    results, wrong = given.folder or FOLDER, 0
    pages = {figure: page for figure in figures if (page := read(figure.id, results)) is not None}
    waiting = []
    for figure, page in pages.items():
        for one in catalogue.ablations().get(figure.id, ()):
            problem = catalogue.stale(one, figure, page, read(one.id, catalogue.folder(results)))
            if given.check:
                wrong += bool(problem)
                print(f"{one.id}: {problem or 'up to date'}")
            elif one.changes and (problem or given.again):
                seconds = _seconds(one, figure, page)
                many = len(set(one.statements) & _open(figure, page, results))
                waiting.append((seconds / many if many else 1e9 + seconds, seconds, one, figure, page))
    # first what is cheapest for each statement whose cause is not known
    for _, seconds, one, figure, page in sorted(waiting, key=lambda entry: entry[0]):
        if given.estimate:
            print(f"{one.id}: about {seconds:,.0f} s")
        elif time.monotonic() < given.until:
            try:
                _run(one, figure, page, given.workers, results, given.kept)
            except Exception as error:  # one cause that cannot run hides nothing of the others
                wrong += 1
                print(f"{one.id}: It raised {type(error).__name__}: {error}", flush=True)
    if given.estimate:
        print(f"all: {sum(seconds for _, seconds, *_ in waiting) / 60:,.0f} min in one process")
    for figure, page in pages.items() if not (given.check or given.estimate) else ():
        _say(figure, page, results)
    return int(bool(wrong))


def _seconds(one: Ablation, figure: Figure, page: Result) -> float:
    """Return about how long a cause takes, by what the figure took for its steps."""
    return page.seconds * amount(one.figure_of(figure, page), "page") / max(1, amount(figure, "page"))


def _open(figure: Figure, page: Result, results: Path) -> set[int]:
    """Return the numbers of the statements that fail and whose cause is not known, or only in part."""
    tried = catalogue.tried(figure, page, results)
    causes = {n: cause(tried[n], failing) for n, s in enumerate(figure.statements) if (failing := failures(s, page))}
    return {n for n, found in causes.items() if not found.whole or found.kinds[0] in (UNKNOWN, UNTRIED)}


def _run(one: Ablation, figure: Figure, page: Result, workers: int, results: Path, kept_in: Path | None) -> None:
    changed = one.figure_of(figure, page)
    if needed := missing(changed):
        print(f"{one.id}: {needed}")
        return
    began, kept = time.perf_counter(), Unfinished(changed, "page", kept_in)
    found = compute(changed, "page", workers, None, kept)
    write(one.id, found, catalogue.folder(results))
    kept.forget()
    print(f"{one.id}: {time.perf_counter() - began:.1f} s for {amount(changed, 'page'):,} steps", flush=True)
    for number in one.statements:
        came = outcome(one, figure, number, page, found)
        print(f"  {number}: mends {sorted(came.mended)}, {came.verdict}: {came.here}", flush=True)


def _say(figure: Figure, page: Result, results: Path) -> None:
    for number, (statement, outcomes) in enumerate(
        zip(figure.statements, catalogue.tried(figure, page, results), strict=True)
    ):
        if failing := failures(statement, page):
            print(f"{figure.id} {number}: {cause(outcomes, failing).words}, {len(outcomes)} tried", flush=True)


if __name__ == "__main__":
    sys.exit(main())
