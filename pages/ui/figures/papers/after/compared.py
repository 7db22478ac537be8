"""The worth of a comparison against a click: contextual dueling bandits beside those who read clicks and edits."""

from pages.ui.figures.figure import Figure, Group, Groups, Panel, Series, Size
from pages.ui.figures.statement import Above, Claimed, Expected, Value, at

GOOD, PAIR, WIDE, DUEL, SAFE, DRAWN, NET = "FGTS.CDB", "MaxInP", "MaxInP, wide", "DBGD", "3PR", "PDGD", "CoRLL"
LINEAR = (
    Series(GOOD, "feel-good-thompson"),
    Series(PAIR, "informative-pair"),
    Series(WIDE, "informative-pair", {"width": 25.0}),
    Series(DUEL, "dueling-bandit", {"gamma": 1.0, "delta": 0.1}),
    Series(SAFE, "perturbed-perceptron", {"swap_probability": 0.5}),
    Series(DRAWN, "pairwise-differentiable", {"eta": 0.1}),
)
SURE, UNSURE, CLICK, EDIT = "compares, τ = ½", "compares, τ = 2", "clicks, 20 % noise", "edits, α = 1"
USERS = Groups(
    (
        Group(SURE, user="bradley-terry", asks={"temperature": 0.5}),
        Group(UNSURE, user="bradley-terry", asks={"temperature": 2.0}),
        Group(CLICK, user="cascade", asks={"noise": 0.2}),
        Group(EDIT, user="strict-alpha"),
    ),
    title="user",
)


def _panel(id: str, title: str, series: tuple[Series, ...], metric: str, y: str) -> Panel:
    return Panel(
        id, title, series, Size(2_000, {"queries": 1_000, "test_queries": 200}), dataset="web-search",
        data={"features": 20}, user="bradley-terry", metric=metric, x=USERS, x_title="user", y_title=y,
        live=Size(300, {"queries": 200, "test_queries": 50}, seeds=1), lab="stability",
    )  # fmt: skip


def _ahead(first: tuple[str, str], second: tuple[str, str], panel: str = "held-out") -> Value:
    words = f"{first[0]} ({first[1]}) less {second[0]} ({second[1]})"
    return (at(panel, *first) - at(panel, *second)).named(words)


COMPARED = Figure(
    "L-comparisons", "L", 7, "Comparisons", "What a comparison is worth against a click",
    "NDCG@10 on test queries after 2,000 searches without exploring, and the sum of NDCG@10 of the lists shown, by "
    "what the user does: compares the two documents on top, by the Bradley–Terry model, clicks the first that looks "
    "relevant, or edits the list. 20 documents with 20 features a query.",
    (
        _panel("held-out", "Without exploring, on test queries", LINEAR, "held-out-ndcg@10", "NDCG@10"),
        _panel("online", "As shown while it learns", (*LINEAR, Series(NET, "coactive-network")), "discounted-ndcg",
               "cumulative discounted NDCG@10"),
    ),
    (
        Claimed(
            "FGTS.CDB is ahead of bandits with upper confidence bounds by a large margin.",
            "Its lists add up to {g:.0f} with the surer user and {gg:.0f} with the other; those of MaxInP to {w:.0f} "
            "and {ww:.0f} with a width as in theory, β = 2√(d ln T), and to {p:.0f} and {pp:.0f} with β = 1.",
            *(Above(_ahead((GOOD, u), (one, u), "online"), 0.0) for one in (WIDE, PAIR) for u in (SURE, UNSURE)),
            g=at("online", GOOD, SURE), gg=at("online", GOOD, UNSURE), w=at("online", WIDE, SURE),
            ww=at("online", WIDE, UNSURE), p=at("online", PAIR, SURE), pp=at("online", PAIR, UNSURE), where="[LZG24]",
            why="It is ahead of a width as in theory and in the rivals' public code, which explores all the time. A "
            "practical width gains more than Thompson sampling by two of Langevin's steps at a time.",
        ),
        Expected(
            "From comparisons, both contextual dueling bandits learn more than DBGD, which duels whole rankings.",
            "With the surer user FGTS.CDB ends at {g:.3f} and MaxInP at {p:.3f}, DBGD at {d:.3f}.",
            *(Above(_ahead((one, user), (DUEL, user)), 0.0) for one in (GOOD, PAIR) for user in (SURE, UNSURE)),
            g=at("held-out", GOOD, SURE), p=at("held-out", PAIR, SURE), d=at("held-out", DUEL, SURE),
        ),
        Expected(
            "A click says more than a comparison: PDGD from noisy clicks ends above both dueling bandits from "
            "comparisons.",
            "PDGD ends at {c:.3f} from clicks; from comparisons FGTS.CDB is at {g:.3f} and MaxInP at {p:.3f} with the "
            "surer user.",
            *(Above(_ahead((DRAWN, CLICK), (one, SURE)), 0.0) for one in (GOOD, PAIR)),
            c=at("held-out", DRAWN, CLICK), g=at("held-out", GOOD, SURE), p=at("held-out", PAIR, SURE),
            why="Who compares tells which of two utilities is higher, however close; who clicks only tells relevant "
            "from irrelevant, and errs as often far from the border. PDGD, too, learns more from the comparisons.",
        ),
        Expected(
            "An edit says most: 3PR from edits ends above every learner with any other user.",
            "3PR ends at {e:.3f} from edits, PDGD at {c:.3f} from clicks and FGTS.CDB at {g:.3f} from comparisons.",
            *(
                Above(_ahead((SAFE, EDIT), (one, user)), 0.0)
                for one, user in ((DRAWN, CLICK), (SAFE, CLICK), (GOOD, SURE), (PAIR, SURE))
            ),
            e=at("held-out", SAFE, EDIT), c=at("held-out", DRAWN, CLICK), g=at("held-out", GOOD, SURE),
            why="MaxInP, which keeps a matrix, knows as much after 2,000 comparisons by the surer user.",
        ),
    ),
    "The papers have synthetic arms of unit length, whose best is known; here whole lists are judged by grades. The "
    "parameters are the learners' defaults, which were set on data with the seed 100, which takes no part.",
)  # fmt: skip

FIGURES = (COMPARED,)
