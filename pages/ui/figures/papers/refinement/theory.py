"""Ranking refinement in the dissertation: its theorems, and what its sections say in words."""

from dataclasses import replace

from pages.ui.figures.computed import refinement as made
from pages.ui.figures.figure import Figure, Metrics, Over, Panel, Series, Size
from pages.ui.figures.papers.refinement.rankers import OHSUMED, ROUNDS, TD
from pages.ui.figures.statement import Above, Always, Near, Statement, Value, at, highest, least_gap, lowest

BOOSTED = "ranking-refinement"
COMPUTED = Panel(
    "", "", (), Size(ROUNDS, replicates=20), "web-search", made.WORLD,
    "judge", {"judged": 20}, x=Metrics(()), live=Size(ROUNDS, seeds=2, replicates=10),
)  # fmt: skip
FEW = Size(ROUNDS, replicates=10)
WEIGHTS = (0.001, 0.01, 0.1, 1.0, 10.0)
PUBLISHED = WEIGHTS[2:]


def best_published(panel: str) -> Value:
    """Return the gain of the sum at the best γ that the dissertation tries."""
    value = highest(panel, "LRR", low=min(PUBLISHED))
    return value.named("LRR at the best γ from 0.1 to 10")


OURS, PRINTED = (at("readings", "whole list", reading) for reading in (made.READINGS[0], made.READINGS[2]))
PRINTED_T = Figure(
    "V-sec4.3.2", "V", 1043, "Eq. 4.3", "T as it is printed, and judges who err",
    "T is ½ η for all pairs that nobody judged, as it is printed, or only among the judged documents, or 0 there, as "
    "in the library. The second panel replaces some judgements by a random grade.",
    (
        replace(
            COMPUTED, id="readings", title="Readings of T", data={**COMPUTED.data, "documents": 100},
            series=(Series("whole list", BOOSTED), Series("unjudged documents", BOOSTED)),
            x=Metrics((), "T of pairs that nobody judged"), y_title="gain in NDCG of MRR", computed=made.readings,
        ),
        replace(
            OHSUMED, id="noise", title="Judges who err", metric="gain", own=None, stands_for="",
            x=Over("noise", (0.0, 0.2, 0.4), "user", "judgements replaced by a random grade"), y_title="gain in NDCG",
            y_range=None, page=FEW, live=Size(ROUNDS, seeds=2, replicates=4), data={**OHSUMED.data, "documents": 100},
            series=(
                Series("MRR, η = ½", BOOSTED), Series("MRR, η = 0", BOOSTED, {"eta": 0.0}),
                Series("SVM", "feedback-svm"), Series("Judged first", "judged-first", reference=True),
            ),
        ),
    ),
    (
        Statement(
            "T is 1 − η/2 for a judged pair and “η/2 otherwise”, with η = ½.",
            "MRR gains {b:.3f} in NDCG with T as printed and {a:.3f} with T = 0 for all other pairs.",
            Above("b", 0.0),
            Near((PRINTED - OURS).named("gain with T as printed less that with T = 0 elsewhere"), 0.0, 0.02), a=OURS,
            b=PRINTED.named("gain with T as printed"),
            why=(
                "With 100 documents and 20 judged, at most 190 of 9,900 pairs are judged to be in order. The half of η "
                "on each of the others outweighs them."
            ),
        ),
        Statement(
            "η “reflects the error rate of training data, and is particularly useful when the labeled instances are "
            "derived from implicit user feedback that is usually noisy”.",
            "With 40 % of the judgements replaced, MRR gains {a:.3f} at η = ½ and {b:.3f} at η = 0. Without errors it "
            "gains {c:.3f} and {d:.3f}.",
            Above("a", "b"), a=at("noise", "MRR, η = ½", 0.4), b=at("noise", "MRR, η = 0", 0.4),
            c=at("noise", "MRR, η = ½", 0.0), d=at("noise", "MRR, η = 0", 0.0),
            why=(
                "η = ½ takes half of what the judgements say back, whether they are right or wrong. The losses of a "
                "pair grow exponentially either way, and the base ranker's share in the product already keeps the "
                "scores small."
            ),
        ),
    ),
    chosen="That T as printed gains anything was added to the rules of the first statement.",
)  # fmt: skip

BY_WEIGHT = replace(
    OHSUMED, id="sum", title="OHSUMED, whole list", metric="gain", y_title="gain in NDCG", y_range=None,
    x=Over("gamma", WEIGHTS, "learner", "γ", log=True, only=("LRR",)), data={**OHSUMED.data, "documents": 100},
    page=FEW, live=Size(ROUNDS, seeds=2, replicates=4),
    series=(
        Series("LRR", BOOSTED, {"combine": "sum"}), Series("MRR", BOOSTED),
        Series("Judged first", "judged-first", reference=True),
    ),
)  # fmt: skip
TD_WEIGHT = replace(BY_WEIGHT, id="td", title="TD2003, TD2004, whole list", dataset=TD.dataset, data=TD.data,
                    stands_for=TD.stands_for, own=TD.own)  # fmt: skip
SUM = Figure(
    "V-sec4.3.3", "V", 1110, "§4.3.3", "Multiply or add",
    "The gain of the sum over its weight γ. The dissertation tries γ from 0.1 to 10; two smaller ones are added. "
    "Multiplying needs no weight.",
    (
        BY_WEIGHT,
        replace(BY_WEIGHT, id="sum-left", title="OHSUMED, unjudged documents", metric="gain-unjudged"),
        TD_WEIGHT,
    ),
    (
        Statement(
            "“Minimization of L_p usually significantly outperforms minimization of L_a even when the optimal "
            "combination weight γ is used for L_a.”",
            "The product gains {a:.3f} and the sum at the best γ of the dissertation's range {b:.3f}, at the best of "
            "all {c:.3f} (stand-in for OHSUMED). On the stand-in for TD it is {d:.3f}, {e:.3f} and {f:.3f}.",
            Above("a", "b"), Above("a", "c"), Above("d", "e"), Above("d", "f"),
            values=(
                value for p, words in (("sum", "OHSUMED"), ("td", "TD")) for value in
                (at(p, "MRR").named(f"MRR (stand-in for {words})"), best_published(p), highest(p, "LRR"))
            ),
            why=(
                "W has a weight for every pair of documents and T only for those judged, so that the best γ is smaller "
                "than any that the dissertation tries. The product divides each loss by its size."
            ),
        ),
        Statement(
            "“Different γ could result in very different performance.”",
            "The gain of the sum goes from {low:.3f} to {high:.3f}, from the worst to the best γ.",
            Above("high - low", 0.02), low=lowest("sum", "LRR"), high=highest("sum", "LRR"),
        ),
    ),
    chosen="The comparison with the best γ from 0.1 to 10 was added to that with the best of all.",
)  # fmt: skip

PARETO = Figure(
    "V-thm8", "V", 1113, "Theorem 8", "The least product of the losses is Pareto efficient",
    "The minimisers of γ êrr_w + êrr_t make up the Pareto front. The curve is their L_p over the least L_p of all F; "
    "γ = 1 is where the minimiser of the product has its slopes. The level lines are what fifty stumps reach.",
    (
        replace(
            COMPUTED, id="front", title="L_p along the Pareto front", computed=made.pareto,
            page=Size(ROUNDS, replicates=5), live=Size(ROUNDS, seeds=2, replicates=3),
            data={**COMPUTED.data, "documents": 40}, x=Metrics((), "γ, relative", log=True),
            y_title="L_p over its least",
            series=(
                Series("along the front", BOOSTED), Series("Algorithm 6, 50 rounds", BOOSTED),
                Series("the sum, γ = 1, 50 rounds", BOOSTED, {"combine": "sum", "gamma": 1.0}, reference=True),
            ),
        ),
    ),
    (
        Statement(
            "“The optimal solution … found by minimizing the objective function L_p is Pareto efficient.”",
            "On the front L_p comes down to {least:.6f} of the least L_p of all F.",
            Near("least", 1.0, 1e-5), Always("least", 1 - 1e-6), least=lowest("front", "along the front"),
        ),
        Statement(
            "Algorithm 6 is a boosting algorithm for minimizing L_p.",
            "After fifty rounds of stumps L_p is {boosted:.3f} times the least of all F; the sum with γ = 1 leaves it "
            "at {sum:.3f}.",
            Near("boosted", 1.0, 0.05), boosted=at("front", "Algorithm 6, 50 rounds"),
            sum=at("front", "the sum, γ = 1, 50 rounds"), where="Algorithm 6",
        ),
    ),
)  # fmt: skip

LOSS, NINE, TEN, HOLDS = "L_p", *made.BOUNDS
FIRST, LAST = at("rounds", NINE, 0) - at("rounds", NINE, 10), at("rounds", NINE, 40) - at("rounds", NINE, 50)
THEOREM_9 = Figure(
    "V-thm9", "V", 1179, "Theorems 9 and 10", "How fast the product of the losses falls",
    "The logarithm of L_p over its start, and three bounds: minus Σ (√μ − √ν)² (Theorem 9), minus Σ η (Theorem 10), "
    "and minus Σ η²/4, which follows from Theorem 9. The second panel is the share of the queries whose first round "
    "breaks a bound.",
    (
        replace(
            COMPUTED, id="rounds", title="L_p and its bounds", computed=made.descent,
            x=Metrics((), "rounds"), y_title="log of L_p over its start",
            series=(
                Series(LOSS, BOOSTED), Series(NINE, BOOSTED), Series(TEN, BOOSTED), Series(HOLDS, BOOSTED),
            ),
        ),
        replace(
            COMPUTED, id="first", title="First rounds that break a bound", computed=made.first_rounds,
            page=Size(1, replicates=30), live=Size(1, seeds=2, replicates=10),
            x=Metrics((), "documents, relevance, judged"),
            y_title="share of first rounds", series=tuple(Series(name, BOOSTED) for name in made.BOUNDS),
        ),
    ),
    (
        Statement(
            "L_p after T rounds is at most its start times exp(−Σ (√μ − √ν)²).",
            "Theorem 9 is broken in {share:.0%} of the first rounds. After fifty rounds log L_p has fallen by "
            "{fall:.3f}, and the bound by {bound:.3f}.",
            Near("share", 0.0, 0.0), Always(least_gap("rounds", NINE, LOSS), 0.0), share=highest("first", NINE),
            fall=at("rounds", LOSS) * -1.0, bound=at("rounds", NINE) * -1.0, where="Theorem 9",
        ),
        Statement(
            "L_p after T rounds is at most its start times exp(−Σ η).",
            "Theorem 10 is broken in {share:.1%} of the first rounds, in the mildest of the worlds. After fifty rounds "
            "log L_p has fallen by {fall:.3f}, and the theorem asks for {bound:.3f}.",
            Near(highest("first", TEN), 0.0, 0.0), Always(least_gap("rounds", TEN, LOSS), 0.0),
            share=lowest("first", TEN), fall=at("rounds", LOSS) * -1.0, bound=at("rounds", TEN) * -1.0,
            where="Theorem 10",
            why=(
                "The appendix shows that η = μ − ν is at least (√μ − √ν)². So exp(−η) is below the bound of Theorem 9, "
                "and that it bounds L_p does not follow. What follows is a factor exp(−η²/4) a round, as √μ + √ν is at "
                "most 2."
            ),
        ),
        Statement(
            "Theorem 9 “shows that by using the proposed algorithm, the objective function L_p will be reduced "
            "exponentially”.",
            "The bound falls by {first:.3f} in the first ten rounds and by {last:.3f} in the last ten.",
            Above("last", FIRST * 0.5, sure=0), first=FIRST, last=LAST, where="Theorem 9",
            why=(
                "The bound would fall exponentially if √μ − √ν stayed away from 0. It does not, since L_p has a "
                "positive minimum."
            ),
        ),
    ),
)  # fmt: skip

LEFT, RIGHT, EXCESS = "log(L̃_p / L_p)", "the bound of Lemma 5", "largest excess over the bound"
MOST = highest("lemma", EXCESS)
LEMMA_5 = Figure(
    "V-lem5", "V", 1205, "Lemma 5", "One step changes the product of the losses by little",
    "Both sides of the lemma for random scores F, random classifiers f and steps α: means over twenty queries, and the "
    "largest excess of the left side over the right.",
    (
        replace(
            COMPUTED, id="lemma", title="Both sides of Lemma 5", computed=made.lemma, page=Size(1, replicates=20),
            live=Size(1, seeds=2, replicates=10), x=Metrics((), "step α"), y_title="log of the ratio",
            series=(
                Series(LEFT, BOOSTED), Series(RIGHT, BOOSTED, reference=True), Series(EXCESS, BOOSTED, reference=True),
            ),
        ),
    ),
    (
        Statement(
            "The logarithm of the ratio is at most −2 + Σ (a + b) exp(α(f_j − f_i)), for any F, f and α.",
            "The largest excess is {most:.6f}, at α = 0 where both sides are 0. At α = 2 the left side is {left:.2f} "
            "and the right side {right:.2f}.",
            Always(MOST * -1.0, -1e-9), most=MOST, left=at("lemma", LEFT, 2.0), right=at("lemma", RIGHT, 2.0),
        ),
    ),
)  # fmt: skip

FIGURES = (PRINTED_T, SUM, PARETO, THEOREM_9, LEMMA_5)
