"""Coactive Learning [C], the perceptron against a ranking SVM: Figs. 7 and 8, and the cost of both (§6.2.5)."""

from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.figures.computed.cost import seconds
from pages.ui.figures.figure import Figure, Panel, Series, Size, Steps
from pages.ui.figures.papers.coactive.feedback import PERCEPTRON, TOP_FIVE, end, movies, ratio, web
from pages.ui.figures.result import Result
from pages.ui.figures.statement import Above, Between, Statement, Value, at

_PERCEPTRON, _SVM = "Preference Perceptron", "SVM"
_SERIES = (Series(_PERCEPTRON, PERCEPTRON), Series(_SVM, "ranking-svm"))
# the solver's time grows with the square of the steps: a page may have fewer of them than elsewhere
_WEB: dict[str, Any] = {"page": Size(1_000, {"queries": 1_000}), "live": Size(150, {"queries": 1_000}, seeds=2)}
_MOVIES: dict[str, Any] = {"page": Size(200, replicates=5), "live": Size(50, seeds=2, replicates=2)}
_SIZE = (
    "Training the SVM takes most of the time, so that the curves are shorter than those of Figs. 2 to 6. The SVM's "
    "loss is squared here, and C is one of four values; the paper does not print its own. "
    f"{TOP_FIVE}"
)
_EARLY = (
    "On a logarithmic axis the first steps take as much room as all later ones. There the SVM is ahead, as it is under "
    "honest feedback (Fig. 7). Counted in steps, the perceptron is ahead over most of the range."
)


def _ahead(panel: str) -> Value:
    """Return the share of the points on the axis at which the SVM has the higher average regret, for each seed."""

    def of(result: Result) -> Array:
        higher: Array = result.drawn(panel, _SVM).y > result.drawn(panel, _PERCEPTRON).y
        return np.asarray(higher.mean(axis=1))

    return Value(f"share of the axis with the {_PERCEPTRON} ahead, {panel}", of)


def _since(panel: str) -> Value:
    """Return the first step from which on the mean curve of the perceptron stays below that of the SVM."""

    def of(result: Result) -> Array:
        perceptron, svm = result.drawn(panel, _PERCEPTRON), result.drawn(panel, _SVM)
        behind = np.flatnonzero(perceptron.mean >= svm.mean)
        place = behind[-1] + 1 if len(behind) else 0
        return np.array([perceptron.numbers[min(place, len(perceptron.x) - 1)]])

    return Value(f"step from which on the {_PERCEPTRON} stays ahead, {panel}", of)


def _cost(world: str) -> Value:
    words = f"time of the {_SVM} divided by that of the {_PERCEPTRON}, {world}"
    return (at("cost", _SVM, world) / at("cost", _PERCEPTRON, world)).named(words)


FIGURES: tuple[Figure, ...] = (
    Figure(
        id="C-fig7", paper="C", order=515, where="Fig. 7", title="A ranking SVM, strict feedback",
        caption=(
            "The preference perceptron against a ranking SVM, which is trained anew on all preferences whenever they "
            "have grown by a tenth. The user gives strictly α-informative feedback, α = 0.5. " + _SIZE
        ),
        panels=(
            web(_SERIES, "strict-alpha", {"alpha": 0.5}, **_WEB),
            movies(_SERIES, "item-alpha", {"alpha": 0.5}, **_MOVIES),
        ),
        statements=(
            Statement(
                "“The Preference Perceptron performed […] comparably for web search.”",
                "Average regret ends at {svm:.3f} for the SVM and {perceptron:.3f} for the perceptron, a factor of "
                "{ratio:.2f}.",
                Between("ratio", 0.67, 1.5), svm=at("web", _SVM), perceptron=at("web", _PERCEPTRON),
                ratio=ratio("web", _SVM, _PERCEPTRON),
            ),
            Statement(
                "“The Preference Perceptron performed much better than the SVM for the movie recommendation.”",
                "Average regret ends at {svm:.3f} for the SVM and {perceptron:.3f} for the perceptron, a factor of "
                "{ratio:.2f}.",
                Above("svm", "perceptron"), Above("ratio", 1.5), svm=end("movies", _SVM),
                perceptron=end("movies", _PERCEPTRON), ratio=ratio("movies", _SVM, _PERCEPTRON),
                why=(
                    "The cause is not known. It is not that these movies are made: an independent run on MovieLens "
                    "100K differs in the same way, 0.135 for the SVM and 0.179 for the perceptron after 300 steps. The "
                    "SVM was also tried with the loss not squared, with C fixed, with 5 to 100 features and with true "
                    "weights fitted without a penalty, and nowhere was it clearly behind. The paper prints neither the "
                    "number of its features nor the values of C. Learning from all pairs at once is what an SVM has "
                    "and a perceptron lacks, so that an advantage under honest feedback is no surprise."
                ),
            ),
        ),
    ),
    Figure(
        id="C-fig8", paper="C", order=518, where="Fig. 8", title="A ranking SVM, noisy feedback",
        caption=(
            "The same with noisy feedback, at depth 10 in web search and with a better rating for movies. The third "
            "panel has the processor time of both, for the paper's text has it too. " + _SIZE
        ),
        panels=(
            web(_SERIES, "depth", {"k": 10}, **_WEB),
            movies(_SERIES, "item-better", **_MOVIES),
            Panel(
                "cost", "Time of a run",
                (
                    Series(_PERCEPTRON, PERCEPTRON, printed=(("web search", 1_200.0), ("movies", 125.0))),
                    Series(_SVM, "ranking-svm", printed=(("web search", 72_000.0), ("movies", 260.0))),
                ),
                page=Size(300), x=Steps(log=False, title=""), live=Size(60, seeds=2),
                paper=Size(28_000, seeds=20), dataset="web-search",
                user="strict-alpha", y_title="seconds", log_y=True, lab="coactive", computed=seconds, timed=True,
            ),
        ),
        statements=(
            *(
                Statement(
                    "“The Preference Perceptron performs significantly better than the SVM over most of the range”, "
                    f"here {words}.",
                    "The perceptron has the lower average regret on {share:.0%} of the logarithmic axis, on average "
                    "from T = {since:.0f} on. At the end it is {svm:.3f} for the SVM and {perceptron:.3f} for the "
                    "perceptron.",
                    Above("share", 0.5), Above("svm", "perceptron"), share=_ahead(panel), since=_since(panel),
                    svm=end(panel, _SVM), perceptron=end(panel, _PERCEPTRON), why=why,
                )
                for panel, words, why in (("web", "on web search", ""), ("movies", "on movies", _EARLY))
            ),
            Statement(
                "The perceptron is there “at a fraction of the computational cost”: 20 minutes against 20 hours of web "
                "search, 125 against 260 seconds with movies.",
                "The SVM takes {web:.0f} times as long in web search, and {movies:.0f} times with movies.",
                Above("web", 10), Above("movies", 1.5), web=_cost("web search"), movies=_cost("movies"), where="§6.2.5",
            ),
        ),
    ),
)  # fmt: skip
