"""What compiled steps gain over an older version, and what they cost: python -m tests.benchmarks.bench_compiled
[--old ../old] [--rounds 5] [case …]

`--old` names a checkout of the version to compare with; without it only this one is measured. Old and new are measured
in turn, round by round, each in a process of its own. A figure is the best of some short slices, all of the same steps
of the same run; a ratio is the median of the rounds' ratios with their range. Times are CPU time unless called wall.
“Same” says whether both end with the same value of every metric.

Without a case all run except `size`, which takes 2 GB.
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.side_by_side import NEW, Pair, Refused, Worker, table

WEB = {"dataset": "web-search", "size": {"queries": 2000, "documents": 20, "features": 136}}
HEADLINE = {"learner": "perturbed-perceptron", "user": "noisy-grades", **WEB}
SHORT = {1: {"steps": 1024, "slices": 3}, 20: {"steps": 256, "slices": 3}}  # for the many learners and users
HEAVY = {"ranking-svm": 16, "second-order-perceptron": 4}  # take this many times fewer steps
VARIANTS = (
    ("perturbed-perceptron", {"dynamic": True}),
    ("exponentiated-perceptron", {"rate": "variable"}),
    ("convex-perceptron", {"radius": 1.0}),
    ("second-order-perceptron", {"radius": 0.05, "epsilon": 1.0}),  # projects at every step
)
LABS = (
    ("stability", {}), ("stability", {"replicates": "10"}), ("coactive", {}), ("bandit", {}), ("multilabel", {}),
    ("stability", {"mode": "interleaved"}), ("semi_supervised", {}), ("learning_to_rank", {}), ("refinement", {}),
    ("coactive", {"dataset": "movies", "user": "item-better", "learner-2": "random-ranking", "learner-3": "none",
                  "learner-4": "none", "steps": "300"}),
)  # fmt: skip
THREADS = (
    ("3PR, R = 1", HEADLINE, 40_000),
    ("3PR, R = 20", HEADLINE | {"replicates": 20}, 3000),
    ("preference perceptron, cascade, toy, R = 10",
     {"learner": "preference-perceptron", "dataset": "toy-ranking", "replicates": 10}, 20_000),
    ("Banditron, SynSep, R = 20",
     {"learner": "banditron", "dataset": "synsep", "size": {"examples": 20_000}, "replicates": 20}, 20_000),
    ("multilabel-ucb, K = 40, d = 20, R = 10",
     {"learner": "multilabel-ucb", "dataset": "multilabel-synthetic", "size": {"labels": 40, "features": 20},
      "replicates": 10}, 500),
)  # fmt: skip
FIRST = {
    "preference perceptron, cascade": {"learner": "preference-perceptron", "dataset": "toy-ranking"},
    "3PR, noisy grades (the kernel is there)": {"learner": "perturbed-perceptron", "dataset": "toy-ranking",
                                                "user": "noisy-grades"},
    "Banditron": {"learner": "banditron", "dataset": "digits"},
    "multilabel-ucb": {"learner": "multilabel-ucb", "dataset": "multilabel-synthetic"},
}  # fmt: skip


def headline(workers, rounds):
    """3PR on web search 2000 × 20 × 136, noisy grades, every metric on (µs a step and replicate)."""
    rows, best = [], {}
    for replicates, steps, asked in ((1, 4096, "30"), (20, 1024, "4"), (100, 256, "4")):
        pair = Pair.of(workers, rounds, "steps", **HEADLINE, replicates=replicates, steps=steps)
        best[replicates] = pair.best()[1]
        rows.append([f"R = {replicates}", *pair.best(), pair.ratio(), asked, pair.same()])
    table(["", "old", "new", "old / new", "asked", "same"], rows)
    print(f"R = 1 against R = 20: {best[1] / best[20]:.2f} × (asked: at most 1.5)\n")


def _each(workers, rounds, named):
    """Print a row for each setup at R = 1 and R = 20."""
    head = ["", *(f"{x}, R = {r}" for r in SHORT for x in ("old", "new", "old / new", "same"))]
    table(head, (_row(workers, rounds, name, setup) for name, setup in named))


def _row(workers, rounds, name, setup):
    row = [name]
    for replicates, sizes in SHORT.items():
        sizes = sizes | {"steps": sizes["steps"] // HEAVY.get(setup["learner"], 1)}
        try:
            pair = Pair.of(workers, rounds, "steps", **setup, **sizes, replicates=replicates)
            row += [*pair.best(), pair.ratio(), pair.same()]
        except Refused as error:
            row += ["–", "–", "–", str(error)[:90]]
    return row


def learners(workers, rounds):
    """Every ranking learner with the default user on the same data (µs a step and replicate)."""
    found = [(id, {}) for id in workers[-1].ask("ids", family="ranking")["learners"]]
    names = [(" ".join(map(str, (id, *params.values()))), id, params) for id, params in (*found, *VARIANTS)]
    _each(workers, min(rounds, 3), [(name, {"learner": id, "params": params, **WEB}) for name, id, params in names])


def users(workers, rounds):
    """Every user with the preference perceptron on the same data (µs a step and replicate)."""
    found = workers[-1].ask("ids", family="ranking")["users"]
    named = [(id, {"learner": "preference-perceptron", "user": id, **WEB}) for id in found]
    _each(workers, min(rounds, 3), named)


def labs(workers, rounds):
    """The default run of every lab as its page makes it, and others (ms; to make, and to run).

    “At once” is the same run as a script takes it, one call of `advance` for each learner.
    """
    runs = [(" ".join((page, *query.values())), "run_of_lab", {"page": page, "query": query}) for page, query in LABS]

    def rows():
        for name, measure, arguments in (*runs, ("lower_bound", "run_of_game", {})):
            try:
                pair = Pair.of(workers, min(rounds, 3), measure, **arguments)
            except Refused as error:
                yield [name, str(error)[:90], *["–"] * 9]
                continue
            making, time, at_once = (pair.best(what) for what in ("making", "time", "at_once"))
            yield [
                name, pair.new[0]["words"], *making, *time, pair.ratio(), *at_once, pair.ratio("at_once"), pair.same()
            ]  # fmt: skip

    table(["lab", "", "old makes", "new makes", "old", "new", "old / new", "old, at once", "new, at once",
           "old / new", "same"], rows())  # fmt: skip
    print("asked: stability at R = 10 under 60 ms, none slower\n")


def size(workers, rounds):
    """One pass over data of the paper's size, 28,000 × 23 × 700 in single precision, R = 1."""
    rows = []
    for worker in workers:  # in turn, each alone with its memory
        with Worker(worker.checkout) as own:
            found = own.ask("one_pass", queries=28_000, documents=23, features=700)
        name = "new" if worker is workers[-1] else "old"
        rows.append([
            name, found["time"], found["wall"], *(f"{found[m] / found['data']:.2f}" for m in ("loaded", "peak")),
            f"{found['interpreter'] / 1e6:.0f} MB", f"{found['numbers']['ndcg@5']:.6f}",
        ])  # fmt: skip
    table(["", "s, CPU", "s, wall", "peak after loading / data", "peak / data", "interpreter", "NDCG@5"], rows)
    print(f"old / new: {rows[0][1] / rows[-1][1]:.2f} (asked: 3; peak under 1.2 × the data)\n")


def threads(workers, rounds):
    """Two simulations in two threads against one after the other (s, wall), this version. Asked: 1.7."""

    def rows():
        for name, setup, steps in THREADS:
            try:
                found = [workers[-1].ask("threads", steps=steps, **setup) for _ in range(min(rounds, 3))]
            except Refused as error:
                yield [name, "–", "–", str(error)[:90]]
                continue
            one, two = (min(f[how] for f in found) for how in ("one after the other", "two threads"))
            each = ", ".join(f"{f['one after the other'] / f['two threads']:.2f}" for f in found)
            yield [name, one, two, f"{one / two:.2f} (rounds: {each})"]

    table(["", "one after the other", "two threads", "gain"], rows())


def documents(workers, rounds):
    """Cost against the number of documents, 136 features, 20,000 documents in all (ns a document, step, replicate)."""

    def row(n):
        found = [f"n = {n}"]
        for replicates in (1, 10, 100):
            setup = HEADLINE | {
                "dataset": "gaussian",
                "size": {"queries": 20_000 // n, "documents": n, "features": 136},
            }
            steps = max(8, 40_000 // n // replicates)
            pair = Pair.of(
                workers[-1:], min(rounds, 3), "steps", **setup, replicates=replicates, warm=8, steps=steps, slices=3
            )
            found += [pair.best()[1], 1e3 * pair.best()[1] / n]
        return found

    head = ["", *(x for r in (1, 10, 100) for x in (f"µs a step, R = {r}", "ns a document"))]
    table(head, (row(n) for n in (10, 20, 50, 100, 200, 500, 1000)))


def slices(workers, rounds):
    """The same run in calls of `advance` for 1, 16, 256 and 1,024 steps, as pages take them (µs a step and replicate).

    A page asks for one step at a time at slow speeds and after Step, and for at most 256 otherwise.
    """

    def rows():
        for replicates in (1, 20):
            for at_once in (1, 16, 256, 1024):
                steps = {"steps": 1024, "slices": 3, "at_once": at_once}
                pair = Pair.of(workers, min(rounds, 3), "steps", **HEADLINE, **steps, replicates=replicates)
                yield [f"R = {replicates}, {at_once:,} at once", *pair.best(), pair.ratio(), pair.same()]

    table(["", "old", "new", "old / new", "same"], rows())


def profile(workers, rounds):
    """Where a step's time goes (% of CPU time, sampled), 3PR as in `headline`."""
    for replicates in (1, 20):
        found = [worker.ask("profile", **HEADLINE, replicates=replicates) for worker in workers]
        parts = sorted({part for f in found for part in f["shares"]}, key=lambda p: -found[0]["shares"].get(p, 0))
        rows = [[part, *(f"{100 * f['shares'].get(part, 0):.1f} %" for f in found)] for part in parts]
        rows.append(["µs a step and replicate, sampling included", *(f["time"] for f in found)])
        table([f"R = {replicates}", *("old", "new")[-len(found) :]], rows)


def compiling(workers, rounds):
    """First steps with an empty cache of compiled code and with a full one (s), and the size of the cache."""
    with tempfile.TemporaryDirectory() as folder:
        cache = {"FEEDBACK_LAB_CACHE": folder, "NUMBA_CACHE_DIR": folder}
        found = {}
        for when in ("cold", "warm"):
            with Worker(NEW, **cache) as worker:
                found[when] = worker.ask("first_steps", setups=FIRST)
        head = ["", *(f"{when}, {clock}" for when in found for clock in ("wall", "CPU"))]
        table(head, [[name, *(x for f in found.values() for x in f[name])] for name in found["cold"]])
        files = [f for f in Path(folder).rglob("*") if f.is_file()]
        print(f"cache: {len(files)} files, {sum(f.stat().st_size for f in files) / 1e6:.1f} MB\n")


CASES = {f.__name__: f for f in (headline, learners, users, labs, size, threads, slices, documents, profile, compiling)}


def main():
    parser = argparse.ArgumentParser(prog="bench_compiled")
    parser.add_argument("--old", type=Path, help="folder of the version to compare with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("case", nargs="*", help=f"among {', '.join(CASES)}")
    given = parser.parse_args()
    chosen = given.case or [name for name in CASES if name != "size"]
    if unknown := [name for name in chosen if name not in CASES]:
        parser.error(f"case must be among {', '.join(CASES)}, got {', '.join(unknown)}")
    if given.old and not (given.old / "learners").is_dir():
        parser.error(f"--old must be a folder with a checkout of the project, got {given.old}")
    for name in chosen:
        words = inspect.cleandoc(CASES[name].__doc__)
        print(f"### {name}: {words}\n\nLoad average {os.getloadavg()[0]:.1f} at the start.\n", flush=True)
        workers = [Worker(checkout) for checkout in (given.old, NEW) if checkout]
        try:
            CASES[name](workers, given.rounds)
        finally:
            for worker in workers:
                worker.__exit__()


if __name__ == "__main__":
    sys.exit(main())
