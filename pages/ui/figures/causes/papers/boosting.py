"""Boosting in the dissertation [V], chapters 1 to 3: the causes that are tried."""

from __future__ import annotations

import numpy as np

from pages.ui.figures.causes.ablation import DATA, MISPRINT, READING, SIZE, TUNING, Ablation, Altered, again
from pages.ui.figures.causes.papers.refinement import EVERY_ROUND, LIMIT, every_round, to_limit
from pages.ui.figures.computed.data_sets import LETOR
from pages.ui.figures.figure import Over, Params
from pages.ui.figures.papers.boosting.depth import DEPTHS, FIVE, at_depths
from pages.ui.figures.papers.boosting.learning_to_rank import RIVALS
from pages.ui.figures.papers.boosting.semi_supervised import (
    ABSOLUTE,
    ASSEMBLE,
    FOUR,
    HIGH,
    LOW,
    MCSSB_GAIN,
    SEVEN,
    SHARES,
    TREE,
    each,
)
from pages.ui.figures.statement import (
    Above,
    Always,
    Between,
    Near,
    Value,
    at,
    best,
    least_gap,
    mean_of,
    number_of,
    rate,
)

DIGITS = ("pendigits", "optdigits")
CURVES = ("pendigits", "optdigits", "mnist")
ENDS = Over("labelled", (LOW, HIGH), "dataset", "share of labelled examples")
LEAST = Over("labelled", (LOW,), "dataset", "share of labelled examples")
TIMES = 3.3  # standard errors that one of some thirty differences exceeds by chance as seldom as one alone exceeds two
SECTORS = {"classes": 10, "dimensions": 10, "margin": 0.0, "examples": 2_000, "training": 0.2, "labelled": LOW}
AS_THEY_ARE = {"unit_length": False, "training": 0.2, "labelled": LOW}
MNIST = {"path": "packaged/mnist-5k.csv.gz", **AS_THEY_ARE}
SEGMENT = {"path": "packaged/segment.csv", **AS_THEY_ARE}
NONLINEAR = {"relevance": "nonlinear"}


def _mcssb(name: str, kind: str, words: str, *, tuned: Params | None = None, data: Params | None = None) -> Ablation:
    """Return a cause of the accuracies that are printed, for MCSSB with trees by information gain."""
    change = Altered(DIGITS, tuned=tuned or {}, data=data or {}, series=(MCSSB_GAIN.name,) if tuned else (), x=LEAST)
    return Ablation("V-fig2.1", name, kind, words, (0, 1), (change,))


OVERALL, HALF_A_POINT = "the mean over the data sets, as the text says “overall”, in place of each of them", 0.005


def _mean(name: str, x: float, panels: tuple[str, ...] = SEVEN) -> Value:
    """Return the mean accuracy of a learner over data sets, seed by seed."""
    values = [at(id, name, x) for id in panels]
    return Value(f"mean of {name} at {x:g}", lambda result: np.mean([value.of(result) for value in values], axis=0))


def _gained(x: float, panels: tuple[str, ...] = SEVEN) -> Value:
    return _mean("ASSEMBLE", x, panels) - _mean("Tree", x, panels)


ABLATIONS = (
    Ablation("V-tab1.1", "ten", MISPRINT, "10 classes where 26, the number of letters, is printed", (1,),
        reads=again("V-tab1.1", 1, Near("o", 10, 0), Near("p", 10, 0))),
    Ablation("V-tab1.1", "four", MISPRINT, "4 classes where 3 are printed, as the list above the table says", (2,),
        reads=again("V-tab1.1", 2, Near("more", 4, 0))),
    Ablation("V-tab1.2", "others", MISPRINT, "the sentence on OHSUMED as one on the other collections", (0,),
        reads=again("V-tab1.2", 0, *(Near(name, 1000, 100) for name in LETOR if name != "OHSUMED"))),
    *(Ablation("V-2.3.4", name, kind, words, (0, 1), (change,))
        for name, kind, words, change in (("weights", READING, "trees that take the weights in place of a sample",
                Altered(tuned={"train": "weights"})), ("gain", TUNING, "trees by information gain",
                Altered(tuned={"criterion": "entropy"})), ("deep", READING, "trees of four levels",
                Altered(tuned={"depth": 4})), ("unit", TUNING, "examples of unit length",
                Altered(data={"unit_length": True})))),
    Ablation("V-2.3.4", "from-100", READING, "the rounds from 100 to 200, as curves that become flat later", (0,),
        reads=again("V-2.3.4", 0, *(Near(at(id, "MCSSB", 200) - at(id, "MCSSB", 100), 0, 0.02) for id in CURVES))),
    *(Ablation("V-thm4", name, kind, words, (1,), (change,))
        for name, kind, words, change in (("weights", READING, "trees that take the weights in place of a sample",
                Altered(tuned={"train": "weights"})), ("deep", TUNING,
                "trees of eight levels, which are far from chance", Altered(tuned={"depth": 8})))),
    Ablation("V-thm4", "early", READING, "the first ten rounds against the next ten in place of all fifty", (1,),
        reads=again("V-thm4", 1, *(Above((at(id, "F", 10) / at(id, "F", 1)), (at(id, "F", 20) / at(id, "F", 10)) * 0.5,
                    0) for id in CURVES))),
    _mcssb("narrow", TUNING, "similarity with a third of the width", tuned={"width": 0.05}),
    _mcssb("wide", TUNING, "similarity with three times the width", tuned={"width": 0.45}),
    # the width changes the result much, as was known of a third and of three times
    *(_mcssb(name, READING, words, tuned={"width": 0.15 * factor})
        for name, words, factor in (("squared", "a Gaussian exp(−d²/σ²) in place of exp(−d²/2σ²)", 0.5**0.5),
            ("heat", "a Gaussian exp(−d²/4σ²), the kernel of heat, in place of exp(−d²/2σ²)", 2**0.5),
            ("half-height", "15 % as the width of the Gaussian at half of its height in place of σ", 1 / 2.355))),
    # the outcome of the kernel of heat was known as well, which goes half of the way
    _mcssb("squared-range", READING, "15 % of the range of the squared distances, exp(−d²/0.15 d²max), in place of "
        "that of the distances", tuned={"width": (0.15 / 2) ** 0.5}),
    _mcssb("small-c", TUNING, "C = 1 in place of 10,000", tuned={"C": 1.0}),
    _mcssb("weights", READING, "trees that take the weights in place of a sample", tuned={"train": "weights"}),
    _mcssb("stumps", READING, "two levels as a root and its leaves, for the trees of MCSSB", tuned={"depth": 1}),
    _mcssb("unit", TUNING, "examples of unit length", data={"unit_length": True}),
    Ablation("V-fig2.1", "all-of-nursery", SIZE,
        "a fifth of the nursery to train on in place of a tenth, as in the paper", (3, 4),
        (Altered(("nursery", "nursery-01"), more={"training": 0.2}, x=ENDS),)),
    Ablation("V-fig2.1", "more-seeds", SIZE, "40 data seeds of Nursery in place of 10", (3,),
        (Altered(("nursery",), seeds=40, x=LEAST),)),
    Ablation("V-fig2.1", "words", READING, "a feature of 0 and 1 for each word of the nursery in place of a number",
        (6,), (Altered(("nursery",), data={"words": "0 and 1"}, x=ENDS),)),
    Ablation("V-fig2.1", "sectors", DATA, "points in ten sectors as a stand-in for Letter in place of rings", (5,),
        (Altered(("letter",), dataset="separable-points", data=SECTORS, x=LEAST),)),
    Ablation("V-fig2.1", "as-printed", READING, "ASSEMBLE as printed, where unlabelled examples keep the weight 0",
        (6, 7, 8), (Altered(tuned={"variant": "printed"}, series=(ASSEMBLE.name,)),)),
    Ablation("V-fig2.1", "half-the-weight", TUNING,
        "unlabelled examples with half of ASSEMBLE’s weight in place of a tenth", (6, 7, 8),
        (Altered(tuned={"beta": 0.5}, series=(ASSEMBLE.name,)),)),
    *(Ablation(figure, name, TUNING, words, numbers, (change,))
        for figure, numbers in (("V-fig2.1", (7, 8)), ("V-fig2.3", (1,)))
        for name, words, change in (("assemble-gain", "trees by information gain", Altered(
                tuned={"criterion": "entropy"}, series=(TREE.name, ASSEMBLE.name))),
            ("most-weight", "unlabelled examples with nine tenths of the weight in place of a tenth", Altered(
                tuned={"beta": 0.9}, series=(ASSEMBLE.name,))))),
    Ablation("V-fig2.1", "many-tests", READING,
        f"{TIMES:g} standard errors, since a difference is asked for seven times three times", (8,),
        reads=again("V-fig2.1", 8, *(Between(number_of("sets on which ASSEMBLE beats the tree",
                        each("ASSEMBLE", "Tree", SEVEN, x, TIMES)), 0, 0) for x in SHARES))),
    Ablation("V-fig2.1", "gain", TUNING, "trees by information gain on Pendigits", (10,),
        (Altered(("pendigits",), tuned={"criterion": "entropy"}, x=ENDS),)),
    # the accuracies of this reading and of the next two were known
    Ablation("V-fig2.1", "over-shares", READING, "the mean over the shares of labels in place of each of them", (10,),
        reads=again("V-fig2.1", 10, *(rule for id, mcssb, own in (("pendigits", "a", "b"), ("optdigits", "c", "d"))
                for rule in (Above(mcssb, own),
                    *(Above(own, mean_of(id, name)) for name in ("Tree", "ASSEMBLE", "MCSSB-Uniform")))),
            here="On average over the shares MCSSB has {a:.3f} and MCSSB-Absolute {b:.3f} on Pendigits, {c:.3f} and "
            "{d:.3f} on Optdigits.",
            values=(mean_of(id, name) for id in ("pendigits", "optdigits") for name in ("MCSSB", ABSOLUTE.name)))),
    Ablation("V-fig3.1", "decent", READING, "decent is at most .02 below regression, on LightGBM’s sample of real web "
        "search", (7,), reads=again("V-fig3.1", 7,
            Between(at("sample", "AdaRank_NDCG", 10) - at("sample", "Regression", 10), -0.02, 1.0),
            Above(at("linear", "Regression", 10), at("linear", "AdaRank_NDCG", 10)))),
    Ablation("V-fig3.1", "on-the-sample", DATA, "LightGBM’s sample of real web search in place of made searches", (8,),
        reads=again("V-fig3.1", 8, Above("boost", "other"),
            here="On LightGBM’s sample NDCG_Boost has {boost:.3f} in NDCG@10, the best of the others {other:.3f}.",
            boost=at("sample", "NDCG_Boost", 10), other=best("sample", RIVALS, 10))),
    Ablation("V-fig2.1", "overall", READING, OVERALL, (8, 10),
        reads=again("V-fig2.1", 8, *(Between(name, -1, HALF_A_POINT) for name in "abc"),
            here="On average over the sets ASSEMBLE is {a:+.3f}, {b:+.3f} and {c:+.3f} from the tree.",
            values=map(_gained, SHARES))
        | again("V-fig2.1", 10, Above("a", "c"), Above("c", "g"), Above("c", "e"), Above("c", "i"), Above("b", "d"),
            Above("d", "h"), Above("d", "f"), Above("d", "j"),
            here="On average over the sets MCSSB has {a:.3f} and {b:.3f} with 2 and 10 % of the labels, MCSSB-Absolute "
            "{c:.3f} and {d:.3f}, ASSEMBLE {e:.3f} and {f:.3f} and the tree {g:.3f} and {h:.3f}.",
            values=(_mean(name, x) for name in ("MCSSB", ABSOLUTE.name, "ASSEMBLE", "Tree", "MCSSB-Uniform")
                for x in (LOW, HIGH)))),
    Ablation("V-fig2.3", "overall", READING, OVERALL, (0, 1),
        reads=again("V-fig2.3", 0, *(Above(mcssb, other) for mcssb, other in zip("abcde", "fghij", strict=True)),
            here="On average over the sets MCSSB has {a:.3f} and {e:.3f} at depths 1 and 12, ASSEMBLE {f:.3f} and "
            "{j:.3f}.", values=(_mean(name, x, FIVE) for name in ("MCSSB", "ASSEMBLE") for x in DEPTHS))
        | again("V-fig2.3", 1, *(Between(name, -1, HALF_A_POINT) for name in "abcde"),
            here="On average over the sets ASSEMBLE is {a:+.3f}, {b:+.3f}, {c:+.3f}, {d:+.3f} and {e:+.3f} from the "
            "tree, by depth.", values=(_gained(x, FIVE) for x in DEPTHS))),
    Ablation("V-fig2.2", "more-seeds", SIZE, "40 data seeds of Optdigits in place of 10", (0,),
        (Altered(("optdigits",), seeds=40, x=Over("C", (1e3, 1e10), log=True, only=("MCSSB",))),)),
    Ablation("V-fig2.3", "closer", DATA, "clouds that are wider by two thirds as a stand-in for Protein", (0, 1, 3),
        (Altered(("protein",), data={"spread": 1.0}),)),
    Ablation("V-fig2.3", "as-many", SIZE, "17,766 examples, 71 of them with labels, as of Protein, in place of 2,000 "
        "and eight", (3,), (Altered(("protein",), data={"examples": 17_766}, x=Over("depth", (2, 12))),)),
    Ablation("V-fig2.3", "words", READING, "a feature of 0 and 1 for each word of the nursery in place of a number",
        (0, 1, 2), (Altered(("nursery",), data={"words": "0 and 1"}),)),
    Ablation("V-fig2.3", "many-tests", READING, f"{TIMES:g} standard errors, since a difference is asked for 25 times",
        (1,), reads=again("V-fig2.3", 1, *(Between(number_of(f"depths on {id}",
                        at_depths("ASSEMBLE", "Tree", id, TIMES)), 0, 0) for id in FIVE))),
    Ablation("V-fig2.3", "most", READING, "most are three of the four data sets or more, in place of all", (2,),
        reads=again("V-fig2.3", 2, Between(number_of("sets that improve",
                    tuple(Above(at(id, "MCSSB", 8), at(id, "MCSSB", 1)) for id in FOUR)), 3, 4))),
    Ablation("V-thm6", "minus", MISPRINT, "a minus before the last term", (0,),
        reads=again("V-thm6", 0, Always(least_gap("alpha", "with a minus", "M"), -1e-9))),
    Ablation("V-thm7", "sum", MISPRINT, "M as a sum over the queries in place of a mean", (0,),
        reads=again("V-thm7", 0, Always(least_gap("web", "bound, M summed over queries", "M"), 0))),
    *(Ablation("V-fig3.1", f"nonlinear-{panel}", DATA,
            f"grades that no linear function explains, on the {words} search", statements,
            (Altered((panel,), data=NONLINEAR),)) for panel, words, statements in (("linear", "linear", (1, 4, 7)),
            ("correlated", "correlated", (2, 4)))),
    Ablation("V-fig3.1", "real", DATA, "LightGBM’s sample of real web search in place of made searches", (1, 2, 6, 7),
        (Altered(("nonlinear", "linear", "correlated"), dataset="letor-file",
                data={"path": "lightgbm_lambdarank/rank.train.gz"}),)),
    Ablation("V-fig3.1", "one-of-them", READING,
        "a lead of 3 to 11 % on one kind of search, as printed of three in seven", (4,),
        reads=again("V-fig3.1", 4, Between("s", 0.03, 0.11))),
    Ablation("V-fig3.1", "on-average", READING, "better on average in place of for every data seed", (5,),
        reads=again("V-fig3.1", 5, Above("a", "b"))),
    Ablation("V-fig3.1", "stumps", READING, "AdaRank with stumps in place of whole features", (7,),
        (Altered(("nonlinear", "linear"), tuned={"weak": "stumps"}, series=("AdaRank_NDCG",)),)),
    *(Ablation("V-fig3.1", name, kind, words, (7,), (Altered(("nonlinear",), data=data),))
        for name, kind, words, data in (("two-features", DATA, "two features in place of five on the nonlinear search",
                {"features": 2}), ("twenty-features", DATA, "20 features in place of five on the nonlinear search",
                {"features": 20}), ("many-queries", SIZE, "1,000 queries in place of 300 on the nonlinear search",
                {"queries": 1_000}))),
    *(Ablation("V-fig3.1", name, DATA, "features that go together on the nonlinear search", (number,),
            (Altered((panel,), data={"spectrum": "correlated"}),))
        for name, number, panel in (("together", 7, "nonlinear"), ("together-by-number", 8, "features"))),
    Ablation("V-fig3.1", "more-queries", SIZE, "400 queries in place of 100", (8,),
        (Altered(("features",), data={"queries": 400}),)),
    Ablation("V-2.3.4", "mnist", DATA, "5,000 images of MNIST in place of scikit-learn’s digits", (0, 1),
        (Altered(("mnist", "mnist-objective"), dataset="classification-file", data=MNIST),)),
    Ablation("V-fig2.1", "segment", DATA,
        "the image segmentation of the UCI repository as a stand-in for Letter in place of rings", (5,),
        (Altered(("letter",), dataset="classification-file", data=SEGMENT, x=LEAST),)),
    Ablation("V-thm7", "every-round", READING, EVERY_ROUND, (2,), reads=every_round("V-thm7", 2, "web", "M")),
    Ablation("V-thm7", "to-a-limit", READING, LIMIT, (2,), reads=to_limit("V-thm7", 2, "web", "M")),
    Ablation("V-fig2.3", "as-printed", READING, "ASSEMBLE as printed, where unlabelled examples keep the weight 0",
        (0, 1), (Altered(tuned={"variant": "printed"}, series=(ASSEMBLE.name,)),)),
    Ablation("V-thm7", "early", READING, "the first ten rounds against the next ten in place of all hundred", (2,),
        reads=again("V-thm7", 2, Above(rate("web", "M", 10, 20) / rate("web", "M", 1, 10), 0.5, 0))),
    *(Ablation("V-thm7", name, DATA, words, (2,), (Altered(more=more),))
        for name, words, more in (("few-queries", "30 queries in place of 300", {"queries": 30}),
            ("long-lists", "50 documents in place of 20", {"documents": 50}),
            ("no-noise", "grades without noise, which stumps can explain better", {"relevance_noise": 0.0}))),
)  # fmt: skip
