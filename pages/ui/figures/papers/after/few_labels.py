"""Few labels, and learning to rank from grades: what came after the boosting of the dissertation."""

from pages.ui.figures.figure import Figure, Over, Panel, Series, Size, Steps
from pages.ui.figures.statement import Above, Between, Claimed, Expected, Value, at

SHARES = (0.01, 0.02, 0.05, 0.1, 0.2)
TREE, BOOST, SPREAD, SELF, FLOW, PSEUDO = (
    "Single tree", "MCSSB", "Label spreading", "Self-training", "Poisson learning", "Pseudo-labels",
)  # fmt: skip


def _less(first: str, second: str, share: float) -> Value:
    words = f"{first} less {second}, {share:.0%} labelled"
    return (at("digits", first, share) - at("digits", second, share)).named(words)


FEW = Figure(
    "L-few-labels", "L", 13, "Few labels", "Classes from few labels",
    "The accuracy on test examples over the share of the training examples that has a label. Half of the digits train. "
    "MCSSB boosts 30 trees; the others have said all they have to say after one round.",
    (
        Panel(
            "digits", "Digits",
            (Series(TREE, "single-tree", reference=True), Series(BOOST, "mcssb"), Series(SELF, "self-training"),
             Series(SPREAD, "label-spreading"), Series(FLOW, "poisson-learning"), Series(PSEUDO, "pseudo-labels")),
            Size(30), dataset="digits", data={"training": 0.5}, metric="accuracy-test",
            x=Over("labelled", SHARES, owner="dataset", title="share of labels", log=True),
            x_title="share of labels", y_title="accuracy", live=Size(2, seeds=1), lab="semi-supervised",
        ),
    ),
    (
        Claimed(
            "Poisson learning is ahead of label spreading where labels are very few.",
            "With one label in a hundred it has {p:.3f} against {s:.3f}, with one in twenty {pp:.3f} against {ss:.3f}.",
            Above(_less(FLOW, SPREAD, 0.01), 0.0), p=at("digits", FLOW, 0.01), s=at("digits", SPREAD, 0.01),
            pp=at("digits", FLOW, 0.05), ss=at("digits", SPREAD, 0.05), where="[CCTS20]",
        ),
        Claimed(
            "With many labels the graph of Poisson learning has no advantage over label spreading.",
            "With one label in five it has {p:.3f} against {s:.3f}.",
            Between(_less(FLOW, SPREAD, 0.2), -0.02, 0.02), p=at("digits", FLOW, 0.2), s=at("digits", SPREAD, 0.2),
            where="[CCTS20]",
        ),
        Expected(
            "Pseudo-labels on gradient boosting are no help with a label or two a class, since trees have "
            "too little to split by, and pass MCSSB where there are many.",
            "With one label in a hundred they have {p:.3f}, a single tree {t:.3f} and MCSSB {m:.3f}. With one in five "
            "it is {pp:.3f}, {tt:.3f} and {mm:.3f}.",
            Above(_less(BOOST, PSEUDO, 0.01), 0.0), Above(_less(PSEUDO, BOOST, 0.2), 0.0), p=at("digits", PSEUDO, 0.01),
            t=at("digits", TREE, 0.01), m=at("digits", BOOST, 0.01), pp=at("digits", PSEUDO, 0.2),
            tt=at("digits", TREE, 0.2), mm=at("digits", BOOST, 0.2),
        ),
    ),
    "The paper on Poisson learning has MNIST, FashionMNIST and Cifar-10 with 1 to 5 labels a class; scikit-learn's "
    "1,797 digits take their place, with about 1 to 18.",
    "Accuracies of five runs with 1, 2 and 5 % of the labels had been seen, with the seed 0, before.",
)  # fmt: skip

# ---- learning to rank from grades ---------------------------------------------------------------------------

NDCG_BOOST, PAIRS, CROSS, LINEAR = "NDCG_Boost", "LambdaRank", "XE-NDCG", "Linear regression"
_ROUNDS = Steps(log=False, points=20, title="rounds")


def _ranked(relevance: str) -> Panel:
    return Panel(
        relevance, f"{relevance.capitalize()} relevance",
        (Series(NDCG_BOOST, "ndcg-boost"), Series(PAIRS, "lambdarank"), Series(CROSS, "rank-xendcg"),
         Series(LINEAR, "linear-regression-ranking", reference=True)),
        Size(100, {"queries": 500, "documents": 20}), dataset="web-search", data={"relevance": relevance},
        metric="ndcg@10", x=_ROUNDS, x_title="rounds", y_title="NDCG@10 on test queries",
        live=Size(20, {"queries": 100, "documents": 10}, seeds=1), lab="learning_to_rank",
    )  # fmt: skip


GRADES = Figure(
    "L-grades", "L", 14, "Grades", "Learning to rank from grades",
    "NDCG@10 on test queries over the rounds of boosting: the dissertation's NDCG_Boost beside LightGBM's two "
    "objectives for ranking, with 15 leaves a tree and a rate of 0.1.",
    (_ranked("nonlinear"), _ranked("linear")),
    (
        Claimed(
            "XE-NDCG is as good as LambdaRank or better.",
            "After 100 rounds it has {x:.3f} against {l:.3f} with nonlinear relevance and {xx:.3f} against {ll:.3f} "
            "with linear relevance.",
            *(
                Between((at(id, CROSS) - at(id, PAIRS)).named(f"XE-NDCG less LambdaRank, {id}"), -0.005, 1.0)
                for id in ("nonlinear", "linear")
            ),
            x=at("nonlinear", CROSS), l=at("nonlinear", PAIRS), xx=at("linear", CROSS), ll=at("linear", PAIRS),
            where="[B21]",
        ),
        Expected(
            "Where relevance is nonlinear both are ahead of NDCG_Boost, which adds stumps.",
            "NDCG_Boost has {n:.3f} with nonlinear and {nn:.3f} with linear relevance.",
            Above(at("nonlinear", PAIRS), "n"), Above(at("nonlinear", CROSS), "n"), n=at("nonlinear", NDCG_BOOST),
            nn=at("linear", NDCG_BOOST),
        ),
    ),
    "The paper has MSLR-WEB30K and Yahoo's data; synthetic queries take their place.",
)  # fmt: skip

FIGURES = (FEW, GRADES)
