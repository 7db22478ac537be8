"""The measured tables of the convex-optimisation learners of [C]: python -m tests.benchmarks.tables_coactive [strict]
[batch] [exponentiated] [second] [gamma] [convex]

Without a name all of them, in about ten minutes. Web search with 2000 queries × 20 documents × 50 features, 20 data
orders, 2000 steps; mean ± standard error. Where two learners are compared, the ratio is that of their means.
"""

import sys
from functools import cache

import numpy as np

from datasets import load
from learners import Simulation, create, create_user

ORDERS, STEPS = 20, 2000
AT = np.array([10, 30, 100, 300, 1000, 2000])


@cache
def web(spectrum="isotropic"):
    return load("web-search", queries=2000, documents=20, features=50, spectrum=spectrum)


@cache
def run(id, spectrum="isotropic", user="strict-alpha", alpha=0.5, **params):
    """Histories of 20 data orders: average regret, cumulative regret, average convex regret and ratios to bounds."""
    asked = create_user(user, alpha=alpha) if user == "strict-alpha" else create_user(user)
    sim = Simulation(create(id, **params), web(spectrum), asked, replicates=ORDERS, seed=0)
    sim.advance(steps=STEPS)
    history = {metric: np.array(sim.history[metric]) for metric in (
        "average-regret", "cumulative-regret", "average-convex-regret", "bound", "bound-convex", "slack",
    )}  # fmt: skip
    return history


def cells(values, digits=4):
    """Mean ± standard error over the last axis, row by row."""
    each = zip(values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(values.shape[1]), strict=True)
    return " | ".join(f"{mean:.{digits}f} ± {error:.{digits}f}" for mean, error in each)


def head(first, steps=AT):
    print(f"\n| {first} | " + " | ".join(f"T = {t}" for t in steps) + " |\n|" + "---|" * (len(steps) + 1))


def curve(history, metric="average-regret", steps=AT):
    return history[metric][steps - 1]


def largest(history, regret="average-regret", bound="bound"):
    """Largest ratio of a curve to its bound, or - where there is none."""
    known = ~np.isnan(history[bound])
    return f"{(history[regret][known] / history[bound][known]).max():.3f}" if known.any() else "-"


def straightness(values):
    """R² of the mean against log t, from step 10 on."""
    mean, t = values.mean(axis=1)[9:], np.arange(10, len(values) + 1)
    return np.corrcoef(np.log(t), mean)[0, 1] ** 2


def strict():
    """Average regret of the preference perceptron under strictly α-informative feedback."""
    head("α")
    print(f"| random | {cells(curve(run('random-ranking')))} |")
    for alpha in (0.1, 0.5, 1.0):
        history = run("preference-perceptron", alpha=alpha)
        print(f"| {alpha} | {cells(curve(history))} |  largest ratio to Theorem 1: {largest(history)}")


def batch():
    """Average regret with an update every k steps, and what it costs against k = 1 at T = 2000."""
    for user in ("strict-alpha", "noisy-grades"):
        head(f"{user}, k")
        first = curve(run("batch-perceptron", user=user, k=1))[-1]
        for k in (1, 10, 100):
            history = run("batch-perceptron", user=user, k=k)
            found = curve(history)
            paired = found[-1] / first
            print(
                f"| {k} | {cells(found)} |  × {found[-1].mean() / first.mean():.3f} (order by order "
                f"{paired.mean():.3f} ± {paired.std(ddof=1) / np.sqrt(ORDERS):.3f}); ratio to Lemma 4: "
                f"{largest(history)}"
            )


def exponentiated():
    """Additive against multiplicative updates, fixed and variable rate."""
    for spectrum in ("isotropic", "ill-conditioned"):
        for user in ("strict-alpha", "noisy-grades"):
            head(f"{spectrum}, {user}")
            additive = run("preference-perceptron", spectrum, user)
            print(f"| additive | {cells(curve(additive))} |")
            for rate in ("fixed", "variable"):
                history = run("exponentiated-perceptron", spectrum, user, rate=rate)
                ratios = curve(history).mean(axis=1) / curve(additive).mean(axis=1)
                print(f"| {rate} η | {cells(curve(history))} |  × {np.array2string(ratios, precision=3)}, "
                      f"ratio to Theorem 5: {largest(history)}")  # fmt: skip


def second():
    """Cumulative regret of the convex and the second-order perceptron (γ = 1), and how straight it is in log t."""
    steps = np.array([100, 300, 1000, 2000])
    for spectrum in ("isotropic", "ill-conditioned"):
        for user in ("strict-alpha", "noisy-grades"):
            head(f"{spectrum}, {user}", steps)
            first = run("convex-perceptron", spectrum, user)
            rows = [("convex", first)] + [
                (f"second-order, ε = {e:g}", run("second-order-perceptron", spectrum, user, epsilon=e))
                for e in (0.1, 1.0, 10.0, 100.0)
            ]
            for name, history in rows:
                total = history["cumulative-regret"]
                print(
                    f"| {name} | {cells(total[steps - 1], 1)} |  R² in log t {straightness(total):.4f}, × "
                    f"{total[-1].mean() / first['cumulative-regret'][-1].mean():.2f}"
                )


def gamma():
    """Average regret at T = 2000 of the second-order perceptron over γ (Fig. 15), ε = 10 (isotropic), 1
    (ill-conditioned)."""
    for spectrum, epsilon in (("isotropic", 10.0), ("ill-conditioned", 1.0)):
        print(f"\n| {spectrum}: γ | average regret | ratio to Theorem 8 / 2M |\n|---|---|---|")
        for value in (1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0):
            history = run("second-order-perceptron", spectrum, gamma=value, epsilon=epsilon)
            print(f"| {value:g} | {cells(history['average-regret'][-1:])} | {largest(history)} |")


def convex():
    """Average convex regret of the quadratic loss, T · CREG_T straight in log t, and the largest ratio to the
    bounds."""
    for spectrum in ("isotropic", "ill-conditioned"):
        head(f"{spectrum}, T · CREG")
        for name, id, params in (
            ("convex", "convex-perceptron", {}),
            (
                "convex, ρ = ‖w*‖",
                "convex-perceptron",
                {"radius": float(np.linalg.norm(web(spectrum).weights)) * 1.0001},
            ),
            ("second-order, ε = 10", "second-order-perceptron", {"epsilon": 10.0}),
            ("second-order, ε = 1", "second-order-perceptron", {"epsilon": 1.0}),
        ):
            history = run(id, spectrum, **params)
            total = history["average-convex-regret"] * np.arange(1, STEPS + 1)[:, None]
            print(
                f"| {name} | {cells(total[AT - 1], 0)} |  R² in log t {straightness(total):.4f}, ratio to the convex "
                f"bound {largest(history, 'average-convex-regret', 'bound-convex')}, to the linear one "
                f"{largest(history)}"
            )


TABLES = {f.__name__: f for f in (strict, batch, exponentiated, second, gamma, convex)}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or TABLES:
        print(f"\n{chosen}: {TABLES[chosen].__doc__}")
        TABLES[chosen]()
