"""Learning from logs in figures: coverage, safety, what is learned beside 3PR, attention, and the cost of a step.

python -m tests.benchmarks.bench_off_policy [FILE]    # some minutes; writes FILE, or off_policy.json beside this file
"""

import json
import sys
import time
from itertools import pairwise, product
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

import datasets
from learners import Simulation, create
from learners.off_policy import learn
from learners.off_policy.log import Policy
from tests.learners.ranking.test_from_logs import IDS, LIST, truths

LISTS, LOGS = 10, 100  # data seeds, and logs of each: 1,000 logs
SEEDS = 100  # data seeds for safety
SIZES = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
NAMES = [*IDS, "perturbed-perceptron"]
PRPO = "logged-proximal"
VARIED = {"patience 0": {"patience": 0}, "patience 500": {"patience": 500},
          "plain rewards, patience 0": {"rewards": "plain", "patience": 0}}  # fmt: skip


def simulation(id, data_seed, replicates, **params):
    data = datasets.load(LIST, disorder=1.0, data_seed=data_seed)  # lists that were ranked well
    return Simulation(create(id, **params), data, "position-based", replicates=replicates, seed=data_seed)


def gains(sim):
    """The gain of the ranking predicted now over the lists of the log, and over the list of the ranker in use.

    In discounted chances of a click. The log shows that list with neighbours exchanged, which may be better or worse.
    """
    data = sim.dataset
    attracts = sim.user.table(data.grades, data.top_grade)[0][0]
    policy = (Policy(np.arange(data.longest), 0.1).chances() * data.gamma * attracts[:, None]).sum()
    value = (data.gamma * attracts[sim.last.shown.predicted[0]]).sum()
    return float(value - policy), float(value - (data.gamma * attracts).sum())


def coverage():
    """The share of 1,000 logs whose 95 % interval holds the value of the list learned at half of the log."""
    ends, inside, width = (31, 127, 511, 2047), {}, {}
    for id, seed in product(("logged-doubly-robust", "logged-proximal"), range(LISTS)):
        sim = simulation(id, seed, LOGS)
        for before, end in pairwise((0, *ends)):
            sim.advance(end - before)
            truth = truths(sim, sim.learner.valued)
            for way, estimate in sim.learner.values().items():
                key, known = (id, end, way), np.isfinite(estimate.high)
                inside.setdefault(key, []).append(((estimate.low <= truth) & (estimate.high >= truth))[known])
                width.setdefault(key, []).append((estimate.high - estimate.low)[known])
    return {
        f"{id}, {(end + 1) // 2} interactions, {way}": {
            "logs": sum(map(len, each)),
            "coverage": round(float(np.concatenate(each).mean()), 4),
            "width": round(float(np.concatenate(width[id, end, way]).mean()), 4),
            "by list": [round(float(part.mean()), 3) if len(part) else None for part in each],
        }
        for (id, end, way), each in inside.items()
    }


def safety():
    """Of 100 lists, one log each: how many end below the logging policy, by the size of the log."""
    asked = {id: (id, {}) for id in NAMES}
    asked |= {f"{PRPO}, {name}": (PRPO, own) for name, own in VARIED.items()}
    found = {name: {size: [] for size in SIZES} for name in asked}
    for name, (id, own) in asked.items():
        for seed in range(SEEDS):
            sim = simulation(id, seed, 1, **own)
            for before, size in pairwise((0, *SIZES)):
                sim.advance(size - before)
                found[name][size].append(gains(sim))
    return {
        name: {
            size: {
                "below": int((gain < 0).sum()),
                "below the ranker in use": int((own < -1e-12).sum()),
                "mean gain": round(float(gain.mean()), 4),
                "least gain": round(float(gain.min()), 4),
            }
            for size, (gain, own) in ((size, np.array(each).T) for size, each in sizes.items())
        }
        for name, sizes in found.items()
    }


def attention():
    """The mean error of θ over the first five places, by the clicks of logs without random orders."""
    found = {}
    for size in (200, 1000, 5000, 20000):
        errors = {}
        for seed in range(LISTS):
            sim = simulation("logged-clicks", seed, 20, epsilon=0.0)
            sim.advance(size)
            for way, looks in sim.learner.looks().items():
                error = np.abs(looks[:, :5] - 1 / np.arange(1.0, 6))
                errors.setdefault(way, []).append(float(np.nanmean(error)))
        found[size] = {way: round(float(np.mean(each)), 4) for way, each in errors.items()}
    return found


def costs(replicates, steps=4000):
    """The time of a step and replicate beside 3PR's, the median of five rounds in turn."""
    params = {"logged-propensity": {"propensities": "em"}}
    sims = {
        (id, name): (id, own)
        for id in NAMES
        for name, own in (("", {}), (" with EM", params.get(id)))
        if own is not None
    }
    taken = {key: [] for key in sims}
    for _ in range(5):
        for key, (id, own) in sims.items():
            sim = simulation(id, 0, replicates, **own)
            sim.advance(200)
            started = time.perf_counter()
            sim.advance(steps)
            taken[key].append((time.perf_counter() - started) / steps / replicates * 1e6)
    median = {"".join(key): float(np.median(each)) for key, each in taken.items()}
    return {
        name: {"µs": round(each, 2), "of 3PR": round(each / median["perturbed-perceptron"], 2)}
        for name, each in median.items()
    }


def assignments(n, logs=1000):
    """How much faster rankings of PRPO for many logs are found in compiled code than by a loop over scipy's solver."""
    rng = np.random.default_rng(0)
    estimates, ranking, discounts = rng.random((logs, n)), rng.permutation(n), 1 / np.log2(np.arange(2, n + 2))
    learn.safe(estimates[:1], ranking, discounts, 1.2)
    before = np.empty(n)
    before[ranking] = discounts
    ratio, ours, loop = discounts / before[:, None], [], []
    for _ in range(5):
        started = time.perf_counter()
        learn.safe(estimates, ranking, discounts, 1.2)
        middle = time.perf_counter()
        for estimate in estimates:
            reward = (estimate - estimate.mean())[:, None]
            clipped = np.where(reward >= 0, np.minimum(ratio, 1.2), np.maximum(ratio, 1 / 1.2))
            linear_sum_assignment(-reward * before[:, None] * clipped)
        loop.append(time.perf_counter() - middle)
        ours.append(middle - started)
    return {
        "µs a log": round(float(np.median(ours)) / logs * 1e6, 2),
        "times as fast as a loop": round(float(np.median(loop) / np.median(ours)), 2),
    }


def main(path):
    found = {
        "coverage of 95 % intervals, 1000 logs": coverage(),
        "below the logging policy, of 100 lists": safety(),
        "mean error of attention, first five places": attention(),
        "cost of a step, 1 replicate": costs(1),
        "cost of a step, 20 replicates": costs(20),
        "rankings of PRPO": {f"{n} documents": assignments(n) for n in (5, 10, 30)},
    }
    text = json.dumps(found, indent=1, ensure_ascii=False)
    print(text)
    Path(path).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("off_policy.json"))
