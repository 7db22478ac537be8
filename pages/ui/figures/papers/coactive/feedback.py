"""Coactive Learning [C], what feedback is worth: Figs. 2, 3 and 6, and the two worlds of the paper's experiments."""

from collections.abc import Callable
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.figures.figure import Figure, Own, Panel, Params, Series, Size
from pages.ui.figures.result import Result
from pages.ui.figures.statement import Above, Between, Statement, Value, at, slope

PERCEPTRON = "preference-perceptron"
BOTH = ("web", "movies")
YAHOO = Own(
    "letor-file",
    "set 1 of the Yahoo! Learning to Rank Challenge (set1.train.txt), or another file in the form of LETOR",
    {"slots": 5},
    files=("yahoo/set1.train.txt", "set1.train.txt", "set1.train.txt.gz"),
)
MOVIELENS = Own(
    "movielens-file",
    "MovieLens 1M (ml-1m.zip) or MovieLens 100K (ml-100k.zip), as grouplens.org gives them",
    files=("ml-1m.zip", "ml-1m", "ml-100k.zip", "ml-100k"),
)

WEB: dict[str, Any] = {"documents": 24, "lengths": "varied", "slots": 5}  # of Eq. 21
TOP_FIVE = (
    "In web search the utility of a ranking is that of its first five documents (Eq. 21). The list goes on below."
)


def web(series: tuple[Series, ...], user: str, asks: Params | None = None, **more: Any) -> Panel:
    """Return the panel of web search: average regret over 10,000 steps, each with a query of its own."""
    given: dict[str, Any] = {
        "title": "Web search",
        "page": Size(10_000, {"queries": 10_000}),
        "paper": Size(28_000, {"queries": 28_000, "features": 700, "precision": "single"}, seeds=20),
        "live": Size(2_000, {"queries": 2_000}, seeds=3),
        "assumed": True,
        "x_title": "T",
        "stands_for": "Yahoo! Learning to Rank Challenge",
        "own": YAHOO,
        "dataset": "web-search",
        "data": WEB,
    }
    return Panel(
        id="web", series=series, user=user, asks=asks or {}, metric="average-regret", y_title="average regret",
        lab="coactive", **(given | more),
    )  # fmt: skip


def movies(series: tuple[Series, ...], user: str, asks: Params | None = None, **more: Any) -> Panel:
    """Return the panel of movies: average regret over 500 steps, the mean of twenty people for each data seed."""
    given: dict[str, Any] = {
        "title": "Movie recommendation",
        "page": Size(500, replicates=20),
        # the paper's 3,020 people, over ten data seeds, since its one set of data would tell no error of a stand-in
        "paper": Size(500, {"users": 6040, "movies": 3900, "ratings": 166}, replicates=302),
        "live": Size(200, seeds=3, replicates=5),
        "assumed": True,
    }
    return Panel(
        id="movies", series=series, user=user, asks=asks or {}, dataset="movies", metric="average-regret", x_title="T",
        y_title="average regret", lab="coactive", stands_for="MovieLens 1M", own=MOVIELENS, **(given | more),
    )  # fmt: skip


def end(panel: str, series: str) -> Value:
    """Return the average regret at the end, named with its panel."""
    return at(panel, series).named(f"{series}, {panel}")


def ratio(panel: str, first: str, second: str, x: float | None = None) -> Value:
    """Return the average regret of one series divided by that of another, at x or at the end."""
    where = "" if x is None else f" at {x:,}"
    words = f"{first} divided by {second}{where}, {panel}"
    return (at(panel, first, x) / at(panel, second, x)).named(words)


def left(panel: str, series: str, x: float | None = None) -> Value:
    """Return the average regret at x or at the end, divided by the regret of the first step."""
    where = "" if x is None else f" at {x:,}"
    return (at(panel, series, x) / at(panel, series, 1)).named(f"{series}{where} divided by its first value, {panel}")


def _error(panel: str, series: str, x: float) -> Value:
    """Return the standard error at x, one number for all seeds."""

    def of(result: Result) -> Array:
        values = at(panel, series, x).of(result)
        return np.array([values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0])

    return Value(f"standard error of {series} at {x:,}, {panel}", of)


# ---- Fig. 2 ----------------------------------------------------------------------------------------------

_ALPHAS = tuple(Series(f"α = {a}", PERCEPTRON, asks={"alpha": a}) for a in (0.1, 0.5, 1.0))
_LOW, _, _HIGH = _NAMES = tuple(series.name for series in _ALPHAS)
_FACTORS = {panel: ratio(panel, _LOW, _HIGH) for panel in BOTH}


def _curves(of: Callable[..., Value], *where: float) -> dict[str, Value]:
    """Return a value of every curve of Fig. 2, named by its panel and its place among the curves."""
    return {f"{panel}{i}": of(panel, name, *where) for panel in BOTH for i, name in enumerate(_NAMES)}


def _steep(panel: str, name: str) -> Value:
    return slope(panel, name, *((100, 10_000) if panel == "web" else (25, 500)))


_CURVES = tuple(_curves(end))  # the names

_FIGURE_2 = Figure(
    "C-fig2", "C", 460, "Fig. 2", "Strong and weak feedback",
    caption=(
        "Average regret of the preference perceptron under strictly α-informative feedback, where the user closes at "
        "least the share α of the gap between what is shown and the best there is. The paper's text gives neither T "
        "nor a value of the curves. Its size is taken to be a pass over all queries, and 500 steps of each person, in "
        f"this figure and those after it. {TOP_FIVE}"
    ),
    panels=(web(_ALPHAS, "strict-alpha"), movies(_ALPHAS, "item-alpha")),
    statements=(
        Statement(
            "“Overall, regret is typically substantially reduced after only tens or hundreds of iterations.”",
            "At α = 0.5 average regret has fallen to {web1:.0%} of its first value after 100 steps of web search, and "
            "to {movies1:.0%} with movies.",
            *(Between(curve, 0, 0.5) for curve in _CURVES), values=_curves(left, 100),
        ),
        Statement(
            "“The regret for α = 1.0 is lower compared to the regret for lower α values.”",
            "For α = 0.1, 0.5 and 1 average regret ends at {web0:.4f}, {web1:.4f} and {web2:.4f} in web search, and at "
            "{movies0:.3f}, {movies1:.3f} and {movies2:.3f} with movies.",
            *(Above(f"{panel}{lower}", f"{panel}2") for panel in BOTH for lower in (0, 1)), values=_curves(end),
        ),
        Statement(
            "“The difference between the two curves is much smaller than a factor of ten.”",
            "Regret at α = 0.1 ends at {web:.2f} times that at α = 1 in web search, and at {movies:.2f} times with "
            "movies.",
            *(Between(panel, 1, 5) for panel in BOTH), values=_FACTORS,
        ),
        Statement(
            "“The differences are less prominent in the case of web-search.”",
            "The factor between α = 0.1 and α = 1 is larger with movies by {movies - web:.2f}.",
            Above("movies", "web"), values=_FACTORS,
        ),
        Statement(
            "“Utility regret approaches zero in all the cases.”",
            "At α = 0.1, the slowest case, average regret ends at {web0:.1%} of its first value in web search and at "
            "{movies0:.1%} with movies.",
            *(Between(curve, 0, 0.1) for curve in _CURVES), values=_curves(left),
            why=(
                "The rule asks for a tenth of the first regret, and 500 steps with movies are too few for that at "
                "α = 0.1. The curve still falls like a power of T at the end, as the next statement tells."
            ),
        ),
        Statement(
            "Under strictly α-informative feedback average regret is O(1/√T).",
            "On two logarithmic axes the curves for α = 0.1, 0.5 and 1 have the slopes {web0:.2f}, {web1:.2f} and "
            "{web2:.2f} in web search from T = 100 on, and {movies0:.2f}, {movies1:.2f} and {movies2:.2f} with movies "
            "from T = 25 on. A fall like 1/√T has the slope −0.5.",
            *(Between(curve, -2, -0.5) for curve in _CURVES), values=_curves(_steep), where="Theorem 1",
        ),
        Statement(
            "“In the left plots in Figure 2, the standard errors are high at lower iterations but become lower with "
            "more iterations.”",
            "At α = 0.5 the standard error in web search is {early1:.3f} at the first step and {late1:.4f} at the "
            "last.",
            *(Above(f"early{i}", f"late{i}", sure=0) for i in range(len(_NAMES))),
            values={f"{when}{i}": _error("web", name, x)
                for when, x in (("early", 1), ("late", 10_000)) for i, name in enumerate(_NAMES)},
        ),
    ),
)  # fmt: skip

# ---- Fig. 3 ----------------------------------------------------------------------------------------------

_STRICT = "strict, α = 0.5 (Fig. 2)"
_DEPTHS = (
    Series("depth 10", PERCEPTRON, asks={"k": 10}),
    Series("depth 25", PERCEPTRON, asks={"k": 25}),
    Series(_STRICT, PERCEPTRON, user="strict-alpha", asks={"alpha": 0.5}, reference=True),
)
_RATINGS = (
    Series("better", PERCEPTRON),
    Series("best", PERCEPTRON, user="item-best"),
    Series(_STRICT, PERCEPTRON, user="item-alpha", asks={"alpha": 0.5}, reference=True),
)
_DEPTH_10, _DEPTH_25, _BETTER, _BEST = (series.name for series in (*_DEPTHS[:2], *_RATINGS[:2]))

_FIGURE_3 = Figure(
    "C-fig3", "C", 473, "Fig. 3", "Noisy feedback",
    caption=(
        "The user of web search puts the five highest grades among the first 10 or 25 results on top. The user of "
        "movies names one with a better rating, or one with the best. No linear utility explains these answers. The "
        f"dashed curves repeat honest feedback from Fig. 2. {TOP_FIVE}"
    ),
    panels=(web(_DEPTHS, "depth"), movies(_RATINGS, "item-better")),
    statements=(
        Statement(
            "“In the case of web-search, the regret values now do not converge to zero.”",
            "From T = 1,000 on the curves fall with the slopes {ten:.2f} and {more:.2f} on two logarithmic axes, and "
            "end at {end:.1%} of the first value at depth 10. A curve that levels off has the slope 0.",
            Between("ten", -0.25, 0.5), Between("more", -0.25, 0.5), ten=slope("web", _DEPTH_10, 1_000, 10_000),
            more=slope("web", _DEPTH_25, 1_000, 10_000), end=left("web", _DEPTH_10),
        ),
        Statement(
            "“In the case of movie recommendation the regret values are higher than those in the previous experiment.”",
            "Average regret ends at {better:.3f} with a better rating and {best:.3f} with the best one, but at "
            "{strict:.3f} under honest feedback.",
            Above("better", "strict"), Above("best", "strict"), better=end("movies", _BETTER),
            best=end("movies", _BEST), strict=end("movies", _STRICT),
        ),
        Statement(
            "“In the case of web-search the average regret is slightly higher when the user goes to greater depth.”",
            "Average regret ends at {ten:.4f} at depth 10 and {more:.4f} at depth 25, a factor of {factor:.2f}.",
            Above("more", "ten"), Between("factor", 1, 1.5), ten=end("web", _DEPTH_10),
            more=end("web", _DEPTH_25), factor=ratio("web", _DEPTH_25, _DEPTH_10),
        ),
    ),
)  # fmt: skip

# ---- Fig. 6 ----------------------------------------------------------------------------------------------

_EXPECTED, _CERTAIN = "α-informative in expectation", "α-informative"


def _answers(certain: str) -> tuple[Series, ...]:
    return Series(_EXPECTED, PERCEPTRON), Series(_CERTAIN, PERCEPTRON, user=certain)


_FIGURE_6 = Figure(
    "C-fig6", "C", 502, "Fig. 6", "Feedback that is good in expectation",
    caption=(
        "The answer is an honest one or one of five random objects, with such chances that the gain is the share "
        "α = 0.5 of the gap in expectation. The other curve is feedback that makes up this share every time. "
        f"{TOP_FIVE}"
    ),
    panels=(
        web(_answers("strict-alpha"), "expected-alpha", {"alpha": 0.5}),
        movies(_answers("item-alpha"), "expected-alpha", {"alpha": 0.5}),
    ),
    statements=(
        Statement(
            "“There is not much difference between deterministic and expected feedback at higher numbers of "
            "iterations.”",
            "Average regret under expected feedback ends at {web:.2f} times that under deterministic feedback in web "
            "search, and at {movies:.2f} times with movies.",
            *(Between(panel, 0.67, 1.5) for panel in BOTH),
            values={panel: ratio(panel, _EXPECTED, _CERTAIN) for panel in BOTH},
        ),
        Statement(
            "“The regret converges to zero even with α-informative feedback in expectation.”",
            "It ends at {web:.1%} of its first value in web search, and at {movies:.1%} with movies.",
            *(Between(panel, 0, 0.1) for panel in BOTH), values={panel: left(panel, _EXPECTED) for panel in BOTH},
        ),
    ),
)  # fmt: skip

FIGURES: tuple[Figure, ...] = (_FIGURE_2, _FIGURE_3, _FIGURE_6)
