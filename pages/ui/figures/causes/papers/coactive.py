"""Coactive Learning [C]: the causes that are tried."""

import numpy as np

from learners.base import Array
from pages.ui.figures.causes.ablation import DATA, MISPRINT, READING, SIZE, TUNING, Ablation, Altered, again
from pages.ui.figures.computed import ablated, first_five
from pages.ui.figures.papers.coactive.convex import CONVEX, SECOND, STRAIGHT
from pages.ui.figures.papers.coactive.feedback import WEB
from pages.ui.figures.papers.coactive.sensitivity import width, within
from pages.ui.figures.papers.coactive.svm import _PERCEPTRON as PERCEPTRON
from pages.ui.figures.papers.coactive.svm import _SVM as SVM
from pages.ui.figures.result import Result
from pages.ui.figures.statement import Above, Always, Between, Value, at, highest, lowest, straightness

SAMPLE = {"path": "lightgbm_lambdarank/rank.train.gz", "slots": 5}
ONE = Value("1", lambda result: np.ones(1))
MOVIES = ("movies",)
MOVIELENS = "packaged/ml-100k"


def _of_steps(panel: str) -> Value:
    """Return the share of the steps, in place of the logarithmic axis, at which the perceptron is ahead."""

    def of(result: Result) -> Array:
        x = np.diff(result.drawn(panel, SVM).numbers, prepend=0.0)
        ahead = result.drawn(panel, SVM).y > result.drawn(panel, PERCEPTRON).y
        share: Array = (ahead * x).sum(axis=1) / x.sum()
        return share

    return Value(f"share of the steps with the {PERCEPTRON} ahead, {panel}", of)


def _below_convex(panel: str) -> Value:
    line = at(panel, CONVEX)
    return within(panel, SECOND, line.of, "with at most the regret of the convex perceptron")


def _lower_half(panel: str) -> Value:
    middle = (lowest(panel, SECOND) + highest(panel, SECOND)) * 0.5
    return within(panel, SECOND, middle.of, "in the lower half of the curve")


def _searchers(name: str, words: str, **data: float) -> Ablation:
    change = Altered(("shares",), more=data, computed=ablated.shares)
    return Ablation("C-fig1", name, DATA, words, (0, 1, 2), (change,))


ABLATIONS = (
    _searchers("weak-engine", "an engine whose errors are as large as the differences of its scores", error=1.0),
    _searchers("no-engine", "ten results at random, which leave most to improve", error=100.0),
    _searchers("no-mistakes", "searchers who never misjudge what they look at", noise=0.0),
    _searchers("lower-grades", "searchers whom a result of the lowest grade but one satisfies", looks=1),
    _searchers("lower-unmistaken", "searchers whom such a result satisfies and who never misjudge", looks=1,
        noise=0.0),
    _searchers("both", "results at random, and searchers who never misjudge", error=100.0, noise=0.0),
    # these two had been tried in an independent simulation, whose numbers were known: 54 and 17 %, 60 and 10 %
    _searchers("chain",
        "a second query in half of the searches, with clicks put on top as in the paper, and a weak engine", error=1.0,
        later=0.5),
    _searchers("chain-surer", "the same, and searchers who misjudge one result in ten", error=1.0, later=0.5,
        noise=0.1),
    Ablation("C-thm5", "twice-s", MISPRINT, "2S where S/2 is printed, as the proof has it if S bounds the features",
        (1,), reads=again("C-thm5", 1, Always(ONE, at("hand", "with 2S")))),
    Ablation("C-thm6", "squared", MISPRINT, "the squared diameter where the diameter is printed, as the proof has it",
        (1,), reads=again("C-thm6", 1, Always(ONE, at("hand", "|B| its square")))),
    # a person runs out of 1,682 movies after some 800 steps, and is then offered all of them again
    Ablation("C-fig2", "longer", SIZE, "1,500 steps with 3,900 movies, as many as in the paper, in place of 500 with "
        "1,682", (4,), (Altered(MOVIES, steps=1_500, replicates=3, data={"movies": 3_900}),)),
    Ablation("C-fig7", "few-features", TUNING, "5 features of a movie in place of 50", (1,),
        (Altered(MOVIES, data={"features": 5}),)),
    Ablation("C-fig7", "no-penalty", TUNING, "ratings factorised almost without a penalty", (1,),
        (Altered(MOVIES, data={"ridge": 0.1}),)),
    Ablation("C-fig7", "longer", SIZE, "400 steps in place of 200", (1,), (Altered(MOVIES, steps=400, replicates=2),)),
    Ablation("C-fig8", "by-steps", READING, "the share of the steps in place of that of a logarithmic axis", (1,),
        reads=again("C-fig8", 1, Above("share", 0.5), Above("svm", "perceptron"),
            here="The perceptron is ahead in {share:.0%} of the steps. It ends at {perceptron:.3f}, the SVM at "
            "{svm:.3f}.",
            share=_of_steps("movies"), svm=at("movies", SVM), perceptron=at("movies", PERCEPTRON))),
    Ablation("C-fig9", "real-features", DATA, "LightGBM’s sample of real web search in place of made queries", (1,),
        (Altered(("noisy",), dataset="letor-file", data=SAMPLE),)),
    # runs with three data seeds had given 0.87
    Ablation("C-fig9", "first-five", READING, "clicks on the first five places alone, wherever the best documents "
        "stood", (1,), (Altered(("noisy",), more=WEB, computed=first_five.noisy),)),
    *(Ablation(figure, "fixed-rate", READING, "a rate fixed for the number of steps in place of one that falls",
            (0, 1), tuple(Altered((panel,), tuned={"rate": "fixed", "horizon": steps})
            for panel, steps in (("web", 10_000), ("movies", 500)))) for figure in ("C-fig11", "C-fig12")),
    *(Ablation(figure, "more-seeds", SIZE, "60 data seeds of web search in place of 10, for 100 steps", (0,),
            (Altered(("web",), steps=100, seeds=60, data={"queries": 1_000}),)) for figure in ("C-fig11", "C-fig12")),
    *(Ablation(figure, name, kind, words, (0,), (change,))
        for figure in ("C-fig11", "C-fig12")
        for name, kind, words, change in (
            ("paper-features", SIZE, "700 features in place of 50, as in the paper, for 100 steps",
                Altered(("web",), steps=100, seeds=20, data={"queries": 500, "features": 700})),
            ("real-features", DATA, "LightGBM’s sample of real web search in place of made queries, for 100 steps",
                Altered(("web",), steps=100, seeds=40, dataset="letor-file", data=SAMPLE)))),
    # the numbers of this reading were known, for the statement tells one of them
    Ablation("C-fig13", "from-200", READING,
        "a straight line from step 200 on, when there are as many steps as two thirds of the features", (0,),
        reads=again("C-fig13", 0, *(Between(name, STRAIGHT, 1.0) for name in ("a", "b")),
            here="From step 200 on a straight line in log T has an R² of {a:.3f}, and {b:.3f} by convex regret.",
            a=straightness("sample", SECOND, 200), b=straightness("sample-convex", SECOND, 200))),
    *(Ablation("C-fig13", f"epsilon-{name}", TUNING, f"ε = {epsilon:g} in place of 1", (0,),
            (Altered(("sample", "sample-convex"), tuned={"epsilon": epsilon}),))
        for name, epsilon in (("small", 0.1), ("large", 10.0))),
    Ablation("C-fig13", "longer", SIZE, "10,000 steps in place of 2,000, one run of each data seed", (0,),
        (Altered(("sample", "sample-convex"), steps=10_000, replicates=1),)),
    *(Ablation("C-fig14", f"epsilon-{name}", TUNING, f"ε = {epsilon:g} in place of 0.1", (1,),
            (Altered(tuned={"epsilon": epsilon}),)) for name, epsilon in (("small", 0.01), ("tiny", 0.001),
            ("large", 1.0))),
    *(Ablation("C-fig14", name, READING,
            f"a ball of radius {radius:g} in place of 100, since {words} may be what is “set to 100”", (1,),
            (Altered(tuned={"radius": radius}),)) for name, radius, words in (("diameter", 50.0, "its diameter"),
            ("squared-diameter", 5.0, "the square of its diameter"))),
    *(Ablation("C-fig14", f"gamma-{name}", TUNING, f"γ = {gamma:g} in place of 1", (1,),
            (Altered(tuned={"gamma": gamma}, series=(SECOND,)),)) for name, gamma in (("small", 0.1), ("large", 10.0))),
    Ablation("C-fig14", "few-features", TUNING, "10 features of a movie in place of 50", (1,),
        (Altered(data={"features": 10}),)),
    Ablation("C-fig15", "twice-the-least", READING, "good is up to twice the least regret in place of 1.5 times", (0,),
        reads=again("C-fig15", 0, *(Between(width(p, SECOND, 2.0), 2.0, 6.0) for p in ("web", "correlated")))),
    Ablation("C-fig15", "epsilon", TUNING, "ε = 1 in place of 10 where features are correlated", (0,),
        (Altered(("correlated",), replicates=1, tuned={"epsilon": 1.0}),)),
    *(Ablation("C-fig16", f"within-{name}", READING, f"suitable is up to {factor:g} times the least regret", (0,),
            reads=again("C-fig16", 0, Above(width("web", SECOND, factor), width("movies", SECOND, factor))))
        for name, factor in (("tenth", 1.1), ("twice", 2.0))),
    *(Ablation("C-fig16", name, READING, words, (0,), reads=again("C-fig16", 0, Above("web", "movies"),
                here="It is over {web:.1f} decades of γ on web search and over {movies:.1f} on movies.",
                web=of("web"), movies=of("movies")))
        for name, words, of in (("below-convex",
                "suitable is a γ with less regret than the convex perceptron, whose line the figure draws",
                _below_convex), ("lower-half",
                "suitable is a γ in the lower half of the curve, between its least and its greatest regret",
                _lower_half))),
    Ablation("C-fig16", "same-epsilon", TUNING, "ε = 10 both on web search and with movies", (0,),
        (Altered(("web", "movies"), replicates=2, tuned={"epsilon": 10.0}),)),
    *(Ablation(figure, "movielens", DATA, "MovieLens 100K in place of made ratings", (number,),
            (Altered(panels, replicates=replicates, dataset="movielens-file", data={"path": MOVIELENS}),))
        for figure, number, panels, replicates in (("C-fig2", 4, MOVIES, 4), ("C-fig7", 1, MOVIES, 0),
            ("C-fig8", 1, MOVIES, 0), ("C-fig14", 1, (), 0), ("C-fig16", 0, MOVIES, 2))),
)  # fmt: skip
