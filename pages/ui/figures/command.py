"""Compute figures: `python -m pages.figures [ids] [--scale paper|page|live] [--workers N] [--scheduler tcp://…]`.

    python -m pages.figures                     # every figure whose result is missing or older than its setup or code
    python -m pages.figures C-fig2 B-fig1       # these
    python -m pages.figures --check             # say what is missing or old, and compute nothing
    python -m pages.figures --verify            # run one data seed of every figure again, and compare
    python -m pages.figures --estimate          # how long all of it takes
    python -m pages.figures causes              # try why statements differ; see --help there
    python -m pages.figures V-fig5.1 --scale paper --minutes 30

Each figure's result is a file, results/<id>.json. Runs of a figure are kept until its file is written,
so that a command that was killed goes on where it stopped. The numbers do not depend on who computes them.

At the paper's scale those panels are run of which the paper ran more than the page, and their results are kept beside
the page's, in results/paper. After --minutes the data seeds that are complete are written, and the next command goes
on from there, on any machine, as long as the code of what runs is the same.

results/code.json notes with which code a figure was computed, or compared since. --verify passes over figures that were
compared with the present code, so that it too goes on where it stopped.
"""

import argparse
import datetime
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

from learners.sweep.run import run
from pages.ui.figures import catalogue, paper_size
from pages.ui.figures.digest import code_digest, setup_digest, sources
from pages.ui.figures.figure import Figure
from pages.ui.figures.needs import missing
from pages.ui.figures.plan import Computation, FigurePlan, amount, plan
from pages.ui.figures.result import FOLDER, Result, read, record, write
from pages.ui.figures.unfinished import Unfinished
from pages.ui.figures.verify import one_seed

SAID = 10.0  # seconds between two lines on how far a figure is
PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


def compute(
    figure: Figure, scale: str = "page", workers: int = 1, scheduler: str | None = None, kept: Unfinished | None = None,
    until: float = float("inf"), before: Result | None = None,
) -> Result:  # fmt: skip
    """Compute a figure and return its result. With `kept` it goes on where it was stopped.

    until : when to stop, by the monotonic clock; the result is then that of the data seeds that are complete.
    before : the result of the data seeds that an earlier run completed, which are not run again.
    """
    planned = plan(figure, scale) if before is None else paper_size.rest(plan(figure, scale), before)
    found = {} if kept is None else kept.read(planned.works)
    waiting = [work for work in planned.works if work.number not in found]
    if until < float("inf"):
        waiting = paper_size.in_order(waiting)
    said = time.monotonic()
    # a cluster has the library and not the pages, so that what a function makes is made here
    on_cluster = [work for work in waiting if not isinstance(work, Computation)] if scheduler else []
    here = [work for work in waiting if work not in on_cluster] if scheduler else waiting
    for works, where in ((on_cluster, scheduler), (here, None)):
        for work, part in run(works, workers, where) if works else ():
            found[work.number] = part
            if kept is not None:
                kept.keep(work, part)
            if time.monotonic() > said + SAID:
                said = time.monotonic()
                print(f"  {figure.id}: {len(found):,} of {len(planned.works):,} runs", flush=True)
            if time.monotonic() > until:
                return described(figure, planned, found, before)
    return described(figure, planned, found, before)


def described(figure: Figure, planned: FigurePlan, found: Mapping[int, Any], before: Result | None = None) -> Result:
    """Return the result with what it was computed from: digests, versions, the day.

    Where `before` was computed with other sources, none are noted, so that `--verify` compares the whole.
    """
    versions = {"python": python_version()} | {name: version(name) for name in PACKAGES}
    whole = before is None and len(found) == len(planned.works)
    gathered = planned.gather(found) if whole else paper_size.gathered(planned, found, before)
    return replace(
        gathered, setup=setup_digest(figure, planned.scale), code=code_digest(figure),
        sources=sources() if before is None or before.sources == sources() else "",
        versions=versions, made=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )  # fmt: skip


def chosen(ids: Sequence[str]) -> list[Figure]:
    """Return the figures with these ids, or all of them for none; an id ending in * stands for all that begin so.

    Raises
    ------
    ValueError : for an id that no figure has.
    """
    known = catalogue.figures()
    found: dict[str, Figure] = {}
    for id in ids or ["*"]:
        alike = [i for i in known if i == id or (id.endswith("*") and i.startswith(id[:-1]))]
        if not alike and ids:
            raise ValueError(f"there is no figure {id!r}; known are: {', '.join(known)}")
        found |= {i: known[i] for i in alike}
    return list(found.values())


def estimates(figures: Sequence[Figure], folder: Path = FOLDER) -> list[str]:
    """Return in lines how long each figure took at the page's scale, and where more takes, at the paper's.

    The estimate grows with the steps of all runs, or with the data seeds where some were run at the paper's scale. A
    learner whose steps grow dearer as data come in takes longer.
    """
    lines, here, there, left = [], 0.0, 0.0, 0.0
    for figure in figures:
        result, paper = read(figure.id, folder), paper_size.figure_of(figure)
        if result is None:
            lines.append(f"{figure.id}: never computed")
            continue
        share, ran = paper_size.share(figure, folder)
        times = amount(paper, paper_size.SCALE) / max(1, amount(figure, "page"))
        whole = ran / share if share else result.seconds * times
        here, there, left = here + result.seconds, there + whole, left + whole - ran
        said = f", at the paper's scale {whole:,.0f} s, {100 * share:.0f} % of it done" * bool(paper.panels)
        lines.append(f"{figure.id}: {result.seconds:,.0f} s{said}")
    sized = f"at the paper's scale {there / 3600:,.1f} h, {left / 3600:,.1f} h of it left"
    return [*lines, f"all: {here / 60:,.0f} min, {sized}, in one process"]


def verified(figure: Figure, result: Result | None, folder: Path, workers: int = 1) -> str:
    """Return in a sentence how a result is not what the present code gives, "" after noting that it is."""
    if result is None or result.setup != setup_digest(figure, result.scale):
        return "It was not computed from this setup."
    now = code_digest(figure), sources()
    said = "" if now == (result.code, result.sources) else one_seed(figure, result, workers=workers)
    if not said:
        record(figure.id, *now, folder)
    return said


def parser(prog: str, words: str | None) -> argparse.ArgumentParser:
    """Return the parser of a command on figures, with the options that figures and causes share."""
    found = argparse.ArgumentParser(prog, description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("ids", nargs="*", help="of figures, such as C-fig2 or C-*; all of them without")
    found.add_argument("--workers", type=int, default=1, help="processes")
    found.add_argument("--folder", type=Path, help="of the results, by default that from which the page reads")
    found.add_argument("--kept", type=Path, help="folder of what has been computed of what is not finished")
    found.add_argument("--minutes", type=float, default=float("inf"), help="after which nothing more is begun")
    found.add_argument("--again", action="store_true", help="compute what is up to date as well")
    found.add_argument("--estimate", action="store_true", help="compute nothing; say how long it takes")
    found.add_argument("--check", action="store_true", help="compute nothing; list what is missing or old")
    return found


def told(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> tuple[argparse.Namespace, list[Figure]]:
    """Return what a command is told, with the figures that it names and its end on the monotonic clock."""
    given = parser.parse_args(arguments)
    try:
        figures = chosen(given.ids)
    except ValueError as error:
        parser.error(str(error))
    given.until = time.monotonic() + 60 * given.minutes
    warnings.simplefilter("ignore", RuntimeWarning)
    sources()  # now, since the code that runs is that which has just been imported
    return given, figures


def main(arguments: Sequence[str] | None = None) -> int:
    """Compute figures from the command line; return 1 if --check or --verify finds a result that is not right."""
    options = parser("python -m pages.figures", __doc__)
    options.add_argument("--scale", choices=("paper", "page", "live"), default="page", help="how much is run")
    options.add_argument("--scheduler", help="address of a Dask scheduler, such as tcp://127.0.0.1:8786")
    options.add_argument("--verify", action="store_true", help="run one data seed again, and say where it differs")
    given, figures = told(options, arguments)
    if given.scale == "live" and given.folder is None:
        options.error("--scale live needs a --folder, so that the results of the page stay as they are")
    if given.estimate:
        print("\n".join(estimates(figures, given.folder or FOLDER)))
        return 0
    folder, wrong = given.folder or (FOLDER if given.scale == "page" else paper_size.folder()), list[str]()
    if given.scale == paper_size.SCALE:
        figures = [figure for figure in map(paper_size.figure_of, figures) if figure.panels]
    for figure in figures:
        code_digest(figure)
    for figure in figures:
        before = read(figure.id, folder)
        problem = "It was never computed." if before is None else catalogue.stale(figure, before) or before.partial
        if given.check:
            wrong += [figure.id] * bool(problem)
            print(f"{figure.id}: {problem or 'up to date'}")
            continue
        if not problem and not (given.again or given.verify):
            print(f"{figure.id}: up to date")
            continue
        if needed := missing(figure):
            print(f"{figure.id}: {needed}")
            continue
        if given.verify:
            try:
                said = verified(figure, before, folder, given.workers)
            except Exception as error:  # one figure that cannot run hides nothing of the others
                said = f"It raised {type(error).__name__}: {error}"
            wrong += [figure.id] * bool(said)
            print(f"{figure.id}: {said or 'one data seed gives the same numbers'}", flush=True)
            continue
        if time.monotonic() > given.until:
            break
        began = time.perf_counter()
        kept = Unfinished(figure, given.scale, given.kept)
        begun = None if given.again or before is None or catalogue.stale(figure, before) else before
        result = compute(figure, given.scale, given.workers, given.scheduler, kept, given.until, begun)
        file = write(figure.id, result, folder)
        if not result.partial:
            kept.forget()
        if given.scale == paper_size.SCALE:
            print(f"{figure.id}: {time.perf_counter() - began:.1f} s. {result.partial}", flush=True)
            continue
        print(f"{figure.id}: {time.perf_counter() - began:.1f} s, {file.stat().st_size / 1000:.0f} kB, "
              f"{figure.verdict(result)}", flush=True)  # fmt: skip
        for statement in figure.statements:
            print(f"  {statement.verdict(result)}: {statement.here(result)}")
            for words, holds in statement.outcomes(result):
                print(f"    {'yes' if holds else 'NO'}: {words}", flush=True)
    if wrong and given.verify:
        print(f"not the same: {', '.join(wrong)}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
