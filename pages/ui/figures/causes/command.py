"""Try causes: `python -m pages.figures causes [figures]` runs those that are missing or old, and says what they decide.

    python -m pages.figures causes                    # every cause that was not tried yet
    python -m pages.figures causes C-fig2 --again     # those of a figure, all of them
    python -m pages.figures causes --minutes 20       # begin none after twenty minutes
    python -m pages.figures causes --check            # say what is missing or old, and run nothing

What has been computed of a cause is kept until its file is written, as for figures.
"""

import argparse
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

from pages.ui.figures.causes import catalogue
from pages.ui.figures.causes.ablation import UNKNOWN, UNTRIED, Ablation, cause, failures, outcome
from pages.ui.figures.command import chosen, compute
from pages.ui.figures.digest import sources
from pages.ui.figures.figure import Figure
from pages.ui.figures.needs import missing
from pages.ui.figures.plan import amount
from pages.ui.figures.result import FOLDER, Result, read, write
from pages.ui.figures.unfinished import Unfinished


def main(arguments: Sequence[str] | None = None) -> int:
    """Try causes from the command line; return 1 if --check finds one missing or old, or one cannot run."""
    parser = argparse.ArgumentParser(
        prog="python -m pages.figures causes", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ids", nargs="*", help="of figures, such as C-fig2 or C-*; all of them without")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the results of the figures")
    parser.add_argument("--kept", type=Path, help="folder of what has been computed of causes that are not finished")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after which none is begun")
    parser.add_argument("--again", action="store_true", help="try what is up to date as well")
    parser.add_argument("--estimate", action="store_true", help="run nothing; say how long each takes")
    parser.add_argument("--check", action="store_true", help="run nothing; list what is missing or old")
    given = parser.parse_args(arguments)
    try:
        figures = chosen(given.ids)
    except ValueError as error:
        parser.error(str(error))
    warnings.simplefilter("ignore", RuntimeWarning)
    sources()  # now, since the code that runs is that which has just been imported
    wrong, until = 0, time.monotonic() + 60 * given.minutes
    pages = {figure: page for figure in figures if (page := read(figure.id, given.folder)) is not None}
    waiting = []
    for figure, page in pages.items():
        for one in catalogue.ablations().get(figure.id, ()):
            problem = catalogue.stale(one, figure, page, read(one.id, catalogue.folder(given.folder)))
            if given.check:
                wrong += bool(problem)
                print(f"{one.id}: {problem or 'up to date'}")
            elif one.changes and (problem or given.again):
                seconds = _seconds(one, figure, page)
                many = len(set(one.statements) & _open(figure, page, given.folder))
                waiting.append((seconds / many if many else 1e9 + seconds, seconds, one, figure, page))
    # first what is cheapest for each statement whose cause is not known
    for _, seconds, one, figure, page in sorted(waiting, key=lambda entry: entry[0]):
        if given.estimate:
            print(f"{one.id}: about {seconds:,.0f} s")
        elif time.monotonic() < until:
            try:
                _run(one, figure, page, given.workers, given.folder, given.kept)
            except Exception as error:  # one cause that cannot run hides nothing of the others
                wrong += 1
                print(f"{one.id}: It raised {type(error).__name__}: {error}", flush=True)
    if given.estimate:
        print(f"all: {sum(seconds for _, seconds, *_ in waiting) / 60:,.0f} min in one process")
    for figure, page in pages.items() if not (given.check or given.estimate) else ():
        _say(figure, page, given.folder)
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
