"""Ranking refinement in the dissertation: Figs. 4.1 to 4.6, on stand-ins for LETOR and MovieLens."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pages.ui.figures.figure import Figure, Group, Groups, Metrics, Own, Panel, Series, Size, Steps
from pages.ui.figures.result import Result
from pages.ui.figures.statement import Above, Expected, Near, Statement, Value, at, best

ROUNDS = 50
GAMMAS = (10.0, 1.0, 0.1)  # of the 100 values from 0.1 to 10 that the dissertation tries
DEPTHS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 25)
NDCG = Metrics(tuple((k, f"ndcg@{k}") for k in DEPTHS), "NDCG@k, k")
NDCG_TO_10 = Metrics(tuple((k, f"ndcg@{k}") for k in DEPTHS if k <= 10), "NDCG@k, k")
GAINS = Metrics((("whole list", "gain"), ("unjudged documents", "gain-unjudged")))
PAGE, LIVE = Size(ROUNDS, replicates=20), Size(ROUNDS, seeds=2, replicates=6)
LRR = tuple(f"LRR, γ = {gamma:g}" for gamma in GAMMAS)


def letor(*names: str) -> Own:
    """Return how a data set of LETOR 3.0 is chosen."""
    files = tuple(f"{name}{end}" for name in names for end in ("", ".zip", "/Fold1/train.txt"))
    words = f"{' or '.join(names)} of LETOR 3.0: its folder or zip file with Fold1 … Fold5, or any one of its files."
    return Own("letor-folds", words, files=files)


def lineup(least: float = 1.0) -> tuple[Series, ...]:
    """Return the rankers of §4.4.1, and the reference that puts the judged documents in order and learns nothing."""
    sums = (
        Series(name, "ranking-refinement", {"combine": "sum", "gamma": g}) for name, g in zip(LRR, GAMMAS, strict=True)
    )
    return (
        Series("Base Ranker", "base-ranker"),
        Series("Rocchio", "rocchio", {"least": least}),
        Series("SVM", "feedback-svm"),
        Series("MRR", "ranking-refinement"),
        *sums,
        Series("Judged first", "judged-first", {"least": least}, reference=True),
    )


WORDS = {
    "ohsumed": "stand-in for OHSUMED", "td": "stand-in for TD", "hp": "stand-in for HP and NP",
    "sample": "real features",
}  # fmt: skip


def on(panel: str, series: str, x: float) -> Value:
    """Return NDCG@x of a series, named with its world."""
    return at(panel, series, x).named(f"NDCG@{x:g} of {series} ({WORDS[panel]})")


def over_base(panel: str, series: str, x: float, base: str = "Base Ranker") -> Value:
    """Return what a series gains in NDCG@x over its base ranker."""
    value = at(panel, series, x) - at(panel, base, x)
    return value.named(f"gain of {series} in NDCG@{x:g} ({WORDS[panel]})")


def straight(panel: str, series: str, logarithm: bool = False, to: float = np.inf) -> Value:
    """Return R² of a straight line through a curve, or through its logarithm, up to a place of the x axis."""

    def of(result: Result) -> np.ndarray[Any, Any]:
        drawn = result.drawn(panel, series)
        part = drawn.numbers <= to
        rows = np.log(drawn.y[:, part]) if logarithm else drawn.y[:, part]
        return np.array([np.corrcoef(drawn.numbers[part], row)[0, 1] ** 2 for row in rows])

    return Value(f"R² of {'log ' if logarithm else ''}{series} against a straight line", of)


OHSUMED = Panel(
    "ohsumed", "OHSUMED", lineup(), PAGE, "web-search",
    {"queries": 106, "documents": 150, "features": 45, "relevance": "nonlinear"}, "judge", {"judged": 20}, x=NDCG,
    y_title="NDCG", y_range=(0, 1), paper=Size(ROUNDS, replicates=106), live=LIVE, own=letor("OHSUMED"),
    stands_for="OHSUMED of LETOR 3.0. Here nonlinear synthetic web search with as many queries, documents and features",
)  # fmt: skip
TD = replace(
    OHSUMED, id="td", title="TD2003, TD2004", dataset="digits-search",
    data={"documents": 50, "topic": "3", "queries": 75}, own=letor("TD2004", "TD2003"),
    paper=Size(ROUNDS, replicates=75),
    stands_for="TD2003 and TD2004 of LETOR 3.0, with few relevant among 1,000 documents. Here five of fifty pictures "
    "show the digit sought, and a pixel is the base ranker",
)  # fmt: skip
HP = replace(
    TD, id="hp", title="HP2003, HP2004, NP2003, NP2004", data={"documents": 10, "topic": "3", "queries": 75},
    asks={"judged": 5}, x=NDCG_TO_10, own=letor("HP2003", "HP2004", "NP2003", "NP2004"),
    stands_for="HP2003, HP2004, NP2003 and NP2004 of LETOR 3.0, with one relevant document. Here one of ten pictures "
    "shows the digit sought, and five are judged",
)  # fmt: skip
SAMPLE = replace(
    OHSUMED, id="sample", title="Real features and grades", dataset="letor-file",
    data={"path": "lightgbm_lambdarank/rank.train.gz"}, asks={"judged": 10},
    paper=Size(ROUNDS, replicates=200), own=Own("letor-file", "Any ranking file in the form of LETOR or SVMlight."),
    stands_for="any of LETOR's data sets. Here LightGBM's ranking sample, 201 queries of 15 documents, ten judged",
)  # fmt: skip
WORLDS = (OHSUMED, TD, HP, SAMPLE)
LINEAR = replace(
    OHSUMED, id="linear", title="Linear relevance", data={**OHSUMED.data, "relevance": "linear"}, own=None,
    stands_for="OHSUMED once more. Here a linear model explains the grades",
)  # fmt: skip


def gains(panel: Panel, id: str, series: tuple[Series, ...] | None = None) -> Panel:
    """Return the panel with the gain in NDCG of the same runs, of the whole list and of the unjudged documents."""
    title = f"{panel.title}, gain over the base ranker"
    return replace(
        panel,
        id=id,
        title=title,
        series=series or panel.series,
        x=GAINS,
        y_title="gain in NDCG",
        y_range=None,
        stands_for="",
    )


def unjudged(pairs: Mapping[str, str], series: str = "MRR") -> Statement:
    """Return our own statement on what is learned beyond the judgements. pairs : for each panel of gains its words."""
    first = {
        f"a{i}": at(panel, series, "unjudged documents").named(f"gain of {series} on the unjudged documents, {said}")
        for i, (panel, said) in enumerate(pairs.items())
    }
    whole = {
        f"b{i}": at(panel, series, "whole list").named(f"gain of {series} on the whole list, {said}")
        for i, (panel, said) in enumerate(pairs.items())
    }
    order = {f"c{i}": at(panel, "Judged first", "whole list") for i, panel in enumerate(pairs)}
    words = [
        f"{said} {{b{i}:+.3f}} against {{c{i}:+.3f}}, and {{a{i}:+.3f}} on the unjudged"
        for i, said in enumerate(pairs.values())
    ]
    return Expected(
        "What MRR learns from the judged documents improves the order of the others, too. The dissertation measures "
        "the whole list, with the judged documents in it, and claims nothing of the others.",
        "Gain of MRR on the whole list, against that of putting the judged documents in order without learning "
        f"anything: {'; '.join(words)}.",
        *(Above(value, 0.0) for value in first.values()),
        values=first | whole | order,
        where="§4.3.3",
        why=(
            "A document that was judged relevant goes to the front and one that was not to the back: that alone "
            "raises NDCG. Only the unjudged documents show whether anything was learned of the query."
        ),
    )


AT_FIRST = at("loss", "L_p", 1)
EARLY = AT_FIRST - at("loss", "L_p", 10)
LATE = at("loss", "L_p", 10) - at("loss", "L_p", 50)
FIG_1 = Figure(
    "V-fig4.1", "V", 1160, "Fig. 4.1", "The product of the losses falls",
    "L_p of Eq. 4.10 after each round of boosting, with the bound of Theorem 9. The dissertation gives one example "
    "from OHSUMED. Here every data seed is the mean over twenty queries.",
    (
        replace(
            OHSUMED, id="loss", title="Reduction of L_p", metric="objective", x=Steps(log=False, points=50),
            x_title="rounds", y_title="L_p", y_range=None, log_y=True,
            series=(
                Series("L_p", "ranking-refinement"),
                Series("Theorem 9", "ranking-refinement", metric="bound", reference=True),
            ),
        ),
    ),
    (
        Statement(
            "L_p “receives the largest reduction during the first few iterations”.",
            "Of its value after round 1, L_p loses {early:.0%} until round 10, and {late:.0%} from there to round 50.",
            Above(EARLY, LATE), early=EARLY / AT_FIRST, late=LATE / AT_FIRST,
        ),
        Statement(
            "“We clearly see that the objective function is reduced exponentially.”",
            "A straight line explains {r:.2f} of the variance of log L_p over the rounds. L_p ends at {end:.0%} of "
            "what it is after the first round.",
            Above("r", 0.95, sure=0), r=straight("loss", "L_p", logarithm=True),
            end=at("loss", "L_p", 50) / at("loss", "L_p", 1),
            why=(
                "The two rankings contradict each other, so the product falls towards a positive minimum. "
                "Its logarithm is then no straight line."
            ),
        ),
    ),
)  # fmt: skip

FIG_2 = Figure(
    "V-fig4.2", "V", 1281, "Fig. 4.2", "Rankers under relevance feedback",
    "NDCG of the first 25 documents after the first 20 were judged. The base ranker is the best single feature. "
    "LRR-best and LRR-worst are the best and the worst γ; three of the dissertation's hundred are drawn. The dashed "
    "reference puts the judged documents in order and learns nothing. The gains are those of the same runs.",
    (*WORLDS, LINEAR, *(gains(panel, f"{panel.id}-gain") for panel in (*WORLDS, LINEAR))),
    (
        Statement(
            "“MRR performs significantly better than the best case of LRR … for OHSUMED and TD2004 datasets.”",
            "NDCG@10: {a:.3f} for MRR and {b:.3f} for the best of LRR on the stand-in for OHSUMED, {c:.3f} and {d:.3f} "
            "on that for TD.",
            Above("a", "b"), Above("c", "d"), a=on("ohsumed", "MRR", 10),
            b=best("ohsumed", LRR, 10), c=on("td", "MRR", 10), d=best("td", LRR, 10),
            why=(
                "The product gives one half of the weight to the base ranker, however bad it is. A small γ gives it "
                "less, which helps where the base ranker is a single pixel."
            ),
        ),
        Statement(
            "“MRR significantly outperforms the base ranker and Rocchio algorithms in all the cases.”",
            "NDCG@10 of MRR, Rocchio and the base ranker: {a:.3f}, {b:.3f}, {c:.3f} (stand-in for OHSUMED), {d:.3f}, "
            "{e:.3f}, {f:.3f} (for TD), {g:.3f}, {h:.3f}, {i:.3f} (for HP and NP), {j:.3f}, {k:.3f}, {l:.3f} (real "
            "features).",
            *(Above(mrr, rival) for mrr, rivals in (("a", "bc"), ("d", "ef"), ("g", "hi"), ("j", "kl"))
                for rival in rivals),
            values=(on(panel.id, name, 10) for panel in WORLDS for name in ("MRR", "Rocchio", "Base Ranker")),
            why=(
                "Pictures of one digit resemble each other, so the mean of those judged relevant is a good query. Such "
                "documents are what Rocchio was made for. LETOR's features are not of that kind."
            ),
        ),
        Statement(
            "“It outperforms Ranking-SVM in the first three data sets and yields similar performance for the remaining "
            "four.”",
            "NDCG@10 of MRR less that of the SVM: {a - b:+.3f} (stand-in for OHSUMED), {c - d:+.3f} (for TD), "
            "{e - f:+.3f} (for HP and NP).",
            Above("a", "b"), Above("c", "d"), Near("e - f", 0.0, 0.02),
            values=(on(panel, name, 10) for panel in ("ohsumed", "td", "hp") for name in ("MRR", "SVM")),
            why=(
                "A weighted sum of all pixels tells digits apart better than questions about single pixels, of which "
                "the weak rankers are made."
            ),
        ),
        Statement(
            "“The improvement … is more significant for the first a few ranking positions.”",
            "MRR gains {a:.3f} in NDCG@1 and {b:.3f} in NDCG@25 on the stand-in for OHSUMED, {c:.3f} and {d:.3f} on "
            "that for TD.",
            Above("a", "b"), Above("c", "d"),
            values=(over_base(p, "MRR", k) for p in ("ohsumed", "td") for k in (1, 25)),
        ),
        Statement(
            "“NDCG is decreasing for the first three data sets and increasing for the remaining data sets.”",
            "NDCG of MRR at 1 and 25: {a:.3f}, {b:.3f} (stand-in for OHSUMED), {c:.3f}, {d:.3f} (for TD). At 1 and 10: "
            "{e:.3f}, {f:.3f} (for HP and NP).",
            Above("a", "b"), Above("c", "d"), Above("f", "e"),
            values=(on(p, "MRR", k) for p, last in (("ohsumed", 25), ("td", 25), ("hp", 10)) for k in (1, last)),
        ),
        unjudged({"ohsumed-gain": "on the stand-in for OHSUMED", "td-gain": "on that for TD",
                  "sample-gain": "on real features"}),
    ),
    chosen="The last statement is ours. It was taken from a sentence on the goal of ranking refinement, and is judged "
    "by the unjudged documents alone since the result was known. The text still tells the gain on the whole list.",
)  # fmt: skip

BASES = ("best", "medium", "worst")


def by_base(panel: Panel) -> Panel:
    """Return the panel with MRR over three base rankers, and what it starts from."""
    return replace(panel, series=(
        *(Series(f"MRR, {base} base ranker", "ranking-refinement", asks={"base": base}) for base in BASES),
        *(Series(f"{base} base ranker", "base-ranker", asks={"base": base}, reference=True) for base in BASES),
        Series("Rocchio, best base ranker", "rocchio", reference=True),
        Series("SVM, best base ranker", "feedback-svm", reference=True),
        *(Series(f"judged first, {base}", "judged-first", asks={"base": base}, reference=True) for base in BASES),
    ))  # fmt: skip


FIG_3 = Figure(
    "V-fig4.3", "V", 1284, "Fig. 4.3", "Good and bad base rankers",
    "NDCG of MRR when the base ranker is the best, a medium or the worst single feature, with the base rankers "
    "themselves dashed. The last panels show what is gained on the unjudged documents.",
    (
        *(by_base(panel) for panel in WORLDS),
        *(
            replace(
                panel, id=f"{panel.id}-left", title=f"{panel.title}, unjudged documents", metric="gain-unjudged",
                x=Groups(tuple(Group(base, asks={"base": base}) for base in BASES), "base ranker"),
                y_title="gain in NDCG", y_range=None, series=tuple(s for s in panel.series if s.name not in LRR),
            )
            for panel in WORLDS
        ),
    ),
    (
        Statement(
            "“The quality of base rankers has a direct impact on the performance of the MRR algorithm.”",
            "NDCG@10 of MRR from the best, the medium and the worst base ranker: {a:.3f}, {b:.3f}, {c:.3f} (stand-in "
            "for OHSUMED), {d:.3f}, {e:.3f}, {f:.3f} (for TD), {g:.3f}, {h:.3f}, {i:.3f} (for HP and NP).",
            Above("a", "b"), Above("b", "c"), Above("d", "e"), Above("e", "f"), Above("g", "h"), Above("h", "i"),
            values=(on(p, f"MRR, {base} base ranker", 10) for p in ("ohsumed", "td", "hp") for base in BASES),
        ),
        Statement(
            "MRR “is able to significantly improve the performance for a base ranker that can retrieve some relevant "
            "documents”.",
            "NDCG@10 of the worst base ranker and of MRR from it: {a:.3f}, {b:.3f} (stand-in for OHSUMED). Of the "
            "medium one: {c:.3f}, {d:.3f} (stand-in for OHSUMED), {e:.3f}, {f:.3f} (for TD).",
            Above("b", "a"), Above("d", "c"), Above("f", "e"),
            values=(
                on(p, f"{mrr}{base} base ranker", 10)
                for p, base in (("ohsumed", "worst"), ("ohsumed", "medium"), ("td", "medium")) for mrr in ("", "MRR, ")
            ),
        ),
        Statement(
            "Where the base ranker performs extremely poorly (TD2003, HP, NP) all judged documents are irrelevant, and "
            "“no improvement can be made”.",
            "From the worst base ranker, whose NDCG@10 is {a:.3f}, MRR gains {b - a:.3f} on the stand-in for TD. On "
            "that for HP and NP it starts at {c:.3f} and gains {d - c:.3f}.",
            Near("b - a", 0.0, 0.05), Near("d - c", 0.0, 0.05),
            values=(on(p, f"{mrr}worst base ranker", 10) for p in ("td", "hp") for mrr in ("", "MRR, ")),
            why=(
                "With one relevant document in ten and five judged, even the worst base ranker now and then shows it. "
                "In LETOR it is one in 1,000."
            ),
        ),
        Statement(
            "“For data set OHSUMED, even with the worst base ranker, MMR algorithm [MRR] is able to achieve similar "
            "performance to the baseline methods when they use the best base ranker.”",
            "NDCG@10: {a:.3f} for MRR from the worst base ranker, {b:.3f} for Rocchio and {c:.3f} for the SVM from the "
            "best.",
            *(Above("a", on("ohsumed", f"{name}, best base ranker", 10) - 0.05, sure=0) for name in ("Rocchio", "SVM")),
            a=on("ohsumed", "MRR, worst base ranker", 10), b=on("ohsumed", "Rocchio, best base ranker", 10),
            c=on("ohsumed", "SVM, best base ranker", 10),
        ),
    ),
)  # fmt: skip

FIGURES = (FIG_1, FIG_2, FIG_3)
