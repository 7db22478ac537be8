"""The successors [L]: the causes that are tried."""

from dataclasses import replace

from pages.ui.figures.causes.ablation import DATA, READING, SIZE, TUNING, Ablation, Altered, again
from pages.ui.figures.computed import alone
from pages.ui.figures.figure import Group, Groups, Over
from pages.ui.figures.papers.after.clicks import DRAWN, DUEL, MANY, RANDOM, _ahead
from pages.ui.figures.papers.after.compared import CLICK, EDIT, GOOD, PAIR, SAFE, SURE, UNSURE, USERS, WIDE
from pages.ui.figures.papers.after.compared import DRAWN as CLICKED
from pages.ui.figures.papers.after.compared import _ahead as _above
from pages.ui.figures.papers.after.few_labels import BOOST, CROSS, PAIRS, PSEUDO, _less
from pages.ui.figures.papers.after.heirs import CHANCE, GAP, NUMBER, RIGHT, WHICH, _gain
from pages.ui.figures.papers.after.heirs import _less as _less_error
from pages.ui.figures.statement import Above, Between, Value, at

COMPARING = {group.name: group for group in USERS.groups}
LEAST_SURE = Groups((Group(RANDOM, user="dependent-click", asks={"behaviour": RANDOM}),), title="user")
FEW_MANY = Over("labels", (5, 40), owner="dataset")


def _kept(labels: int) -> Value:
    """Return the share that hearing how many keeps of what hearing which gains over guessing."""
    return _gain(labels) / (at("labels", CHANCE, labels) - at("labels", WHICH, labels))


ABLATIONS = (
    *(Ablation(figure, "more-seeds", SIZE, "40 data seeds of the almost random user in place of 10", (2,),
            (Altered(("held-out",), seeds=40, x=LEAST_SURE),),
            again(figure, 2, Above("more", 0.0),
                here="TD-MGD is ahead of DBGD by {more:+.3f} with the almost random user.",
                more=_ahead(MANY, DUEL, "held-out", RANDOM))) for figure in ("L-clicks-linear", "L-clicks-nonlinear")),
    Ablation("L-few-labels", "more-seeds", SIZE, "30 data seeds in place of 10", (2,),
        (Altered(seeds=30, x=Over("labelled", (0.01, 0.2), "dataset", log=True)),)),
    Ablation("L-few-labels", "half", SIZE, "every second example with a label", (2,),
        (Altered(x=Over("labelled", (0.5,), "dataset")),),
        again("L-few-labels", 2, Above("more", 0.0), here="Pseudo-labels are ahead of MCSSB by {more:+.3f}.",
            more=_less(PSEUDO, BOOST, 0.5))),
    Ablation("L-grades", "more-seeds", SIZE, "30 data seeds of linear relevance in place of 10", (0,),
        (Altered(("linear",), seeds=30),)),
    Ablation("L-grades", "more-queries", SIZE, "2,000 queries of linear relevance in place of 500", (0,),
        (Altered(("linear",), data={"queries": 2_000}),)),
    *(Ablation("L-grades", name, kind, words, (0,), (change,),
            again("L-grades", 0, Between("x - l", -0.005, 1.0),
                here=f"{where} it has {{x:.3f}} against {{l:.3f}}.", x=at("linear", CROSS), l=at("linear", PAIRS)))
        for name, kind, words, where, change in (("rounds", SIZE, "300 rounds on linear relevance in place of 100",
                "After 300 rounds", Altered(("linear",), steps=300)),
            ("real", DATA, "LightGBM’s sample of real web search in place of linear relevance", "On the real sample",
                Altered(("linear",), dataset="letor-file", data={"path": "lightgbm_lambdarank/rank.train.gz"})))),
    Ablation("L-heirs", "more-seeds", SIZE, "40 data seeds of SynNonSep in place of 10", (0,),
        (Altered(("synnonsep",), seeds=40),)),
    # the outcome of Gaptron was known, for the next statement tells it
    Ablation("L-heirs", "gaptron", READING, "Gaptron, on which it builds, as the known baseline", (0,),
        reads=again("L-heirs", 0, *(Above(id, -0.02) for id in RIGHT[:2]),
            here="Gaptron at its best γ less Gappletron is {synsep:+.3f} on SynSep and {synnonsep:+.3f} on SynNonSep.",
            values={id: _less_error(id, GAP) for id in RIGHT[:2]})),
    Ablation("L-heirs", "longer", SIZE, "30,000 examples of SynSep and SynNonSep in place of 10,000", (0,),
        (Altered(("synsep", "synnonsep"), steps=30_000, data={"examples": 30_000}),)),
    Ablation("L-heirs", "longer-sets", SIZE, "30,000 steps in place of 3,000", (3,),
        (Altered(("labels",), steps=30_000, data={"examples": 30_000}, x=FEW_MANY),)),
    # the numbers of this reading were known, for the figure tells them
    Ablation("L-heirs", "share-kept", READING,
        "what is kept of the gain over guessing, which has an end, in place of the factor of the loss", (3,),
        reads=again("L-heirs", 3, Above("few - many", 0.0),
            here=f"“{NUMBER.capitalize()}” keeps {{few:.2f}} of what “{WHICH}” gains with 5 labels, and {{many:.2f}} "
            "with 40.", few=_kept(5), many=_kept(40))),
    Ablation("L-bought", "alone", READING, "a step without what it costs a learner that learns nothing, metrics and "
        "clicks among it, over 1,000 searches", (1,), (Altered(("clicks",), steps=1_000, computed=alone.rankers),)),
    # the numbers of these widths were known, for the statement tells them
    Ablation("L-comparisons", "theory", TUNING, "MaxInP with the width of its theory, and no other", (0,),
        reads=again("L-comparisons", 0, *(Above(_above((GOOD, u), (WIDE, u), "online"), 0.0) for u in (SURE, UNSURE)))),
    Ablation("L-comparisons", "many-features", DATA, "100 features in place of 20, more than comparisons can weigh",
        (2,), (Altered(("held-out",), data={"features": 100},
                x=Groups((COMPARING[SURE], COMPARING[CLICK]), title="user")),)),
    Ablation("L-comparisons", "few-features", DATA,
        "32 documents with five features, about as many as the arms of the papers, in place of 20 with 20", (0,),
        (Altered(("online",), data={"documents": 32, "features": 5},
                x=Groups((COMPARING[SURE], COMPARING[UNSURE]), title="user")),)),
    Ablation("L-comparisons", "less-sure", READING, "comparisons by the less sure user, as noisy as the clicks", (2,),
        reads=again("L-comparisons", 2, *(Above(_above((CLICKED, CLICK), (one, UNSURE)), 0.0) for one in (GOOD, PAIR)),
            here="With the less sure user FGTS.CDB ends at {g:.3f} and MaxInP at {p:.3f}, PDGD at {c:.3f} from clicks.",
            g=at("held-out", GOOD, UNSURE), p=at("held-out", PAIR, UNSURE), c=at("held-out", CLICKED, CLICK))),
    Ablation("L-comparisons", "right-clicks", DATA, "clicks without errors in place of one error in five judgements",
        (2,), (Altered(("held-out",), x=Groups((COMPARING[SURE], replace(COMPARING[CLICK], asks={"noise": 0.0})),
                    title="user")),)),
    Ablation("L-comparisons", "all-clicks", READING, "clicks on up to five results that look relevant, in place "
        "of the first", (2,), (Altered(("held-out",), x=Groups(
                    (COMPARING[SURE], replace(COMPARING[CLICK], user="scan")),
                    title="user")),)),
    Ablation("L-comparisons", "more-seeds", SIZE, "30 data seeds in place of 10", (3,),
        (Altered(("held-out",), seeds=30, x=Groups((COMPARING[SURE], COMPARING[EDIT]), title="user")),),
        again("L-comparisons", 3, Above("more", 0.0),
            here="3PR from edits ends {more:+.4f} from MaxInP from comparisons.",
            more=_above((SAFE, EDIT), (PAIR, SURE)))),
    Ablation("L-right-or-wrong", "longer", SIZE, "three times as many examples on SynSep and SynNonSep", (6,),
        (Altered(("synsep", "synnonsep"), steps=30_000, data={"examples": 30_000}),)),
    Ablation("L-right-or-wrong", "greedy", READING, "the errors of what each learner predicts, without those of the "
        "steps that explore, on SynSep, SynNonSep and the digits", (6,),
        (Altered(("synsep", "synnonsep", "digits"), metric="error-rate-greedy"),)),
    Ablation("L-right-or-wrong", "segment", DATA,
        "the image segmentation of the UCI repository in place of points in sectors", (4,),
        (Altered(("letter",), steps=2_310, dataset="classification-file", data={"path": "packaged/segment.csv"}),)),
    Ablation("L-clicks-data", "more-seeds", SIZE, "40 data seeds of the almost random user in place of 10", (1,),
        (Altered(("folds",), seeds=40, x=LEAST_SURE),), again("L-clicks-data", 1, Above("more", 0.0),
            here="PDGD is ahead of TD-MGD by {more:+.3f} with the almost random user.",
            more=_ahead(DRAWN, MANY, "folds", RANDOM))),
    Ablation("L-toy-tables", "coin", DATA,
        "a user who errs in two of five judgements, so that one search in sixty reaches the end", (3,),
        (Altered(("believed",), asks={"noise": 0.4}),)),
    Ablation("L-toy-tables", "surer", TUNING, "δ = 10⁻⁹, towards the 1/T⁴ of the theory, in place of 0.1", (3,),
        (Altered(("believed",), tuned={"delta": 1e-9}),)),
)  # fmt: skip
