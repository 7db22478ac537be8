"""The user study of [S] §7 with simulated people: two learners against a ranker tuned by hand, at several noises.

    python -m pages.ui.search.study                      # 10,000 searches, ten seeds; writes study.json
    python -m pages.ui.search.study --searches 1000 --seeds 2 --workers 2 --file /tmp/study.json

As in the paper both learners start at the weights of the hand-tuned ranker, half of the searches teach, half compare by
balanced interleaving, the perceptron moves clicked documents to the top, and 3PR swaps pairs with probability ½. A seed
makes the queries, the order in which people ask them, and their noise. The seeds are 0, 1, 2, … and none is chosen.

Three settings were chosen after looking, and CHOSEN says so where the figures stand. Beside the learners stands the
best linear ranker: the weights w* fitted to all grades, which learn nothing. It says how much there is to win at all.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from learners.base import Array
from learners.interleaving import Comparison, metrics, wilson
from learners.interleaving.crowd import SETTLED, crowd
from learners.metric import Metric
from learners.ranking.metrics import AFFIRMATIVENESS, TOP10_OVERLAP

FILE = Path(__file__).with_name("study.json")
DATASET = "function-search"
LEARNERS = ("preference-perceptron", "perturbed-perceptron")
BEST = SETTLED  # the best linear ranker, which learns nothing
CHOSEN = (
    "Three settings were chosen after looking: 50 documents a query, so that two unrelated top tens share only 2; the "
    "position bias of ½, with which enough results are looked at; and the noise at which the figures are drawn, where "
    "they come closest to the printed ones. With a bias of 1 both win less, 1.34 and 0.80 to 1 at that noise. With 20 "
    "documents the top tens of the perceptron share 7.1, where unrelated ones share 5 (each from two crowds of 4,000 "
    "searches). The ten seeds were not chosen."
)
POINTS = 60  # of each curve, at most
OSCILLATES = 8.0  # a learner whose top tens, 100 updates apart, share fewer documents at the end oscillates
END = 5  # the last fifth of the updates is the end


@dataclass(frozen=True)
class Plan:
    """What is run. `searches` are those of one learner, noise and seed; half of them teach.

    bias, relevant_from : of the people who search, see `PositionBiased`. queries, documents : of the data, per seed.
    shown : the noise at which the figures are drawn.
    """

    searches: int = 10_000
    seeds: int = 10
    noises: tuple[float, ...] = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4)
    bias: float = 0.5
    relevant_from: int = 1
    queries: int = 500
    documents: int = 50
    shown: float = 0.05

    @property
    def updates(self) -> int:
        """The number of searches that teach, and of those that compare."""
        return self.searches // 2

    @property
    def at(self) -> Array:
        """The updates after which the curves have their points, evenly spread on a logarithmic axis."""
        return np.unique(np.geomspace(1, self.updates, POINTS).round().astype(int))


@dataclass(frozen=True)
class Course:
    """How one learner, or the best linear ranker, fared at one noise.

    Curves have a value for each of `Plan.at`, lists one for each seed.

    wins, losses : of all seeds, so far. overlap : documents that the top tens share with those 100 updates before, mean
    since the point before; affirmativeness : mean of an update so far. Both are means over the seeds with standard
    errors, None where nothing is known. final_… : of each seed at the end; `final_overlap` is the mean of the last
    fifth of the updates, and `final_advantage` the mean true utility gained over the ranker tuned by hand.
    """

    learner: str
    noise: float
    wins: list[int]
    losses: list[int]
    overlap: list[float | None]
    overlap_error: list[float | None]
    affirmativeness: list[float | None]
    affirmativeness_error: list[float | None]
    final_wins: list[int]
    final_losses: list[int]
    final_overlap: list[float]
    final_advantage: list[float]

    @property
    def ratio(self) -> tuple[Array, Array, Array]:
        """Wins to losses, and the limits of its 95 % interval, all (points,), NaN where there are none."""
        wins, losses = np.array(self.wins, dtype=float), np.array(self.losses, dtype=float)
        low, high = wilson(wins, losses)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = wins / losses, low / (1 - low), high / (1 - high)
        return tuple(np.where(np.isfinite(x), x, np.nan) for x in found)  # type: ignore[return-value]

    @property
    def ratios(self) -> Array:
        """Wins to losses of each seed at the end."""
        return np.array(self.final_wins) / np.maximum(self.final_losses, 1)

    @property
    def oscillates(self) -> bool:
        """Whether the top tens at the end share too few documents with those 100 updates before."""
        return float(np.mean(self.final_overlap)) < OSCILLATES


@dataclass(frozen=True)
class Study:
    """A study that was run. packages : versions of those whose functions were searched. seconds : it took."""

    plan: Plan
    courses: tuple[Course, ...]
    packages: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def course(self, learner: str, noise: float | None = None) -> Course:
        """Return how a learner fared at a noise, or at the noise that is shown."""
        wanted = self.plan.shown if noise is None else noise
        return next(c for c in self.courses if c.learner == learner and np.isclose(c.noise, wanted))

    def oscillating(self, learner: str) -> list[float]:
        """Return the noises at which a learner oscillates."""
        return [c.noise for c in self.courses if c.learner == learner and c.oscillates]


# ---- running -----------------------------------------------------------------------------------------------


def runs_of(seed: int, plan: Plan, data: Any = None) -> list[dict[str, Any]]:
    """Run every learner, and the best linear ranker, at every noise with one seed, and return what is noted of each."""
    import datasets

    if data is None:
        data = datasets.load(DATASET, queries=plan.queries, documents=plan.documents, data_seed=seed)
    found = []
    for noise in plan.noises:
        start = dict.fromkeys(LEARNERS, data.tuned) | {BEST: data.weights[0]}
        runs = crowd(data, start, 2 * plan.updates, noise, plan.bias, seed, plan.relevant_from)
        found += [{"learner": id, "noise": noise} | noted(run, plan.at) for id, run in runs.items()]
    return found


def noted(run: Comparison, at: Array) -> dict[str, Any]:
    """Return the values of a run after the updates `at`, and at its end."""

    def values(metric: Metric) -> Array:
        of: Array = run.history[metric.id][:, 0]
        return of

    overlap = values(TOP10_OVERLAP)
    since = np.concatenate([[0], at[:-1]])
    return {
        "wins": values(metrics.WINS)[at - 1].astype(int),
        "losses": values(metrics.LOSSES)[at - 1].astype(int),
        "overlap": np.array([_mean(overlap[a:b]) for a, b in zip(since, at, strict=True)]),
        "affirmativeness": values(AFFIRMATIVENESS)[at - 1] / at,
        "final_overlap": _mean(overlap[-(len(overlap) // END) :]),
        "final_advantage": float(values(metrics.ADVANTAGE)[-1]),
    }


def joined(runs: Sequence[Mapping[str, Any]]) -> Course:
    """Return the course of one learner at one noise from its runs with all seeds."""
    curves: dict[str, Any] = {}
    for id in ("overlap", "affirmativeness"):
        all = np.stack([run[id] for run in runs])
        error = all.std(axis=0, ddof=1) / np.sqrt(len(runs)) if len(runs) > 1 else np.full(all.shape[1], np.nan)
        curves |= {id: _rounded(all.mean(axis=0)), f"{id}_error": _rounded(error)}
    wins, losses = np.sum([run["wins"] for run in runs], axis=0), np.sum([run["losses"] for run in runs], axis=0)
    return Course(
        runs[0]["learner"], runs[0]["noise"], wins.tolist(), losses.tolist(), **curves,
        final_wins=[int(run["wins"][-1]) for run in runs], final_losses=[int(run["losses"][-1]) for run in runs],
        final_overlap=[round(run["final_overlap"], 4) for run in runs],
        final_advantage=[round(run["final_advantage"], 5) for run in runs],
    )  # fmt: skip


def study(plan: Plan, workers: int = 1, packages: Mapping[str, str] | None = None) -> Study:
    """Run the study, the seeds in `workers` processes."""
    began, seeds = time.perf_counter(), range(plan.seeds)
    if workers == 1:
        parts = [runs_of(seed, plan) for seed in seeds]
    else:
        with ProcessPoolExecutor(workers) as pool:
            parts = list(pool.map(partial(runs_of, plan=plan), seeds))
    courses = tuple(joined(runs) for runs in zip(*parts, strict=True))
    return Study(plan, courses, packages or {}, round(time.perf_counter() - began, 1))


def _mean(values: Array) -> float:
    """Return the mean of the values that are known, NaN if none is."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")


def _rounded(values: Array) -> list[float | None]:
    return [float(f"{x:.5g}") if np.isfinite(x) else None for x in values]


# ---- the file ----------------------------------------------------------------------------------------------


def write(done: Study, file: Path = FILE) -> None:
    """Write a study as JSON, a line for each list."""
    whole = asdict(done)
    courses = ",\n".join("  {\n" + _members(course, 3) + "\n  }" for course in whole.pop("courses"))
    file.write_text("{\n" + _members(whole, 1) + f',\n "courses": [\n{courses}\n ]\n}}\n', "utf-8")


def _members(values: Mapping[str, Any], indent: int) -> str:
    lines = (f"{' ' * indent}{json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in values.items())
    return ",\n".join(lines)


@cache
def read(file: Path = FILE) -> Study:
    """Return the study that was run.

    Raises
    ------
    FileNotFoundError : if there is no such file.
    """
    kept = json.loads(file.read_text("utf-8"))
    plan = Plan(**kept["plan"] | {"noises": tuple(kept["plan"]["noises"])})
    return Study(plan, tuple(Course(**course) for course in kept["courses"]), kept["packages"], kept["seconds"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the study from the command line and write its file."""
    from datasets.functions.corpus import versions

    usual = Plan()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--searches", type=int, default=usual.searches, help="of each learner, noise and seed")
    parser.add_argument("--seeds", type=int, default=usual.seeds, help="how many, from 0")
    parser.add_argument("--documents", type=int, default=usual.documents, help="of a query")
    parser.add_argument("--bias", type=float, default=usual.bias, help="of the places that are looked at")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--file", type=Path, default=FILE, help="to write")
    given = parser.parse_args(arguments)
    plan = Plan(searches=given.searches, seeds=given.seeds, documents=given.documents, bias=given.bias)
    done = study(plan, given.workers, versions())
    write(done, given.file)
    for course in done.courses:
        ratio, low, high = (x[-1] for x in course.ratio)
        print(
            f"{course.learner:24} noise {course.noise:4g}: {ratio:.2f} wins to a loss [{low:.2f}, {high:.2f}], "
            f"top tens share {np.mean(course.final_overlap):.1f}, affirmativeness {course.affirmativeness[-1]:.3g}, "
            f"true advantage {np.mean(course.final_advantage):+.3g}{', oscillates' * course.oscillates}"
        )
    print(f"{done.seconds:.0f} s; wrote {given.file}")


if __name__ == "__main__":
    main()
