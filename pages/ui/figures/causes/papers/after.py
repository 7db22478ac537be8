"""What came after [L]: the causes that are tried."""

from __future__ import annotations

from pages.ui.figures.causes.ablation import DATA, SIZE, Ablation, Altered, again
from pages.ui.figures.figure import Group, Groups, Over
from pages.ui.figures.papers.after.clicks import DRAWN, DUEL, MANY, RANDOM, _ahead
from pages.ui.figures.papers.after.few_labels import BOOST, PSEUDO, _less
from pages.ui.figures.statement import Above

LEAST_SURE = Groups((Group(RANDOM, user="dependent-click", asks={"behaviour": RANDOM}),), title="user")

ABLATIONS = (
    *(
        Ablation(
            figure,
            "more-seeds",
            SIZE,
            "40 data seeds of the almost random user in place of 10",
            (2,),
            (Altered(("held-out",), seeds=40, x=LEAST_SURE),),
            again(
                figure,
                2,
                Above("more", 0.0),
                here="TD-MGD is ahead of DBGD by {more:+.3f} with the almost random user.",
                more=_ahead(MANY, DUEL, "held-out", RANDOM),
            ),
        )
        for figure in ("L-clicks-linear", "L-clicks-nonlinear")
    ),
    Ablation(
        "L-few-labels",
        "more-seeds",
        SIZE,
        "30 data seeds in place of 10",
        (2,),
        (Altered(seeds=30, x=Over("labelled", (0.01, 0.2), "dataset", log=True)),),
    ),
    Ablation(
        "L-few-labels",
        "half",
        SIZE,
        "every second example with a label",
        (2,),
        (Altered(x=Over("labelled", (0.5,), "dataset")),),
        again(
            "L-few-labels",
            2,
            Above("more", 0.0),
            here="Pseudo-labels are ahead of MCSSB by {more:+.3f}.",
            more=_less(PSEUDO, BOOST, 0.5),
        ),
    ),
    Ablation(
        "L-grades",
        "more-seeds",
        SIZE,
        "30 data seeds of linear relevance in place of 10",
        (0,),
        (Altered(("linear",), seeds=30),),
    ),
    Ablation(
        "L-right-or-wrong",
        "longer",
        SIZE,
        "three times as many examples on SynSep and SynNonSep",
        (6,),
        (Altered(("synsep", "synnonsep"), steps=30_000, data={"examples": 30_000}),),
    ),
    Ablation(
        "L-right-or-wrong",
        "segment",
        DATA,
        "the image segmentation of the UCI repository in place of points in sectors",
        (4,),
        (Altered(("letter",), steps=2_310, dataset="classification-file", data={"path": "packaged/segment.csv"}),),
    ),
    Ablation(
        "L-clicks-data",
        "more-seeds",
        SIZE,
        "40 data seeds of the almost random user in place of 10",
        (1,),
        (Altered(("folds",), seeds=40, x=LEAST_SURE),),
        again(
            "L-clicks-data",
            1,
            Above("more", 0.0),
            here="PDGD is ahead of TD-MGD by {more:+.3f} with the almost random user.",
            more=_ahead(DRAWN, MANY, "folds", RANDOM),
        ),
    ),
    Ablation(
        "L-toy-tables",
        "coin",
        DATA,
        "a user who errs in two of five judgements, so that one search in sixty reaches the end",
        (3,),
        (Altered(("believed",), asks={"noise": 0.4}),),
    ),
)
