"""[V] Fig. 2.3: MCSSB, ASSEMBLE and a single tree by the depth of the trees."""

from functools import partial

from pages.ui.figures.figure import Figure, Over, Series
from pages.ui.figures.papers.boosting.semi_supervised import ASSEMBLE, FOUR, MCSSB, TREE, WORLDS, half, on, points
from pages.ui.figures.statement import Above, Between, Rule, Statement, number_of

DEPTHS = (1, 2, 4, 8, 12)
level = partial(on, form="depth {}")
ENDS = {id: (level(id, "MCSSB", 8), level(id, "MCSSB", 1)) for id in FOUR}
NEAR_FIRST = Series("ASSEMBLE, first labels by nearest", "assemble", {"first": "nearest"}, reference=True)


def at_depths(better: str, worse: str, id: str, sure: float = 2.0) -> tuple[Rule, ...]:
    return tuple(Above(level(id, better, depth), level(id, worse, depth), sure) for depth in DEPTHS)


FIVE = ("mnist", "protein", "optdigits", "nursery", "pendigits")

FIG_2_3 = Figure(
    "V-fig2.3", "V", 702, "Fig. 2.3", "The depth of the trees",
    "Accuracy with 2 % of the labels, by the number of levels of the trees, from stumps to trees that are fully grown "
    "with so few labels. ASSEMBLE whose first labels come from the nearest labelled examples is not in the "
    "dissertation.",
    tuple(half(id, series=(TREE, ASSEMBLE, MCSSB, NEAR_FIRST), x=Over("depth", DEPTHS, title="levels of the trees"))
          for id in FIVE),
    (
        Statement(
            "MCSSB is more effective than ASSEMBLE at every depth of the trees.",
            "With depths 2 and 8 MCSSB has {p2:.1%} and {p8:.1%} on Pendigits, ASSEMBLE {q2:.1%} and {q8:.1%}. On "
            "Nursery MCSSB has {n2:.1%} and {n8:.1%}, ASSEMBLE {m2:.1%} and {m8:.1%}. On Pendigits with depth 8 "
            "ASSEMBLE has {r8:.1%} if its first labels are those of the nearest labelled examples.",
            *(rule for id in FIVE for rule in at_depths("MCSSB", "ASSEMBLE", id)), p2=level("pendigits", "MCSSB", 2),
            p8=level("pendigits", "MCSSB", 8), q2=level("pendigits", "ASSEMBLE", 2),
            q8=level("pendigits", "ASSEMBLE", 8), n2=level("nursery", "MCSSB", 2), n8=level("nursery", "MCSSB", 8),
            r8=level("pendigits", NEAR_FIRST.name, 8), m2=level("nursery", "ASSEMBLE", 2),
            m8=level("nursery", "ASSEMBLE", 8), where="§2.4.4",
        ),
        Statement(
            "ASSEMBLE does not improve on the tree, whatever the quality of the base classifier.",
            "It is significantly better than the tree at {m:.0f}, {b:.0f}, {o:.0f}, {n:.0f} and {p:.0f} of five depths "
            "on the five sets from MNIST's stand-in to Pendigits.",
            *(Between(number_of(f"depths at which ASSEMBLE beats the tree on {WORLDS[id][0]}",
                at_depths("ASSEMBLE", "Tree", id)), 0, 0) for id in FIVE),
            values={
                name: number_of("", at_depths("ASSEMBLE", "Tree", id)) for name, id in zip("mbonp", FIVE, strict=True)
            },
            where="§2.4.4",
        ),
        Statement(
            "Overall the accuracy improves with the number of levels on most data sets.",
            "From depth 1 to 8 MCSSB changes by {o:+.1f} points on Optdigits, {n:+.1f} on Nursery and {p:+.1f} on "
            "Pendigits.",
            *(Above(deep, shallow) for deep, shallow in ENDS.values()),
            values={id[0]: points(deep - shallow) for id, (deep, shallow) in ENDS.items() if id != FOUR[0]},
            where="§2.4.4",
        ),
        Statement(
            "On Protein, with its three classes, the performance decreases as the tree grows.",
            "On the stand-in MCSSB has {a:.1%} at depth 2 and {b:.1%} at depth 12, the tree {c:.1%} and {d:.1%}.",
            Above("a", "b"), Above("c", "d"), a=level("protein", "MCSSB", 2), b=level("protein", "MCSSB", 12),
            c=level("protein", "Tree", 2), d=level("protein", "Tree", 12), where="§2.4.4",
        ),
    ),
    why="On Nursery nearness misleads, the more so the better a tree can follow it. ASSEMBLE gains where trees are so "
    "good that it does not stop at once. Overlapping clouds with two features are not Protein, with 357.",
    chosen="Of Nursery and Pendigits half of the training examples are taken, with as many labels, which was decided "
    "after measuring the time.",
)  # fmt: skip


FIGURES = (FIG_2_3,)
