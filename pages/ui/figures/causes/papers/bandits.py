"""The Banditron [B], partial feedback [G] and the bandits of the dissertation [V]: the causes that are tried."""

from pages.ui.figures.causes.ablation import DATA, MISPRINT, READING, SIZE, TUNING, Ablation, Altered, again
from pages.ui.figures.computed import bandit_updates, label_sets
from pages.ui.figures.figure import Over
from pages.ui.figures.papers.bandits.banditron import B
from pages.ui.figures.papers.bandits.exploration import AG0, AG1, AG2, AG3, BEST, WORST, _less
from pages.ui.figures.papers.bandits.partial_feedback import (
    _SONY_SIZES,
    _VIDEO_SIZES,
    _YEAST_SIZES,
    HAMMING,
    LOGISTIC,
    RANKING,
    inside,
)
from pages.ui.figures.papers.bandits.potential import GAP, WORLDS
from pages.ui.figures.statement import Above, Between, Value, at, lowest, number_of, slope

MNIST, SEGMENT = {"path": "packaged/mnist-5k.csv.gz"}, {"path": "packaged/segment.csv"}
LABELS = ("G-fig2", "G-fig3", "G-5")
FAILING = {"G-fig2": (1, 2, 3, 4), "G-fig3": (1, 2, 3, 4), "G-5": (2, 3, 4)}


def _most(first: str, second: str) -> Value:
    """Return on how many of the seven data sets one strategy has more errors than another."""
    return number_of(
        f"sets on which {first} errs more than {second}", tuple(Above(_less(w, first, second), 0.0) for w in WORLDS)
    )


SIZES = dict(zip(LABELS, (_SONY_SIZES, _VIDEO_SIZES, _YEAST_SIZES), strict=True))
INSIDE = {1: (HAMMING, "Hamming loss"), 2: (RANKING, "ranking loss divided by S")}  # the numbers of the statements


ABLATIONS = (
    *(Ablation(figure, f"logistic-{r}", READING, f"the curve of the {name}, in place of that of the square loss",
            numbers, reads={n: inside(panel, "", SIZES[figure], words, "", name)
                for n, (panel, words) in INSIDE.items() if n in numbers})
        for figure, numbers in zip(LABELS, ((1, 2), (1, 2), (2,)), strict=True)
        for r, name in enumerate(LOGISTIC, start=1)),
    *(Ablation("B-fig1", f"gamma-{name}", TUNING, f"γ = {gamma:g} in place of 0.01", (3,),
            (Altered(("synnonsep",), tuned={"gamma": gamma}, series=(B,)),))
        for name, gamma in (("half", 0.005), ("tenth", 0.001))),
    # the curve was known
    Ablation("B-fig1", "last-decade", READING, "from 10³ to 10⁴ examples, a decade before the fall, in place of from "
        "10²", (3,), reads=again("B-fig1", 3, Between("share", 0.75, 1.25), Between("slope", -2, -0.25),
            here="From 10³ to 10⁴ examples the error falls to {share:.0%} of what it was, and from there on with a "
            "slope of {slope:.2f}.", share=at("synnonsep", B, 1e4) / at("synnonsep", B, 1e3),
            slope=slope("synnonsep", B, 1e4, 1e6))),
    Ablation("B-fig1", "lower", READING, "γ = 0.00001 as too low in place of 0.001", (7,),
        (Altered(("synsep-gamma",), x=Over("gamma", (1e-5, 1e-4, 1e-3, 0.01, 0.4), log=True, only=(B,))),),
        again("B-fig1", 7, Above("few", "best"), Above("many", "best"),
            here="The lowest error is {best:.1%}. At γ = 0.00001 it is {few:.1%} and at γ = 0.4 {many:.1%}.",
            few=at("synsep-gamma", B, 1e-5), many=at("synsep-gamma", B, 0.4), best=lowest("synsep-gamma", B))),
    Ablation("G-rem1", "minimum", MISPRINT, "the minimum of the two where the maximum is printed", (0,),
        reads=again("G-rem1", 0, Between(at("width", label_sets.MEANT), 0, 1.99))),
    *(Ablation(figure, "wider", TUNING, "a confidence of width 1 in place of 0.3 and 0.3 R²", FAILING[figure],
            (Altered(tuned={"width": 1.0}),)) for figure in LABELS),
    *(Ablation(figure, "narrower", TUNING, "a confidence of width 0.03 in place of 0.3 and 0.3 R²", FAILING[figure],
            (Altered(tuned={"width": 0.03}),)) for figure in LABELS),
    *(Ablation(figure, "range-3", TUNING, "R = 3 in place of R = 1, neither of which the text prints", tuple(n
            for n in FAILING[figure] if n > 2), (Altered(tuned={"range": 3.0, "width": 2.7},
                    series=("logistic loss, R = 1",)),)) for figure in LABELS),
    *(Ablation(figure, "misses-cost-more", TUNING, "a = 0.7 in place of ½, so that a label that is missed costs more",
            FAILING[figure], (Altered(tuned={"a": 0.7}),)) for figure in LABELS),
    *(Ablation(figure, name, TUNING, words, numbers, (Altered(tuned={"a": a}),))
        for figure, numbers in (("G-fig2", (1, 2)), ("G-fig3", (2,)))
        for name, a, words in (("misses-cost-most", 0.9,
                "a = 0.9 in place of ½, so that a label that is missed costs most"),
            ("misses-cost-less", 0.3, "a = 0.3 in place of ½, so that a label that is missed costs less"))),
    *(Ablation(figure, "logistic-world", DATA, "made data that follow the model of the logistic loss", FAILING[figure],
            (Altered(data={"model": "logistic"}),)) for figure in LABELS[:2]),
    *(Ablation("G-fig3", name, DATA, words, (1, 2, 4), (Altered(data=data),))
        for name, words, data in (("dense", "made data with 10 % of the labels in place of 4.3 %",
                {"density": 0.1}),)),
    Ablation("V-5.3", "played", MISPRINT,
        "the probability of the label played where that of the label predicted is printed", (0,),
        reads=again("V-5.3", 0, Between(at("update", bandit_updates.PLAYED, 0.05), 0, 1e-12))),
    Ablation("V-fig5.1", "more-seeds", SIZE, "40 orders of scikit-learn’s digits in place of 10", (0,),
        (Altered(("mnist",), seeds=40),)),
    Ablation("V-fig5.2", "apart", DATA, "points that lie apart by a margin of 0.1", (1,),
        (Altered(("letter",), data={"margin": 0.1}),)),
    Ablation("V-fig6.1", "zero-one", READING, "a feature of 0 and 1 for each word of the nursery in place of a number",
        (1,), (Altered(("nursery",), data={"words": "0 and 1"}),)),
    Ablation("V-fig6.2", "gap", READING, "similar is less than what counts as a big gap, 0.05, in place of 0.02", (2,),
        reads=again("V-fig6.2", 2, *(Between(_less(w, AG2, BEST), -1, GAP) for w in WORLDS))),
    Ablation("V-fig6.2", "three-passes", SIZE, "three passes over the data in place of one", (2, 3, 4),
        tuple(Altered((w.id,), steps=3 * w.examples, replicates=1) for w in WORLDS)),
    Ablation("V-fig6.2", "almost-all", READING, "almost all are five of the seven data sets or more, in place of all",
        (3,), reads=again("V-fig6.2", 3, Between(_most(AG0, AG2), 5, 7), Between(_most(AG0, AG3), 5, 7))),
    Ablation("V-fig6.2", "most", READING, "what is said of no number of data sets holds on four of the seven or more",
        (4,), reads=again("V-fig6.2", 4, *(Between(_most(a, b), 4, 7)
            for a, b in ((WORST, AG1), (AG1, AG2), (AG1, AG3))))),
    Ablation("V-fig5.1", "mnist", DATA, "5,000 images of MNIST in place of scikit-learn’s digits", (0,),
        (Altered(("mnist",), steps=5_000, dataset="classification-file", data=MNIST),)),
    Ablation("V-fig5.2", "segment", DATA, "the image segmentation of the UCI repository in place of points in sectors",
        (1,), (Altered(("letter",), steps=2_310, dataset="classification-file", data=SEGMENT),)),
    Ablation("V-fig6.2", "real", DATA,
        "5,000 images of MNIST in place of scikit-learn’s digits, and the image segmentation of the "
        "UCI repository in place of points in sectors", (2, 3, 4),
        (Altered(("mnist",), steps=5_000, dataset="classification-file", data=MNIST),
            Altered(("letter",), steps=2_310, dataset="classification-file", data=SEGMENT))),
)  # fmt: skip
