"""Coactive Learning [C]: exponentiated against additive updates, Figs. 11 and 12 and a claim of §6.3."""

from typing import Any

from pages.ui.figures.figure import Figure, Panel, Series, Size, Steps
from pages.ui.figures.papers.coactive.feedback import BOTH, PERCEPTRON, TOP_FIVE, movies, ratio, web
from pages.ui.figures.statement import Above, Between, Statement, Value, at

EXPONENTIATED, ADDITIVE, FIXED = "Exponentiated", "Additive", "Exponentiated, fixed rate"
FALLING = "Additive, rate 1/√t"
MOVIE_STEPS, FIXED_STEPS = 500, 2_000  # of movies, and of web search with a fixed rate
# so many points that steps 10 and 100 are among them
LONG: dict[str, Any] = {"x": Steps(points=41)}
SHORT: dict[str, Any] = {"x": Steps(points=34), "page": Size(FIXED_STEPS, {"queries": FIXED_STEPS})}
USERS: dict[str, tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]] = {
    "strict": (("strict-alpha", {"alpha": 0.5}), ("item-alpha", {"alpha": 0.5})),
    "noisy": (("depth", {"k": 10}), ("item-better", {})),
}


def _panels(feedback: str, *, fixed: bool) -> tuple[Panel, Panel]:
    def series(steps: int) -> tuple[Series, ...]:
        rate = {"rate": "fixed", "horizon": steps} if fixed else {"rate": "variable"}
        both = (
            Series(FIXED if fixed else EXPONENTIATED, "exponentiated-perceptron", rate),
            Series(ADDITIVE, PERCEPTRON),
        )
        # a ball that is never left
        falling = Series(FALLING, "convex-perceptron", {"radius": 1e9}, reference=True)
        return both if fixed else (*both, falling)

    (searcher, asked), (viewer, told) = USERS[feedback]
    return (
        web(series(FIXED_STEPS), searcher, asked, **(SHORT if fixed else LONG)),
        movies(series(MOVIE_STEPS), viewer, told, x=Steps(points=28)),
    )


def _at_10(panel: str, series: str) -> Value:
    return at(panel, series, 10).named(f"{series} at 10, {panel}")


def _figure(id: str, order: int, where: str, feedback: str, words: str) -> Figure:
    return Figure(
        id=id,
        paper="C",
        order=order,
        where=where,
        title=f"Exponentiated against additive updates, {feedback} feedback",
        caption=(
            "The exponentiated perceptron multiplies its weights where the preference perceptron adds to them. Its "
            f"rate falls as 1/√t, for which nothing is proved. {words} {TOP_FIVE}"
        ),
        panels=_panels(feedback, fixed=False),
        statements=(
            Statement(
                "The exponentiated algorithm “tends to perform slightly better than the additive algorithm for small "
                "number of iterations”.",
                "After 10 steps the exponentiated perceptron has {a:.2f} and the additive one {b:.2f} on web search, "
                "and {c:.2f} and {d:.2f} on movies. After 100 steps their ratio is {e:.2f} and {f:.2f}.",
                Above("b", "a"),
                Above("d", "c"),
                values=(
                    *(_at_10(panel, name) for panel in BOTH for name in (EXPONENTIATED, ADDITIVE)),
                    *(ratio(panel, EXPONENTIATED, ADDITIVE, 100) for panel in BOTH),
                ),
            ),
            Statement(
                "“As the time horizon becomes large, the two algorithms seem to have comparable performance in most "
                "cases.”",
                "At the end the exponentiated perceptron has {web:.2f} times the average regret of the additive one on "
                "web search, and {movies:.2f} times on movies. Divided by that of additive updates whose rate falls "
                "in the same way, it is {web_rate:.2f} and {movies_rate:.2f}.",
                *(Between(panel, 0.8, 1.25) for panel in BOTH),
                values={panel: ratio(panel, EXPONENTIATED, ADDITIVE) for panel in BOTH}
                | {f"{panel}_rate": ratio(panel, EXPONENTIATED, FALLING) for panel in BOTH},
            ),
        ),
        why=(
            "What makes the difference is the rate, which falls as 1/√t, and not that weights are multiplied. The "
            "dotted curve adds with the same rate."
        ),
        chosen="The dotted curve is not in the paper. It was added after the first results.",
    )


FIG_11 = _figure(
    "C-fig11", 575, "Fig. 11", "strict", "Users give strictly α-informative feedback with α = 0.5.",
)  # fmt: skip
FIG_12 = _figure(
    "C-fig12", 578, "Fig. 12", "noisy",
    "Left, the user grades the first ten documents. Right, the person names a movie with a slightly better rating.",
)  # fmt: skip

_PLACES = (("web", 100), ("web", FIXED_STEPS), ("movies", 100), ("movies", MOVIE_STEPS))
_RATIOS = {f"{panel}_{t}": ratio(panel, FIXED, ADDITIVE, t) for panel, t in _PLACES}

FIXED_RATE = Figure(
    "C-6.3", "C", 565, "§6.3", "With a fixed rate, multiplying is adding",
    caption=(
        "The rate of Algorithm 4 is fixed and small if the horizon T is long. Then exp(η Δ) is close to 1 + η Δ, and "
        f"the exponentiated updates resemble additive ones, up to a factor that ranking does not see. {TOP_FIVE}"
    ),
    panels=_panels("strict", fixed=True),
    statements=(
        Statement(
            "The behaviour of the two algorithms is “nearly identical (though not exact)”.",
            "With a fixed rate the average regret of the exponentiated perceptron, divided by that of the additive "
            f"one, is {{web_100:.4f}} and {{web_{FIXED_STEPS}:.4f}} on web search after 100 steps and at the end, and "
            f"{{movies_100:.4f}} and {{movies_{MOVIE_STEPS}:.4f}} on movies, likewise.",
            *(Between(place, 0.98, 1.02) for place in _RATIOS), values=_RATIOS,
        ),
    ),
)  # fmt: skip

FIGURES = (FIXED_RATE, FIG_11, FIG_12)
