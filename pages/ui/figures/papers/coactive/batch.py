"""Coactive Learning [C], an update every k steps: Figs. 4 and 5."""

from itertools import pairwise
from math import sqrt

from pages.ui.figures.figure import Figure, Series
from pages.ui.figures.papers.coactive.feedback import BOTH, TOP_FIVE, end, movies, ratio, web
from pages.ui.figures.statement import Above, Between, Statement

BATCHES = (1, 10, 100)
_SERIES = tuple(Series(f"k = {k}", "batch-perceptron", {"k": k}) for k in BATCHES)
_EVERY = _SERIES[0].name
_LESS = 0.75  # of √k, which the rules take for “substantially better”

_STATEMENTS = (
    Statement(
        "“As the value of k becomes smaller, regret converges faster.”",
        "For k = 1, 10 and 100 average regret ends at {web1:.4f}, {web10:.4f} and {web100:.4f} in web search, and "
        "at {movies1:.3f}, {movies10:.3f} and {movies100:.3f} with movies.",
        *(Above(f"{panel}{more}", f"{panel}{k}") for panel in BOTH for k, more in pairwise(BATCHES)),
        values={f"{panel}{k}": end(panel, f"k = {k}") for panel in BOTH for k in BATCHES},
    ),
    Statement(
        "“The empirical scaling with k is substantially better than the √k factor suggested by Lemma 4”, which is 3.16 "
        "for k = 10 and 10 for k = 100.",
        "Against k = 1 it is {web10:.2f} and {web100:.2f} in web search, and {movies10:.2f} and {movies100:.2f} with "
        "movies.",
        *(Between(f"{panel}{k}", 0, round(_LESS * sqrt(k), 2)) for panel in BOTH for k in BATCHES[1:]),
        values={f"{panel}{k}": ratio(panel, f"k = {k}", _EVERY) for panel in BOTH for k in BATCHES[1:]},
        where="§4.2, §6.2.3",
    ),
)  # fmt: skip

FIGURES: tuple[Figure, ...] = (
    Figure(
        id="C-fig4", paper="C", order=486, where="Fig. 4", title="Updates in batches, strict feedback",
        caption=(
            "The batch perceptron waits k steps and then adds the sum of their updates. The user gives strictly "
            "α-informative feedback, α = 0.5. The paper's text does not say which k its curves have. "
            f"{TOP_FIVE}"
        ),
        panels=(
            web(_SERIES, "strict-alpha", {"alpha": 0.5}),
            movies(_SERIES, "item-alpha", {"alpha": 0.5}),
        ),
        statements=_STATEMENTS,
    ),
    Figure(
        id="C-fig5", paper="C", order=489, where="Fig. 5", title="Updates in batches, noisy feedback",
        caption=(
            "The same with noisy feedback. The user of web search puts the five highest grades among the first ten "
            f"results on top, and the user of movies names one with a better rating. {TOP_FIVE}"
        ),
        panels=(web(_SERIES, "depth", {"k": 10}), movies(_SERIES, "item-better")),
        statements=_STATEMENTS,
    ),
)  # fmt: skip
