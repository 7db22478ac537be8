"""What came after [L]: the causes that are tried."""

from __future__ import annotations

from dataclasses import replace

from pages.ui.figures.causes.ablation import DATA, READING, SIZE, Ablation, Altered, again
from pages.ui.figures.figure import Group, Groups, Over
from pages.ui.figures.papers.after.clicks import DRAWN, DUEL, MANY, RANDOM, _ahead
from pages.ui.figures.papers.after.compared import CLICK, EDIT, GOOD, PAIR, SAFE, SURE, UNSURE, USERS
from pages.ui.figures.papers.after.compared import DRAWN as CLICKED
from pages.ui.figures.papers.after.compared import _ahead as _above
from pages.ui.figures.papers.after.few_labels import BOOST, PSEUDO, _less
from pages.ui.figures.statement import Above, at

COMPARING = {group.name: group for group in USERS.groups}
LEAST_SURE = Groups((Group(RANDOM, user="dependent-click", asks={"behaviour": RANDOM}),), title="user")

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
    Ablation("L-comparisons", "more-seeds", SIZE, "30 data seeds in place of 10", (3,),
        (Altered(("held-out",), seeds=30, x=Groups((COMPARING[SURE], COMPARING[EDIT]), title="user")),),
        again("L-comparisons", 3, Above("more", 0.0),
            here="3PR from edits ends {more:+.4f} from MaxInP from comparisons.",
            more=_above((SAFE, EDIT), (PAIR, SURE)))),
    Ablation("L-right-or-wrong", "longer", SIZE, "three times as many examples on SynSep and SynNonSep", (6,),
        (Altered(("synsep", "synnonsep"), steps=30_000, data={"examples": 30_000}),)),
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
)  # fmt: skip
