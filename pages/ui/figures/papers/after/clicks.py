"""Learning to rank from clicks: 3PR and the perceptron beside DBGD, TD-MGD, PDGD and pairwise ε-greedy."""

from dataclasses import replace
from typing import Any

from pages.ui.figures.figure import Figure, Group, Groups, Own, Panel, Params, Series, Size, Steps
from pages.ui.figures.statement import Above, Between, Claimed, Expected, Statement, Value, at, highest

_RATES = (
    " The learning rates are those that the later works use as far as we remember them (γ = 1 and δ = 0.01 for duels, "
    "nine candidates, η = 0.1 for PDGD, η = 0.01 and ε = 0.8 for pairwise learning). A grid on data with the seed 100, "
    "which takes no part here, gave no reason to change them."
)
_STANDS_FOR = (
    "The later works use MSLR-WEB10K, Yahoo's and Istella's data, which cannot be passed on. Here synthetic queries "
    "with 50 features take their place; the orders of the learners are compared, not their numbers. The statements are "
    "told in our words, since the full texts are not at hand."
)
TOP, PAIR, SAFE = "PrefP, top", "PrefP, pairs", "3PR"
DUEL, MANY, DRAWN, GREEDY = "DBGD", "TD-MGD", "PDGD", "Pairwise"
SERIES = (
    Series(TOP, "preference-perceptron", {"feedback": "top"}),
    Series(PAIR, "preference-perceptron", {"feedback": "pair"}),
    Series(SAFE, "perturbed-perceptron", {"swap_probability": 0.5}),
    Series(DUEL, "dueling-bandit", {"gamma": 1.0, "delta": 0.01}),
    Series(MANY, "multileave-descent", {"gamma": 1.0, "delta": 0.01, "candidates": 9}),
    Series(DRAWN, "pairwise-differentiable", {"eta": 0.1}),
    Series(GREEDY, "pairwise-greedy", {"epsilon": 0.8, "eta": 0.01}),
)
PERFECT, RANDOM, CASCADE = "perfect", "almost random", "cascade, 20 % noise"
BEHAVIOURS = (PERFECT, "navigational", "informational", RANDOM)
USERS = Groups(
    (
        *(Group(name, user="dependent-click", asks={"behaviour": name}) for name in BEHAVIOURS),
        Group(CASCADE, user="cascade", asks={"noise": 0.2}),
    ),
    title="user",
)
WORLD: dict[str, Any] = {"dataset": "web-search", "lab": "stability"}
QUERIES = {"queries": 2_000, "test_queries": 500}
METRICS = (
    ("held-out", "held-out-ndcg@10", "Without exploring, on test queries", "NDCG@10"),
    ("online", "discounted-ndcg", "As shown while it learns", "cumulative discounted NDCG@10"),
    ("kept", "top10-overlap", "Of its top ten, kept over 100 searches", "documents"),
)


def noted(relevance: str) -> str:
    """Return what differs from the later works."""
    more = " Grades follow a nonlinear function of the features, so that every linear ranker errs." * (
        relevance == "nonlinear"
    )
    return _STANDS_FOR + more + _RATES


def _world(relevance: str) -> dict[str, Any]:
    return {"documents": 24, "lengths": "varied", "relevance": relevance}


def _by_user(relevance: str, size: Size) -> tuple[Panel, ...]:
    """Return a panel for each metric after 10,000 searches, with the users on the x axis."""
    return tuple(
        Panel(
            id, title, SERIES, size, data=_world(relevance), user="dependent-click", metric=metric, x=USERS,
            y_title=y, x_title="user", live=Size(1_000, {"queries": 500, "test_queries": 100}, seeds=1), **WORLD,
        )
        for id, metric, title, y in METRICS
    )  # fmt: skip


def _ahead(first: str, second: str, panel: str, user: str) -> Value:
    return (at(panel, first, user) - at(panel, second, user)).named(f"{first} less {second}, {user}")


def _everywhere(
    first: str, second: str, panel: str, users: tuple[str, ...] = BEHAVIOURS, by: float = 0.0
) -> tuple[Above, ...]:
    return tuple(Above(_ahead(first, second, panel, user), by) for user in users)


def _claims() -> tuple[Statement, ...]:
    """Return what later papers find, judged with each user of theirs."""
    return (
        Claimed(
            "PDGD ends with a better ranker than gradient descent by duels, single or multileaved, with every user.",
            "Its NDCG@10 on test queries is {p:.3f} with the perfect user and {i:.3f} with the almost random one; that "
            "of DBGD {dp:.3f} and {di:.3f}, that of TD-MGD {mp:.3f} and {mi:.3f}.",
            *_everywhere(DRAWN, DUEL, "held-out"), *_everywhere(DRAWN, MANY, "held-out"),
            p=at("held-out", DRAWN, PERFECT), i=at("held-out", DRAWN, RANDOM), dp=at("held-out", DUEL, PERFECT),
            di=at("held-out", DUEL, RANDOM), mp=at("held-out", MANY, PERFECT), mi=at("held-out", MANY, RANDOM),
            where="[OR18]",
        ),
        Claimed(
            "PDGD shows better lists while it learns than all earlier methods.",
            "Its cumulative discounted NDCG@10 is {p:.0f} with the perfect user; next comes {s:.0f} of 3PR, {m:.0f} of "
            "TD-MGD, {d:.0f} of DBGD and {g:.0f} of pairwise ε-greedy.",
            *(rule for other in (DUEL, MANY, GREEDY) for rule in _everywhere(DRAWN, other, "online")),
            p=at("online", DRAWN, PERFECT), s=at("online", SAFE, PERFECT), m=at("online", MANY, PERFECT),
            d=at("online", DUEL, PERFECT), g=at("online", GREEDY, PERFECT), where="[OR18]",
        ),
        Claimed(
            "Multileaving many candidates learns faster than duels of two.",
            "On test queries TD-MGD is ahead of DBGD by {a:+.3f} with the perfect user, {b:+.3f} with the "
            "navigational, {c:+.3f} with the informational and {d:+.3f} with the almost random one.",
            *(Above(name, 0.0) for name in "abcd"),
            values=(_ahead(MANY, DUEL, "held-out", user) for user in BEHAVIOURS),
            where="[SOWR16]", why="With the almost random user ten data seeds are too few to tell the two apart.",
        ),
    )  # fmt: skip


def _ours(relevance: str) -> tuple[Statement, ...]:
    """Return what we expected of 3PR in this company before anything was run."""
    return (
        Expected(
            "3PR, of 2013, is no worse than DBGD and TD-MGD with any user.",
            "Its NDCG@10 on test queries is {p:.3f} with the perfect user, {i:.3f} with the informational and {c:.3f} "
            "with the noisy cascade; that of TD-MGD {mp:.3f}, {mi:.3f} and {mc:.3f}.",
            *(
                Between(_ahead(SAFE, other, "held-out", user), -0.01, 1.0)
                for other in (DUEL, MANY) for user in (*BEHAVIOURS, CASCADE)
            ),
            p=at("held-out", SAFE, PERFECT), i=at("held-out", SAFE, "informational"), c=at("held-out", SAFE, CASCADE),
            mp=at("held-out", MANY, PERFECT), mi=at("held-out", MANY, "informational"),
            mc=at("held-out", MANY, CASCADE),
        ),
        Expected(
            "With a noisy cascade the perceptron that moves clicks to the top flips, and 3PR and PDGD do "
            "not: they keep more of their top ten.",
            "Of ten documents {t:.1f} are kept by the perceptron, {s:.1f} by 3PR and {d:.1f} by PDGD.",
            Above(_ahead(SAFE, TOP, "kept", CASCADE), 0.0), Above(_ahead(DRAWN, TOP, "kept", CASCADE), 0.0),
            t=at("kept", TOP, CASCADE), s=at("kept", SAFE, CASCADE), d=at("kept", DRAWN, CASCADE),
        ),
    )  # fmt: skip


def _figure(id: str, order: int, relevance: str, words: str) -> Figure:
    return Figure(
        id, "L", order, f"Clicks, {relevance}", f"Ranking from clicks, {words}",
        "What each learner knows and shows after 10,000 searches, by the user who clicks: NDCG@10 on test queries "
        "without exploring, the sum of NDCG@10 of the lists shown, which counts early searches more, and how much of "
        "the top ten stays the same. Perfect to almost random are the click models of the later literature; the "
        "cascade with 20 % noise is that of [S].",
        _by_user(relevance, Size(10_000, QUERIES)), (*_claims(), *_ours(relevance)), noted(relevance),
    )  # fmt: skip


LINEAR = _figure("L-clicks-linear", 1, "linear", "where a linear ranker can be right")
NONLINEAR = _figure("L-clicks-nonlinear", 2, "nonlinear", "where no linear ranker can be right")

# ---- other data ---------------------------------------------------------------------------------------------

MQ = {"features": 46, "documents": 40, "lengths": "varied", "spectrum": "correlated", "relevance": "nonlinear"}
_OWN = Own(
    "letor-split", "a fold of MSLR-WEB10K, or another set in the form of LETOR with grades from 0 to 4",
    {"scale": "0 to 4"}, ("MSLR-WEB10K/Fold1", "MSLR-WEB10K", "MSLR-WEB10K.zip"),
)  # fmt: skip


def _elsewhere(id: str, title: str, dataset: str, data: Params, size: Size, live: Size) -> Panel:
    return Panel(
        id, title, SERIES, size, dataset=dataset, data=data, user="dependent-click", metric="held-out-ndcg@10", x=USERS,
        y_title="NDCG@10 on test queries", x_title="user", live=live, lab="stability", own=_OWN,
        stands_for="MSLR-WEB10K, Yahoo! and Istella" if id == "sample" else "MQ2007",
    )  # fmt: skip


ELSEWHERE = Figure(
    "L-clicks-data", "L", 3, "Clicks, other data", "Ranking from clicks, on a real sample and on data like MQ2007",
    "NDCG@10 on test queries after 10,000 searches, by the user. Left, the ranking sample that comes with LightGBM: "
    "200 training queries with 300 features, most of them empty, and grades from 0 to 4. Right, synthetic queries with "
    "46 features that go together and a nonlinear relevance, as many queries and documents as MQ2007 has.",
    (
        _elsewhere(
            "sample", "LightGBM's sample", "letor-split", {"path": "lightgbm_lambdarank", "scale": "0 to 4"},
            Size(10_000), Size(500, seeds=1),
        ),
        _elsewhere(
            "folds", "Like MQ2007", "web-search", MQ, Size(10_000, {"queries": 1_000, "test_queries": 340}),
            Size(500, {"queries": 300, "test_queries": 100}, seeds=1),
        ),
    ),
    tuple(
        Claimed(
            f"PDGD ends with a better ranker than gradient descent by duels, with every user; on {words}.",
            "Its NDCG@10 is {p:.3f} with the perfect user and {i:.3f} with the almost random one; that of DBGD "
            "{dp:.3f} and {di:.3f}, that of TD-MGD {mp:.3f} and {mi:.3f}. 3PR has {sp:.3f} and {si:.3f}.",
            *_everywhere(DRAWN, DUEL, id), *_everywhere(DRAWN, MANY, id), p=at(id, DRAWN, PERFECT),
            i=at(id, DRAWN, RANDOM), dp=at(id, DUEL, PERFECT), di=at(id, DUEL, RANDOM), mp=at(id, MANY, PERFECT),
            mi=at(id, MANY, RANDOM), sp=at(id, SAFE, PERFECT), si=at(id, SAFE, RANDOM), where="[OR18]", why=why,
        )
        for id, words, why in (
            ("sample", "LightGBM's sample", ""),
            ("folds", "data like MQ2007",
             "With the almost random user 10,000 searches are too few to tell PDGD and TD-MGD apart."),
        )
    ),
    noted("linear"),
)  # fmt: skip

# ---- over time ----------------------------------------------------------------------------------------------


def _over_time(behaviour: str) -> Panel:
    return Panel(
        behaviour.replace(" ", "-"), f"{behaviour.capitalize()} user", SERIES, Size(10_000, QUERIES),
        data=_world("linear"), user="dependent-click", asks={"behaviour": behaviour}, metric="held-out-ndcg@10",
        x=Steps(points=25), x_title="searches", y_title="NDCG@10 on test queries",
        live=Size(1_000, {"queries": 500, "test_queries": 100}, seeds=2), **WORLD,
    )  # fmt: skip


CURVES = Figure(
    "L-clicks-curves", "L", 4, "Clicks, curves", "How fast they learn from clicks",
    "NDCG@10 on test queries over the searches so far, in the world of linear relevance, with the best and a "
    "poor user of the literature.",
    tuple(_over_time(behaviour) for behaviour in (PERFECT, "informational")),
    (
        Claimed(
            "With perfect clicks PDGD and pairwise learning rise at once, and duels need thousands of searches.",
            "After 100 searches PDGD is at {p:.3f} and pairwise ε-greedy at {g:.3f}, DBGD at {d:.3f} and TD-MGD at "
            "{m:.3f}; after 10,000 DBGD is at {late:.3f}.",
            *(Above(first, second) for first in "pg" for second in "dm"),
            p=at("perfect", DRAWN, 100), g=at("perfect", GREEDY, 100), d=at("perfect", DUEL, 100),
            m=at("perfect", MANY, 100), late=at("perfect", DUEL, 10_000), where="[OR18]",
        ),
        Claimed(
            "With informational clicks, pairwise learning without correction for places stays below PDGD.",
            "It ends at {g:.3f} and PDGD at {p:.3f}.",
            Above("p", "g"), g=at("informational", GREEDY, 10_000), p=at("informational", DRAWN, 10_000),
            where="[OR18]",
        ),
        Claimed(
            "PDGD after a thousand searches is beyond what DBGD reaches in ten thousand, with both users.",
            "It is at {p:.3f} and {i:.3f} by then, and DBGD ends at {dp:.3f} and {di:.3f}.",
            Above("p", "dp"), Above("i", "di"),
            p=at("perfect", DRAWN, 1_000), i=at("informational", DRAWN, 1_000), dp=at("perfect", DUEL, 10_000),
            di=at("informational", DUEL, 10_000), where="[OR18]",
        ),
    ),
    noted("linear"),
)  # fmt: skip

# ---- the toy ------------------------------------------------------------------------------------------------

SWAP = Series("PrefP, swap", "preference-perceptron", {"feedback": "swap"})
_TOYS = (SWAP, SERIES[2], *(replace(one, params=dict(one.params)) for one in SERIES[3:]))
_STEPS = Steps(points=40, title="searches")


def _toy(id: str, title: str, metric: str, start: tuple[float, float], y: str) -> Panel:
    return Panel(
        id, title, _TOYS, Size(10_000, replicates=10), dataset="toy-ranking",
        data={"documents": 10, "initial_weights": start}, user="cascade", asks={"noise": 0.2}, metric=metric,
        x=_STEPS, x_title="searches", y_title=y, live=Size(1_000, seeds=2, replicates=5), lab="stability",
    )  # fmt: skip


TOY = Figure(
    "L-toy", "L", 5, "Toy", "The toy of [S] §4.2 for all of them",
    "Ten documents of which one is good, and a user who misjudges one in five and clicks the first that seems good. "
    "The learners begin with weights that rank the good document first, or last.",
    (
        _toy("right", "Begun right: rank of the good document, as believed", "rank-of-best-predicted", (1.0, -1.0),
             "rank (1 is best)"),
        _toy("flips", "Begun right: flips", "flips", (1.0, -1.0), "flips so far"),
        _toy("wrong", "Begun wrong: rank of the good document, as believed", "rank-of-best-predicted", (-1.0, 1.0),
             "rank (1 is best)"),
    ),
    (
        Expected(
            "Who learns from pairs that were shown both ways stays with the good document (3PR, PDGD).",
            "At the end 3PR has it at rank {s:.2f}, PDGD at {p:.2f} and the perceptron that swaps at {w:.2f}.",
            Between("s", 1.0, 1.5), Between("p", 1.0, 1.5), Above("w", 5.0), s=at("right", SAFE), p=at("right", DRAWN),
            w=at("right", SWAP.name),
        ),
        Expected(
            "DBGD and TD-MGD stay as well, since they compare rankings and not places.",
            "DBGD has it at rank {d:.2f} and TD-MGD at {m:.2f}.",
            Between("d", 1.0, 1.5), Between("m", 1.0, 1.5), d=at("right", DUEL), m=at("right", MANY),
        ),
        Expected(
            "Pairwise ε-greedy flips where it shows little at random, and not at ε = 0.8, where chance puts "
            "most documents into their places.",
            "It has {f:.1f} flips in 10,000 searches and ends at rank {g:.2f}; the perceptron that swaps has {w:.0f} "
            "flips.",
            Between("f", 0.0, 1.0), Above("w", 10.0), f=at("flips", GREEDY), g=at("right", GREEDY),
            w=at("flips", SWAP.name),
        ),
        Expected(
            "Begun wrong, PDGD finds the good document within 10,000 searches, and 3PR, which moves it by "
            "one place at a time, is slower at 1,000.",
            "After 1,000 searches PDGD has it at rank {p:.2f} and 3PR at {s:.2f}; after 10,000 at {pp:.2f} and "
            "{ss:.2f}. DBGD ends at {d:.2f} and TD-MGD at {m:.2f}.",
            Between("pp", 1.0, 1.5), Above("s", "p"), p=at("wrong", DRAWN, 1_000), s=at("wrong", SAFE, 1_000),
            pp=at("wrong", DRAWN), ss=at("wrong", SAFE), d=at("wrong", DUEL), m=at("wrong", MANY),
        ),
    ),
    "All documents but the good one have the same features, so that a linear ranker cannot tell them apart."
    + _RATES,
)  # fmt: skip

# ---- click bandits, which keep numbers of each document -------------------------------------------------------

_KL, _TOPRANK, _RIGHT, _WRONG = "CascadeKL-UCB", "TopRank", "BubbleRank from d₁ first", "BubbleRank from d₁ last"
_TABLES = (
    Series(_KL, "cascade-kl-ucb"), Series(_TOPRANK, "top-rank"),
    Series(_RIGHT, "bubble-rank", {"base": "given"}), Series(_WRONG, "bubble-rank", {"base": "reversed"}),
    Series(SAFE, "perturbed-perceptron", {"swap_probability": 0.5}, reference=True),
)  # fmt: skip


def _table(id: str, title: str, metric: str) -> Panel:
    return Panel(
        id, title, _TABLES, Size(10_000, replicates=10), dataset="toy-ranking", data={"documents": 10},
        user="cascade", asks={"noise": 0.2}, metric=metric, x=_STEPS, x_title="searches", y_title="rank (1 is best)",
        live=Size(1_000, seeds=2, replicates=5), lab="stability",
    )  # fmt: skip


TABLES = Figure(
    "L-toy-tables", "L", 6, "Toy, click bandits", "The toy of [S] §4.2 for bandits that know only numbers",
    "The same ten documents and the same user, who clicks the first that seems good. Click bandits know no features: "
    "they count clicks of each document, or of each pair. 3PR, dotted, begins with weights that rank the good document "
    "first.",
    (
        _table("believed", "Rank of the good document, as believed", "rank-of-best-predicted"),
        _table("shown", "Rank of the good document, as shown", "rank-of-best"),
    ),
    (
        Claimed(
            "A bandit made for the cascade model soon shows the good document first.",
            "CascadeKL-UCB shows it at rank {k:.2f} in the last searches, and believes it at {b:.2f}.",
            Between("k", 1.0, 1.5), Between("b", 1.0, 1.2), k=at("shown", _KL), b=at("believed", _KL), where="[KSWA15]",
        ),
        Claimed(
            "BubbleRank is safe: from a good list it never shows a document more than a place from where it stands.",
            "Begun with the good document first it shows it at rank {s:.2f} at worst on average, and believes it at "
            "{b:.2f}.",
            Between("s", 1.0, 2.0), Between("b", 1.0, 1.0), s=highest("shown", _RIGHT), b=highest("believed", _RIGHT),
            where="[LKL19]",
        ),
        Claimed(
            "TopRank finds the order under any of these click models.",
            "It believes the good document at rank {b:.2f} at the end, and shows it at {s:.2f}.",
            Between("b", 1.0, 1.5), b=at("believed", _TOPRANK), s=at("shown", _TOPRANK), where="[LKLS18]",
        ),
        Expected(
            "BubbleRank begun with the good document last is as slow as 3PR from there, since a user who stops at the "
            "first click hardly ever compares the last two.",
            "It believes it at rank {t:.1f} after 1,000 searches and at {e:.1f} after 10,000.",
            Above("t", 5.0), t=at("believed", _WRONG, 1_000), e=at("believed", _WRONG),
            why=(
                "One search in six does reach the last two places (0.8⁸ = 0.17), and a click there counts as much as "
                "any for BubbleRank. 3PR adds the difference of two discounts, which is about 0.01 down there."
            ),
        ),
    ),
    "The papers have lists of ten out of 16 or more, and click models fitted to logs of Yandex.",
)  # fmt: skip

FIGURES = (LINEAR, NONLINEAR, ELSEWHERE, CURVES, TOY, TABLES)
