"""The commands `python -m learners sweep`, `compare` and `merge`, which read an experiment from a file.

    python -m learners sweep setup.toml --csv table.csv                   # in this process, or --workers 4
    python -m learners sweep setup.toml --part 3/40 --out parts/          # a job of an array; start it again to resume
    python -m learners compare setup.toml --metric error-rate --seeds 20  # are the learners different?
    python -m learners merge parts/ --csv table.csv                       # of either, once all parts are there

The labs and the page Sweep export setup.toml; `learners/setup_file.py` says what it holds.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from datasets.parameters import whole
from learners import setup_file
from learners.compare import compared, planned, rivals, unit_of, values, words
from learners.compare.seeds import MOST_SEEDS, metric_of
from learners.grid import GridSpec
from learners.run.bar import bar
from learners.spec import RunSpec
from learners.sweep import Batch, Progress, gather, run
from learners.sweep.parts import ArrayPart, merged, note, noted, run_part, swept
from learners.tables import PrintedTable

SEEDS = 20
OFTEN = 60  # seconds between two lines on how far a job is


def cut(spec: RunSpec | GridSpec, metrics: Sequence[str] | None = None, seeds: int = 0) -> list[Batch]:
    """Return the smallest batches of an experiment: points of a sweep, or the learners of a run.

    seeds : of a comparison, whose batches are the learners on each seed.
    """
    if isinstance(spec, GridSpec):
        return swept(spec, metrics, spec.run.replicates)
    return planned(spec, seeds or 1, metrics)


def main(given: Sequence[str]) -> int:
    """Run a command; return 0, or 2 after a sentence that says what is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m learners", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("sweep", "compare"):
        command = commands.add_parser(name)
        command.add_argument("setup", help="the file")
        command.add_argument("--part", default="", metavar="3/40", help="run this part alone; it needs --out")
        command.add_argument("--out", type=Path, metavar="FOLDER", help="the folder of the parts")
        command.add_argument("--workers", type=int, default=1, metavar="N", help="processes that share the work")
        command.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, such as tcp://host:8786")
        if name == "compare":
            command.add_argument("--metric", help="by which they are compared; the first of the family if left out")
            command.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help=f"{SEEDS} if left out")
        else:
            command.add_argument("--metrics", metavar="A,B", help="that are reported; all of them if left out")
        _ends(command)
    command = commands.add_parser("merge")
    command.add_argument("out", type=Path, help="the folder of the parts")
    _ends(command)
    told = parser.parse_args(given)
    try:
        _merge(told) if told.command == "merge" else _run(told)
    except (ValueError, OSError) as error:
        print(f"{error}"[:1000], file=sys.stderr)
        return 2
    return 0


def _ends(command: argparse.ArgumentParser) -> None:
    command.add_argument("--csv", type=Path, metavar="FILE", help="write the table with all digits")
    command.add_argument("--latex", type=Path, metavar="FILE", help="write the table for a paper")
    command.add_argument("--quiet", action="store_true", help="no progress bar")


def _run(told: argparse.Namespace) -> None:
    spec = setup_file.load(told.setup)
    options: dict[str, Any] = {"command": told.command}
    if told.command == "compare":
        spec = rivals(spec)
        options |= {"metric": metric_of(spec, told.metric).id, "seeds": whole("seeds", told.seeds, 1, MOST_SEEDS)}
    else:
        options["metrics"] = told.metrics and [name.strip() for name in told.metrics.split(",")]
    if bool(told.part) != bool(told.out):
        raise ValueError("--part and --out go together: --part 3/40 --out parts/")
    batches = _batches(spec, options)
    if not told.part:
        with _progress(told, batches) as tell:
            parts = list(run(batches, told.workers, told.scheduler, tell))
        _tell(spec, options, parts, told)
        return
    part = ArrayPart.parse(told.part)
    note(told.out, spec, {**options, "parts": part.of})
    mine = part.of_batches(batches)
    with _progress(told, mine) as tell:
        ran = run_part(batches, part, told.out, told.workers, told.scheduler, tell)
    print(f"part {part.number} of {part.of}: {ran} of its {len(mine)} batches were left to run, and are done")


@contextmanager
def _progress(told: argparse.Namespace, batches: Sequence[Batch]) -> Iterator[Callable[[Progress], None]]:
    """Show a bar in a terminal, and in the file of a job a line a minute, with the time that is left."""
    said = time.monotonic()

    def line(now: Progress) -> None:
        nonlocal said
        if time.monotonic() - said > OFTEN and now.left is not None:
            said = time.monotonic()
            print(f"{now.share:.0%} done, about {now.left:.0f} s left", file=sys.stderr, flush=True)

    shown = sys.stderr.isatty() and not told.quiet
    with bar(shown, sum(batch.steps * batch.runs for batch in batches)) as tell:
        yield (lambda now: tell(now.done)) if shown else (lambda now: None) if told.quiet else line


def _merge(told: argparse.Namespace) -> None:
    spec, options = noted(told.out)
    _tell(spec, options, merged(_batches(spec, options), options["parts"], told.out), told)


def _batches(spec: RunSpec | GridSpec, options: dict[str, Any]) -> Any:
    metrics = [options["metric"]] if options["command"] == "compare" else options["metrics"]
    return cut(spec, metrics, options.get("seeds", 0))


def _tell(spec: RunSpec | GridSpec, options: dict[str, Any], parts: Any, told: argparse.Namespace) -> None:
    """Print what was found, and write the tables that are asked for."""
    if options["command"] == "compare" and isinstance(spec, RunSpec):
        unit, metric = unit_of(spec), metric_of(spec, options["metric"])
        found = compared(values(spec, metric.id, {batch.number: rows for batch, rows in parts}), metric.better)
        print(words.headline(found), *words.sentences(found, metric, unit), "", words.ranking(found).markdown(),
              "", words.method(found, unit), unit.words, sep="\n")  # fmt: skip
        table, caption = words.table(found), f"{metric.label}, {metric.final}. {words.method(found, unit)}"
        short = words.printed(found)
    else:
        rows = gather(parts if isinstance(spec, GridSpec) else _named(spec, parts))
        table = PrintedTable.of(rows)
        by = ["metric", *(name for name in rows if name not in ("metric", "replicate", "value"))]
        means = rows.groupby(by, sort=False).value.agg(["mean", "sem"]).reset_index()
        short = PrintedTable.of(means)
        caption = "Mean and standard error over the replicates."
        print(short.markdown())
    for path, text in ((told.csv, table.csv), (told.latex, lambda: short.latex(caption))):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text() if path is told.csv else text() + "\n", "utf-8")
            print(f"wrote {path}")


def _named(run: RunSpec, parts: Any) -> Any:
    """Return the rows of a run with the name of the learner."""
    names = run.labels()
    for batch, rows in sorted(parts, key=lambda part: part[0].number):
        rows.insert(1, "learner", names[batch.number % len(names)])
        yield batch, rows
