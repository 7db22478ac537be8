"""Multilabel classification with partial feedback [G]: what is claimed, Lemma 1, Theorem 2 and Remark 1."""

from collections.abc import Callable

import numpy as np

from learners.base import Array
from pages.ui.figures.computed import label_sets
from pages.ui.figures.figure import Figure, Over, Panel, Series, Size, Steps
from pages.ui.figures.papers.bandits.partial_feedback import UCB
from pages.ui.figures.statement import Always, Between, Expected, Statement, Value, at, highest, slope

Scaled = Callable[[Array, Array], Array]
NARROW, WIDE, PROVED = "width 0.3", "width 1", "Theorem 2's width"
_HORIZON = 20_000
LABELS, SHOWN, FEATURES, NORM, FAILS = 40, 10, 20, 4.0, 0.1  # K, S, d, U, which no true vector exceeds, and δ


def over_order(x: Array, y: Array) -> Array:
    """Return regret divided by √t log t; the logarithm is at least 1."""
    scaled: Array = y / (np.sqrt(x) * np.maximum(1, np.log(x)))
    return scaled


def bound(t: Array) -> Array:
    """Return a number that the regret of T steps does not exceed with probability 1 − δ, for the square loss.

    With the theorem's ε every p̂ is at least p, so that a step's regret is at most Σ (p̂_i − p_i) ≤ Σ ε_i over the S
    labels shown. ε_i² ≤ C x·A_i⁻¹x, and Σ_t x·A_i⁻¹x ≤ 2d ln(1 + T/d) for each of the K labels. Hence
    R_T ≤ √(2KS · T C d ln(1 + T/d)), the theorem's bound with a constant.
    """
    log = np.log(1 + t / FEATURES)
    C = NORM**2 + 4 * FEATURES * log + 120 * np.log(LABELS * (t + 4) / FAILS)  # c'_L = 4, c''_L = 1, L(−R) = 2
    found: Array = np.sqrt(2 * LABELS * SHOWN * t * C * FEATURES * log)
    return found


def over_bound(x: Array, y: Array) -> Array:
    """Return regret divided by the bound of Theorem 2."""
    scaled: Array = y / bound(x)
    return scaled


_PROVED = Series(PROVED, UCB, {"confidence": "known norm", "norm": NORM, "delta": FAILS})
_WIDTHS = (Series(NARROW, UCB, {"width": 0.3}), Series(WIDE, UCB, {"width": 1.0}), _PROVED)


def _regret(id: str, title: str, y_title: str, series: tuple[Series, ...], drawn: Scaled | None = None) -> Panel:
    return Panel(
        id, title, series, Size(_HORIZON), dataset="multilabel-synthetic", metric="cumulative-regret",
        x=Steps(points=30), x_title="T", y_title=y_title, log_y=drawn is not over_order, drawn=drawn,
        live=Size(4_000, seeds=2),
    )  # fmt: skip


def _order(name: str) -> tuple[Value, Value, Value]:
    """Return regret over √T log T after a tenth of the steps and after all of them, and its slope in between."""
    early = _HORIZON / 10
    return at("order", name, early), at("order", name), slope("regret", name, early, _HORIZON)


_WIDE, _NARROW = _order(WIDE), _order(NARROW)
_THEOREM2 = Figure(
    "G-thm2", "G", 94, "Theorem 2", "The bound on the regret, of order √T log T",
    caption=(
        "Cumulative regret on data whose labels follow the model of the theorem exactly, with 40 labels and at most "
        "ten of them shown. The first panel has it on two logarithmic axes, the second divided by the bound, whose "
        "constant the theorem leaves open: here √(2KS · T C d ln(1 + T/d)), which follows from its proof for the "
        "square loss, with U = 4 and δ = 0.1. The third has it divided by √T log T."
    ),
    panels=(
        _regret("regret", "Cumulative regret", "regret", _WIDTHS),
        _regret("bound", "Regret divided by the bound", "regret / bound", (_PROVED,), over_bound),
        _regret("order", "Regret divided by √T log T", "regret / (√T log T)", _WIDTHS, over_order),
    ),
    statements=(
        Statement(
            "With the theorem's width and probability 1 − δ, R_T = O((1 − a) c_L K √(T C d ln(1 + T/d))).",
            "The regret is never more than {ratio.most:.4f} of the bound. After 20,000 steps it is {regret:,.0f}, with "
            "a slope of {slope:.2f} on logarithmic axes.",
            Always(Value("1", lambda result: np.ones(1)), "ratio"),
            ratio=highest("bound", PROVED).named("largest share of the bound"), regret=at("regret", PROVED),
            slope=_order(PROVED)[2],
            why=(
                "The bound holds and says little. The theorem's width is so large that for these 20,000 steps nearly "
                "every label looks certain and ten labels are always shown, so that regret grows as T does. The "
                "constant covers such a time. Where √T log T sets in was not reached."
            ),
        ),
        Expected(
            "The theorem says nothing of the lab's narrower widths. With width 1 regret is of the order √T log T "
            "nevertheless.",
            "Divided by √T log T, the regret is {early:.2f} after 2,000 steps and {late:.2f} after 20,000. Over this "
            "decade its slope on logarithmic axes is {slope:.2f}, where √T log T has 0.61. With width 0.3 it is "
            "{few:.2f} and {many:.2f}, with a slope of {steep:.2f}.",
            Between((_WIDE[1] / _WIDE[0]).named("ratio after 20,000 steps divided by that after 2,000"), 0, 1.05),
            early=_WIDE[0], late=_WIDE[1], slope=_WIDE[2], few=_NARROW[0], many=_NARROW[1], steep=_NARROW[2],
            why="With width 0.3 the learner gets stuck: it stops showing rare labels of which it has seen too little.",
        ),
    ),
    chosen=(
        "The widths 0.3 and 1 are the range that the lab recommends, which was found on such data. The rules used to "
        "ask for the order √T log T from all three widths, of which the theorem promises it for its own alone, and in "
        "the long run. They were restated when the results were known."
    ),
)  # fmt: skip

_LEMMA1 = Figure(
    "G-lem1", "G", 71, "Lemma 1", "The best set is a prefix of the sorted labels",
    caption=(
        "By how much the best of all 1957 ordered sets of six labels beats the best prefix of the labels sorted by "
        "probability, over the weight a of missed labels. It is the largest difference in 20 draws of the "
        "probabilities."
    ),
    panels=(
        Panel(
            "sets", "Six labels", tuple(Series(cost, UCB) for cost in label_sets.COSTS), Size(1),
            x=Over("a", label_sets.SHARES), x_title="a", y_title="advantage over the prefix",
            computed=label_sets.prefixes,
        ),
    ),
    statements=(
        Statement(
            "The set with the least expected loss is one of the K + 1 prefixes of the labels sorted by probability.",
            "The largest advantage of any other set is {a.most:.0e} with decreasing and {b.most:.0e} with "
            "constant costs, which is rounding.",
            Between("a", -1e-12, 1e-12), Between("b", -1e-12, 1e-12),
            values=(highest("sets", cost) for cost in label_sets.COSTS),
        ),
    ),
)  # fmt: skip

_REMARK1 = Figure(
    "G-rem1", "G", 102, "Remark 1", "A maximum that should be a minimum",
    caption=(
        "The width ε of the confidence in a label that is shown in every step, for an unknown norm, with the square "
        "loss, 40 labels and 20 features. Margins lie between −1 and 1, so that a width of 2 makes every label "
        "look certain."
    ),
    panels=(
        Panel(
            "width", "Width of Remark 1", (Series(label_sets.PRINTED, ""), Series(label_sets.MEANT, UCB)),
            Size(label_sets.MOST), x=Steps(), x_title="steps", y_title="width ε", log_y=True,
            live=Size(50_000, seeds=2), computed=label_sets.widths,
        ),
    ),
    statements=(
        Statement(
            "ε² = max{x·A⁻¹x (…), 4R²}, and the regret is as in Theorem 3.",
            "After a million steps the width is {end:.2f}. It never falls below 2, so that every label looks certain "
            "for ever and nothing that is learned has an effect.",
            Between("end", 0, 1.99), end=at("width", label_sets.PRINTED),
            why="It is a misprint. The bound needs the minimum of the two. In the algorithm a width beyond 2R adds "
            "nothing.",
        ),
        Statement(
            "With the minimum in its place, a label that is often shown becomes certain at some time.",
            "The width falls below 2 and reaches {end:.2f} after a million steps. After 20,000 it is {early:.2f}.",
            Between("end", 0, 1.99), end=at("width", label_sets.MEANT), early=at("width", label_sets.MEANT, 20_000),
        ),
    ),
)  # fmt: skip

FIGURES: tuple[Figure, ...] = (_LEMMA1, _THEOREM2, _REMARK1)
