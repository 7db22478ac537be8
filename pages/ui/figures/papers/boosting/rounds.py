"""[V] chapters 1 and 2: what boosting promises round by round, and how many rounds are enough."""

from dataclasses import replace
from typing import Any

from pages.ui.figures.computed.training_error import training_error
from pages.ui.figures.figure import Figure, Panel, Series, Size, Steps
from pages.ui.figures.papers.boosting.semi_supervised import MCSSB, TREE, WORLDS, half, on, panel
from pages.ui.figures.statement import Above, Always, Between, Near, Statement, Value, at, least_gap, rate

EQ_1_1 = Figure(
    "V-eq1.1", "V", 293, "Eq. 1.1", "The training error of AdaBoost",
    "The share of the labelled examples that AdaBoost gets wrong, and the bound made of the weighted errors of its "
    "weak classifiers. Two moons in the plane, half of whose examples have a label; stumps as weak classifiers.",
    (
        Panel(
            "moons", "Two moons", (Series("training error", "adaboost", {"depth": 1}), Series("bound of Eq. 1.1", "")),
            Size(100), "moons", {"labelled": 0.5, "noise": 0.3}, live=Size(50, seeds=2), metric="accuracy-train",
            x=Steps(log=False), x_title="rounds", y_title="training error", computed=training_error,
        ),
    ),
    (
        Statement(
            "The training error is at most 2ᵀ ∏ √(εₜ(1 − εₜ)).",
            "After 100 rounds the error is {error:.3f} and the bound {bound:.3f}. In any round of any run the bound "
            "lies at least {gap.least:.3f} above the error.",
            Always("gap", 0), error=at("moons", "training error"), bound=at("moons", "bound of Eq. 1.1"),
            gap=least_gap("moons", "bound of Eq. 1.1", "training error"),
        ),
        Statement(
            "The training error is guaranteed to be reduced as the iteration proceeds.",
            "It falls by {first - last:.3f} from round 1 to round 100.",
            Above("first", "last"), first=at("moons", "training error", 1), last=at("moons", "training error", 100),
        ),
    ),
)  # fmt: skip

ACCURACY: dict[str, Any] = {"x": Steps(log=False), "x_title": "rounds"}
OBJECTIVE = ACCURACY | {"metric": "objective", "y_title": "objective F", "log_y": True}
SETS = ("pendigits", "optdigits", "mnist")
QUICK = Size(60, seeds=2)


def accuracy(id: str) -> Panel:
    """Return a panel with the accuracy over 200 rounds, and that of the tree."""
    return half(id, 200, series=(MCSSB, replace(TREE, reference=True)), **ACCURACY)


def objective(id: str) -> Panel:
    """Return a panel with the objective over 200 rounds."""
    found = half(id, 200, series=(MCSSB,), **OBJECTIVE)
    return replace(found, id=f"{id}-objective", title=f"{found.title}, objective")


def kept(id: str) -> Value:
    """Return the share of the objective after 50 rounds that is left after 200."""
    share = at(f"{id}-objective", "MCSSB", 200) / at(f"{id}-objective", "MCSSB", 50)
    return share.named(f"objective after 200 rounds divided by that after 50 on {WORLDS[id][0]}")


FIFTY = Figure(
    "V-2.3.4", "V", 600, "§2.3.4", "Fifty rounds of MCSSB",
    "Accuracy and objective of MCSSB over 200 rounds, with 2 % of the labels. The dissertation does not say how many "
    "rounds were tried.",
    tuple(one for id in SETS for one in (accuracy(id), objective(id))),
    (
        Statement(
            "The classification accuracy remains essentially the same after 50 iterations.",
            "From round 50 to 200 it changes by {p200 - p50:+.1p} points on Pendigits, {o200 - o50:+.1p} on Optdigits "
            "and {m200 - m50:+.1p} on the digits that stand in for MNIST, from round 100 to 200 by "
            "{p200 - p100:+.1p}, {o200 - o100:+.1p} and {m200 - m100:+.1p}.",
            *(Near(f"{id[0]}200 - {id[0]}50", 0, 0.02) for id in SETS),
            values={f"{id[0]}{t}": on(id, "MCSSB", t, "round {}") for id in SETS for t in (50, 100, 200)},
        ),
        Statement(
            "The objective function remains essentially the same after 50 iterations.",
            "After 200 rounds it is {p:.0%}, {o:.0%} and {m:.0%} of what it was after 50.",
            *(Between(id[0], 0.9, 1) for id in SETS), values={id[0]: kept(id) for id in SETS},
        ),
    ),
    why="Nothing in the algorithm ends at 50 rounds. The steps become smaller but stay positive, and both "
    "curves become flat later.",
    chosen="Of Pendigits half of the training examples are taken, which was decided after measuring the time.",
)  # fmt: skip

DESCENT = (replace(MCSSB, name="F"), replace(MCSSB, name="bound", metric="bound", reference=True))

THEOREM_4 = Figure(
    "V-thm4", "V", 629, "Theorem 4", "The objective of MCSSB and its bound",
    "The objective F and the bound of Theorem 4, with 2 % of the labels. The last index of the bound is misprinted in "
    "the dissertation and should be l.",
    tuple(panel(id, series=DESCENT, page=Size(50), live=QUICK, paper=None, **OBJECTIVE) for id in SETS),
    (
        Statement(
            "The objective is at most F⁰ exp(−Σ (√(Aᵤ + CAₗ) − √(Bᵤ + CBₗ))² / Fᵗ⁻¹).",
            "After 50 rounds the objective is {p:.0%}, {o:.0%} and {m:.0%} of the bound. The bound exceeds it by "
            "at least {gp.least:,.0f}, {go.least:,.0f} and {gm.least:,.0f} in any round of any run.",
            *(Always(f"g{id[0]}", 0) for id in SETS),
            values={id[0]: at(id, "F") / at(id, "bound") for id in SETS}
                | {f"g{id[0]}": least_gap(id, "bound", "F") for id in SETS},
        ),
        Statement(
            "The algorithm reduces the objective exponentially.",
            "The rate of its fall in rounds 25 to 50 is {p:.0%}, {o:.0%} and {m:.0%} of that in rounds 1 to 25.",
            *(Above(id[0], 0.5, 0) for id in SETS),
            values={id[0]: rate(id, "F", 25, 50) / rate(id, "F", 1, 25) for id in SETS},
            why=(
                "The bound falls by the progress of each round, and the progress shrinks as the weak classifiers come "
                "closer to chance."
            ),
        ),
    ),
)  # fmt: skip

FIGURES = (EQ_1_1, FIFTY, THEOREM_4)
