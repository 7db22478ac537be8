"""Coactive Learning [C], the perceptron against a ranking SVM: Figs. 7 and 8, and the cost of both (§6.2.5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.figures.figure import Figure, Panel, Series, Size
from pages.ui.figures.made.cost import seconds
from pages.ui.figures.papers.coactive_feedback import BOTH, PERCEPTRON, movies, ratio, web
from pages.ui.figures.result import Result
from pages.ui.figures.statement import Above, Between, Statement, Value, at

_PERCEPTRON, _SVM = "Preference Perceptron", "SVM"
_SERIES = (Series(_PERCEPTRON, PERCEPTRON), Series(_SVM, "ranking-svm"))
# the solver's time grows with the square of the steps: a page may have fewer of them than elsewhere
_WEB: dict[str, Any] = {"page": Size(1_000, {"queries": 1_000}), "live": Size(200, {"queries": 1_000}, seeds=3)}
_MOVIES: dict[str, Any] = {"page": Size(200, replicates=5), "live": Size(50, seeds=3, replicates=3)}
_SIZE = (
    "Training the SVM takes most of the time, so that the curves are shorter than those of Figs. 2 to 6. The SVM's "
    "loss is squared here, and C is one of four values; the paper does not print its own."
)


def _ahead(panel: str) -> Value:
    """Return the share of the points on the axis at which the SVM has the higher average regret, for each seed."""

    def of(result: Result) -> Array:
        higher: Array = result.drawn(panel, _SVM).y > result.drawn(panel, _PERCEPTRON).y
        return np.asarray(higher.mean(axis=1))

    return Value(f"share of the axis with the {_PERCEPTRON} ahead, {panel}", of)


def _cost(world: str) -> Value:
    return (at("cost", _SVM, world) / at("cost", _PERCEPTRON, world)).named(f"{_SVM}'s time in {_PERCEPTRON}s, {world}")


FIGURES: tuple[Figure, ...] = (
    Figure(
        id="C-fig7",
        paper="C",
        order=515,
        where="Fig. 7",
        title="A ranking SVM, strict feedback",
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
                (Between(ratio("web", _SVM, _PERCEPTRON), 0.67, 1.5),),
                {
                    "svm": at("web", _SVM), "perceptron": at("web", _PERCEPTRON),
                    "ratio": ratio("web", _SVM, _PERCEPTRON),
                },
            ),
            Statement(
                "“The Preference Perceptron performed much better than the SVM for the movie recommendation.”",
                "Average regret ends at {svm:.3f} for the SVM and {perceptron:.3f} for the perceptron, a factor of "
                "{ratio:.2f}.",
                (Above(at("movies", _SVM), at("movies", _PERCEPTRON)), Above(ratio("movies", _SVM, _PERCEPTRON), 1.5)),
                {
                    "svm": at("movies", _SVM), "perceptron": at("movies", _PERCEPTRON),
                    "ratio": ratio("movies", _SVM, _PERCEPTRON),
                },
            ),
        ),
    ),
    Figure(
        id="C-fig8",
        paper="C",
        order=518,
        where="Fig. 8",
        title="A ranking SVM, noisy feedback",
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
                page=Size(500), live=Size(100, seeds=2), paper=Size(28_000, seeds=20), dataset="web-search",
                user="strict-alpha", y_title="seconds", log_y=True, lab="coactive", computed=seconds, timed=True,
            ),
        ),
        statements=(
            *(
                Statement(
                    "“The Preference Perceptron performs significantly better than the SVM over most of the range”, "
                    f"here {words}.",
                    "The perceptron has the lower average regret on {share:.0%} of the logarithmic axis. At the end it "
                    "is {svm:.3f} for the SVM and {perceptron:.3f} for the perceptron.",
                    (Above(_ahead(panel), 0.5), Above(at(panel, _SVM), at(panel, _PERCEPTRON))),
                    {"share": _ahead(panel), "svm": at(panel, _SVM), "perceptron": at(panel, _PERCEPTRON)},
                )
                for panel, words in zip(BOTH, ("on web search", "on movies"), strict=True)
            ),
            Statement(
                "The perceptron is there “at a fraction of the computational cost”: 20 minutes against 20 hours of web "
                "search, 125 against 260 seconds with movies.",
                "The SVM takes {web:.0f} times as long in web search, and {movies:.0f} times with movies.",
                (Above(_cost("web search"), 10), Above(_cost("movies"), 1.5)),
                {"web": _cost("web search"), "movies": _cost("movies")},
                where="§6.2.5",
            ),
        ),
    ),
)  # fmt: skip
