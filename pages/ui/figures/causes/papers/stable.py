"""Stable Coactive Learning [S]: the causes that are tried."""

from pages.ui.figures.causes.ablation import DATA, MISPRINT, READING, SIZE, TUNING, Ablation, Altered, again
from pages.ui.figures.computed import ablated, harder
from pages.ui.figures.figure import Over
from pages.ui.figures.papers.stable.benchmarks import PREDICTED, PRESENTED
from pages.ui.figures.papers.stable.perturbation import FIXED, LOUD, QUIET
from pages.ui.figures.statement import Above, Between, Near, at

RANK = ("rank",)
MORE = "longer lists, 100 documents of News and 50 of RCV1 in place of 20, with more of them relevant"
LONG, DIGITS = {"documents": 100}, {"documents": 50}  # of News, and of RCV1, as long as they may be
HARDER = "a few random sums of words and pixels as features, with which 3PR ends about where it does in the paper"
COSTS = {name: at("table", PREDICTED, name) - at("table", PRESENTED, name) for name in ("RCV1", "News")}

ABLATIONS = (
    *(Ablation("S-4.2", name, READING, words, (0, 1), (change,))
        for name, words, change in (("to-the-top", "clicked documents are moved to the top, the others down",
                Altered(RANK, tuned={"feedback": "top"})), ("pairs", "only neighbours change places",
                Altered(RANK, tuned={"feedback": "pair"})), ("right-one-in-five",
                "a user who is right in one of five judgements, by which 0.2⁹ would be the chance",
                Altered(RANK, asks={"noise": 0.8})), ("coin", "a user who judges by the toss of a coin",
                Altered(RANK, asks={"noise": 0.5})))),
    # the first two were written when the last had come out, beyond what is printed
    *(Ablation("S-4.2", name, MISPRINT, f"a user who misjudges {words} where one in five is printed", (0, 1),
            (Altered(RANK, asks={"noise": noise}),), last=noise == 0.4)
        for name, words, noise in (("three-in-ten", "three in ten", 0.3), ("one-in-three", "one in three", 1 / 3),
            ("twice-the-noise", "two in five", 0.4))),
    Ablation("S-4.2", "0.8", MISPRINT,
        "0.8⁹ · 0.8 where 0.2⁹ is printed, for a user who is right in four of five judgements", (3,),
        reads=again("S-4.2", 3, Near("share", 0.8**10, 0.01))),
    *(Ablation("S-4.2", f"top-two-{name}", MISPRINT, f"a user who misjudges {words} where one in five is printed",
            (4,), (Altered(("top-two",), more={"noise": noise}, computed=ablated.ranks),), last=name == "half")
        for name, words, noise in (("third", "three in ten", 0.3), ("more", "two in five", 0.4),
            ("half", "every second", 0.5))),
    Ablation("S-fig1", "more-mistakes", DATA, "people whose clicks err four times as often, 0.2", (3,),
        (Altered(asks={"noise": 0.2}),)),
    *(Ablation("S-fig1", name, DATA, words, (3,), (Altered(asks={"bias": bias}),))
        for name, words, bias in (("look-at-all", "people who look at every result", 0.0),
            ("look-at-few", "people who look at place i with probability 1/i in place of 1/√i", 1.0))),
    Ablation("S-fig1", "no-mistakes", DATA, "people whose clicks never err", (3,), (Altered(asks={"noise": 0.0}),)),
    Ablation("S-fig1", "few-queries", DATA, "100 queries in place of 500, which come back after 100 searches", (3,),
        (Altered(data={"queries": 100}),)),
    Ablation("S-fig1", "from-the-start", READING,
        "the ratio around update 1,000 in place of 100, after ten times as many comparisons", (3,),
        reads=again("S-fig1", 3, Above("early", "end"),
            here="PrefP[top] has {early:.2f} wins to a loss around update 1,000 and {end:.2f} at the end.",
            early=at("ratio", "PrefP[top]", 1_000), end=at("ratio", "PrefP[top]"))),
    *(Ablation("S-fig3", name, DATA, words, (1,), (change,))
        for name, words, change in (("no-mistakes", "people whose clicks never err", Altered(asks={"noise": 0.0})),
            ("more-mistakes", "people whose clicks err four times as often, 0.2", Altered(asks={"noise": 0.2})),
            ("few-queries", "100 queries in place of 500, which come back after 100 searches",
                Altered(data={"queries": 100})))),
    Ablation("S-fig3", "longer", SIZE, "10,000 updates in place of 5,000", (1,), (Altered(steps=10_000),),
        again("S-fig3", 1, Between("times", 0.9, 1.1),
            here="From update 5,000 to 10,000 it grows to {times:.2f} times.",
            times=at("affirmativeness", "3PR") / at("affirmativeness", "3PR", 5_000))),
    Ablation("S-fig4", "long-lists", TUNING, MORE, (0, 1, 2, 5),
        (Altered(("news",), replicates=1, data=LONG), Altered(("rcv1",), steps=10_000, replicates=1, data=DIGITS))),
    Ablation("S-tab1", "long-lists", TUNING, MORE, (0,),
        (Altered(replicates=2, data=LONG, groups=("News",)), Altered(data=DIGITS, groups=("RCV1",)))),
    Ablation("S-fig4", "harder", DATA, f"{HARDER}, and 10,000 steps of RCV1", (0, 1, 2, 5),
        tuple(Altered((world,), steps=10_000, more={"world": world}, computed=harder.curves)
            for world in ("rcv1", "news"))),
    Ablation("S-tab1", "harder", DATA, f"{HARDER}, after 10,000 steps", (0,),
        (Altered(steps=10_000, computed=harder.ends, more={"figure": "tab1",
                    "places": (("RCV1", "rcv1", 0.2), ("News", "news", 0.2))}),),
        again("S-tab1", 0, *(Above(cost, 0.0) for cost in COSTS.values()), *(Between(cost, 0.0, 0.022)
                for cost in COSTS.values()), here="The presented rankings lose {r:.3f} and {n:.3f} on RCV1 and News.",
            r=COSTS["RCV1"], n=COSTS["News"])),
    Ablation("S-fig7", "harder", DATA, HARDER, (0, 1),
        tuple(Altered((world,), computed=harder.ends, more={"figure": "fig7",
                    "places": ((LOUD, world, 0.2), (QUIET, world, 0.0))}) for world in ("rcv1", "news"))),
    Ablation("S-fig5", "longer", SIZE, "28,000 iterations on Websearch in place of 9,000, as in the paper", (0,),
        (Altered(("web",), steps=28_000, x=Over("swap_probability", (0.5, 0.75, 1.0), only=(FIXED,))),)),
    Ablation("S-fig5", "long-lists", TUNING, "100 documents of News in place of 20", (1,),
        (Altered(("news",), replicates=2, data=LONG),)),
    Ablation("S-fig6", "more-runs", SIZE, "ten runs of each data seed on Websearch in place of one", (0,),
        (Altered(("web",), steps=3_000, replicates=10),)),
    Ablation("S-fig7", "long-lists", TUNING, MORE, (0, 1),
        (Altered(("news",), replicates=2, data=LONG), Altered(("rcv1",), replicates=2, data=DIGITS))),
    Ablation("S-fig7", "believed", READING,
        "the rankings that a learner believes best in place of those presented; the text does not say which", (0, 1),
        (Altered(("rcv1", "news"), metric="ndcg@5-predicted"),)),
    Ablation("S-fig7", "quarter", TUNING,
        "p = ¼ in place of ½, the best on RCV1 in the paper; the text does not print that of this figure", (0, 1),
        (Altered(("rcv1", "news"), tuned={"swap_probability": 0.25}),)),
    Ablation("S-fig7", "more-seeds", SIZE, "40 data seeds of Websearch in place of 10", (2,),
        (Altered(("web",), seeds=40),)),
)  # fmt: skip
