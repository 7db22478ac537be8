"""Ranking refinement in the dissertation [V], chapter 4: the causes that are tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.figures.causes.ablation import DATA, MISPRINT, READING, SIZE, TUNING, Ablation, Altered, again
from pages.ui.figures.computed import refinement as made
from pages.ui.figures.figure import Over
from pages.ui.figures.papers.refinement.feedback import ROBUST
from pages.ui.figures.papers.refinement.rankers import LRR, on, straight
from pages.ui.figures.papers.refinement.theory import HOLDS, LOSS, NINE, OURS, best_published
from pages.ui.figures.result import Result
from pages.ui.figures.statement import Above, Always, Near, Statement, Value, at, best, highest, least_gap

SAMPLE = {"path": "lightgbm_lambdarank/rank.train.gz"}
TD_MADE = {"queries": 75, "documents": 50, "features": 63, "relevance": "nonlinear"}
REAL = "LightGBM’s features and grades, ten documents judged, in place of pictures of digits"
AMONG = at("readings", "whole list", made.READINGS[1])
# chosen when the numbers were known
EVERY_ROUND = "a factor below 1 in every round, which is all that the bound promises, in place of one that stays"
TRUST = (("less-trust", 0.1, "a tenth of the trust in the base ranker"),
         ("more-trust", 10.0, "ten times the trust in the base ranker"))  # fmt: skip
LIMIT = "an exponential fall towards a limit in place of 0, closer to the curve than any power of the rounds"


def _explained(panel: str, series: str, fall: Callable[[Any, Any], Any]) -> Value:
    """Return the most of the variance that a + b · fall(t, c) explains, over a, b and c."""

    def unit(rows: Array) -> Array:
        centred = rows - rows.mean(axis=1, keepdims=True)
        scaled: Array = centred / np.linalg.norm(centred, axis=1, keepdims=True)
        return scaled

    def of(result: Result) -> Array:
        drawn = result.drawn(panel, series)
        rounds = drawn.numbers - drawn.numbers[0] + 1
        found: Array = ((unit(drawn.y) @ unit(fall(rounds, np.geomspace(0.001, 3, 60)[:, None])).T) ** 2).max(axis=1)
        return found

    return Value(f"share of the variance of {series} that the fall explains", of)


def to_limit(figure: str, number: int, panel: str, series: str) -> dict[int, Statement]:
    """Return a statement on an exponential fall, read as one to a limit, against powers of the rounds."""
    fall = _explained(panel, series, lambda t, c: np.exp(-c * t))
    power = _explained(panel, series, lambda t, c: t**-c)
    return again(
        figure, number, Above("e", 0.95, sure=0), Above("e", "p", sure=0), e=fall, p=power,
        here="An exponential with a limit explains {e:.3f} of the variance, a power of the rounds with one {p:.3f}.",
    )  # fmt: skip


def every_round(figure: str, number: int, panel: str, series: str) -> dict[int, Statement]:
    """Return a statement on an exponential fall, read as a fall by some factor in every round."""

    def of(result: Result) -> Array:
        least: Array = -np.diff(result.drawn(panel, series).y, axis=1).max(axis=1)
        return least

    return again(
        figure, number, Above("least", 0.0), least=Value(f"least fall of {series} from one point to the next", of),
        here="From one point to the next it falls by at least {least.least:.1e}.",
    )  # fmt: skip


ABLATIONS = (
    Ablation("V-sec4.3.2", "among-the-judged", READING, "η/2 among the judged documents in place of all pairs", (0,),
        reads=again("V-sec4.3.2", 0, Above(AMONG, 0.0), Near(AMONG - OURS, 0.0, 0.02))),
    *(Ablation("V-sec4.3.2", f"eta-{name}", TUNING, f"η = {eta:g} in place of ½", (1,),
            (Altered(("noise",), tuned={"eta": eta}, series=("MRR, η = ½",)),))
        for name, eta in (("small", 0.1), ("large", 0.8))),
    Ablation("V-sec4.3.2", "few-judged", SIZE, "judgements of 60 documents in place of 20, more of them wrong", (1,),
        (Altered(("noise",), asks={"judged": 60}),)),
    Ablation("V-sec4.3.2", "more-errors", DATA, "80 % of the judgements replaced in place of 40 %", (1,),
        (Altered(("noise",), x=Over("noise", (0.0, 0.8), "user")),),
        again("V-sec4.3.2", 1, Above("a", "b"),
            here="With 80 % of the judgements replaced, MRR gains {a:.3f} at η = ½ and {b:.3f} at η = 0.",
            a=at("noise", "MRR, η = ½", 0.8), b=at("noise", "MRR, η = 0", 0.8))),
    Ablation("V-sec4.3.2", "medium", DATA, "a base ranker of medium quality in place of the best", (1,),
        (Altered(("noise",), asks={"base": "medium"}),)),
    Ablation("V-sec4.3.2", "more-rounds", TUNING, "200 rounds in place of 50, by which wrong judgements are learned",
        (1,), (Altered(("noise",), steps=200),)),
    Ablation("V-sec4.3.2", "unjudged", READING, "the gain on the unjudged documents, whose order is learned, in place "
        "of the whole list", (1,), (Altered(("noise",), metric="gain-unjudged"),)),
    *(Ablation(figure, name, TUNING, words, numbers, (Altered(panels, tuned={"confidence": trust}),))
        for figure, numbers, panels in (("V-sec4.3.2", (1,), ("noise",)), ("V-sec4.3.3", (0,), ("sum", "td")),
            ("V-fig4.2", (0, 2), ("td",)), ("V-fig4.5", (1, 3, 4), ()))
        for name, trust, words in TRUST),
    Ablation("V-sec4.3.3", "first-ten", READING, "NDCG@10, as the chapter measures, in place of the gain of the list",
        (0,), (Altered(("sum", "td"), metric="ndcg@10"),)),
    Ablation("V-sec4.3.3", "unjudged", READING, "the gain on the unjudged documents in place of the whole list", (0,),
        (Altered(("sum", "td"), metric="gain-unjudged"),)),
    Ablation("V-sec4.3.2", "real", DATA, REAL, (1,), (Altered(("noise",), dataset="letor-file", data=SAMPLE,
                asks={"judged": 10}),)),
    *(Ablation(figure, name, kind, words, numbers, (change,))
        for figure, numbers, panels in (("V-sec4.3.3", (0,), ("td",)), ("V-fig4.2", (0, 2), ("td",)))
        for name, kind, words, change in (("td-made", DATA,
                "made nonlinear searches with 50 documents and 63 features as the stand-in for TD",
                Altered(panels, dataset="web-search", data=TD_MADE)),
            ("td-trees", TUNING, "trees of three levels as weak rankers on the stand-in for TD",
                Altered(panels, tuned={"depth": 3})))),
    Ablation("V-sec4.3.3", "real", DATA, REAL, (0,), (Altered(("td",), dataset="letor-file", data=SAMPLE,
                asks={"judged": 10}),)),
    Ablation("V-sec4.3.3", "tried-there", READING,
        "the best γ of the range that the dissertation tries, not of smaller ones", (0,),
        reads=again("V-sec4.3.3", 0, *(Above(at(p, "MRR"), best_published(p)) for p in ("sum", "td")))),
    Ablation("V-fig4.1", "one-ranking", READING, "η = 0, by which judgements take nothing back", (1,),
        (Altered(tuned={"eta": 0.0}),)),
    Ablation("V-fig4.1", "to-a-limit", READING, LIMIT, (1,), reads=to_limit("V-fig4.1", 1, "loss", "L_p")),
    Ablation("V-thm9", "every-round", READING, EVERY_ROUND, (2,), reads=every_round("V-thm9", 2, "rounds", NINE)),
    Ablation("V-thm9", "to-a-limit", READING, LIMIT, (2,), reads=to_limit("V-thm9", 2, "rounds", NINE)),
    Ablation("V-fig4.1", "early", READING,
        "the first ten rounds, which the text calls the first few, in place of all fifty", (1,),
        reads=again("V-fig4.1", 1, Above("r", 0.95, sure=0), r=straight("loss", "L_p", logarithm=True, to=10),
            here="A straight line explains {r:.2f} of the variance of log L_p over the first ten rounds.")),
    Ablation("V-fig4.1", "trees", TUNING, "trees of three levels as weak rankers in place of stumps", (1,),
        (Altered(tuned={"depth": 3}),)),
    Ablation("V-thm9", "squared", MISPRINT, "exp(−η²/4) where exp(−η) is printed", (1,),
        reads=again("V-thm9", 1, Near(highest("first", HOLDS), 0.0, 0.0),
            Always(least_gap("rounds", HOLDS, LOSS), 0.0))),
    Ablation("V-thm9", "early", READING, "the first five rounds against the next five in place of all fifty", (2,),
        reads=again("V-thm9", 2, Above("next", (at("rounds", NINE, 0) - at("rounds", NINE, 5)) * 0.5, sure=0),
            here="The bound falls by {first:.3f} in the first five rounds and by {next:.3f} in the next five.",
            first=at("rounds", NINE, 0) - at("rounds", NINE, 5), next=at("rounds", NINE, 5) - at("rounds", NINE, 10))),
    Ablation("V-fig4.2", "first-few", READING,
        "NDCG@3 in place of NDCG@10, since the text stresses the first few positions", (0, 2),
        reads=again("V-fig4.2", 0, Above("a", "b"), Above("c", "d"),
            here="NDCG@3: {a:.3f} for MRR and {b:.3f} for the best of LRR on the stand-in for OHSUMED, {c:.3f} and "
            "{d:.3f} on that for TD.", a=on("ohsumed", "MRR", 3), b=best("ohsumed", LRR, 3), c=on("td", "MRR", 3),
            d=best("td", LRR, 3))
        | again("V-fig4.2", 2, Above("a", "b"), Above("c", "d"),
            Near(on("hp", "MRR", 3) - on("hp", "SVM", 3), 0.0, 0.02),
            here="NDCG@3 of MRR and the SVM: {a:.3f} and {b:.3f} (stand-in for OHSUMED), {c:.3f} and {d:.3f} (for TD).",
            a=on("ohsumed", "MRR", 3), b=on("ohsumed", "SVM", 3), c=on("td", "MRR", 3), d=on("td", "SVM", 3))),
    Ablation("V-fig4.2", "real", DATA, REAL, (0, 1, 2),
        (Altered(("td", "hp"), dataset="letor-file", data=SAMPLE, asks={"judged": 10}),)),
    Ablation("V-fig4.2", "linear", DATA, "grades that a linear function explains, on the stand-in for OHSUMED", (5,),
        (Altered(("ohsumed-gain",), data={"relevance": "linear"}),)),
    Ablation("V-fig4.2", "more-judged", SIZE, "twice as many judged documents", (5,),
        (Altered(("ohsumed-gain", "td-gain"), asks={"judged": 40}),)),
    Ablation("V-fig4.2", "more-seeds", SIZE, "40 data seeds in place of 10", (5,),
        (Altered(("ohsumed-gain", "td-gain", "sample-gain"), seeds=40),)),
    Ablation("V-fig4.3", "judgements-count", TUNING, "a tenth of the trust in the base ranker", (3,),
        (Altered(("ohsumed",), tuned={"confidence": 0.1}),)),
    Ablation("V-fig4.3", "real", DATA, "LightGBM’s features and grades as the stand-in for OHSUMED", (3,),
        (Altered(("ohsumed",), dataset="letor-file", data=SAMPLE, asks={"judged": 10}),)),
    Ablation("V-fig4.4", "whole-list", READING,
        "the whole list alone, with the judged documents, as the dissertation measures", (2,),
        reads=again("V-fig4.4", 2, *(Above(value, 0.0) for value in ROBUST if "whole list" in value.words))),
    *(Ablation("V-fig4.5", name, kind, words, statements, (change,))
        for name, kind, words, statements, change in (("sure-ratings", DATA, "made ratings with a third of the noise",
                (0, 1, 3, 4), Altered(data={"rating_noise": 0.25})),
            ("keywords", DATA, "100 keywords of a movie in place of 32", (0, 3, 4), Altered(data={"keywords": 100})))),
    Ablation("V-fig4.6", "short-lists", READING,
        "lists of up to 400 documents, such as those of a user, and no longer ones", (0,),
        reads=again("V-fig4.6", 0, Above("r", 0.9))),
    Ablation("V-fig4.5", "more-seeds", SIZE, "40 data seeds in place of 10", (1,), (Altered(("a",), seeds=40),)),
    Ablation("V-fig4.5", "movielens", DATA, "MovieLens 100K in place of made ratings", (0, 1, 3, 4),
        (Altered(dataset="rated-movies-file", data={"path": "packaged/ml-100k"}),)),
    Ablation("V-thm9", "linear", DATA, "grades that a linear function explains", (2,),
        (Altered(("rounds",), more={"relevance": "linear"}),)),
    Ablation("V-thm9", "longer-lists", DATA, "lists of 150 documents in place of 60", (2,),
        (Altered(("rounds",), replicates=5, more={"documents": 150}),)),
)  # fmt: skip
