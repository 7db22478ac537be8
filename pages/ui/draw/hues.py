"""The learners' colours, four in all, the same on every page, in every figure and in every demo.

`OWN` is chosen by hand so that learners which labs, demos and lessons race together differ; only figures with more than
four learners repeat a colour, with another dash. A new learner, or one of your own, need not be listed: its colour then
follows from its id.
"""

from collections.abc import Sequence
from zlib import crc32

NUMBER = 4  # of colours, each with a dash of its own
_HUES = (
    (  # blue
        "preference-perceptron", "multileave-descent", "top-rank", "adaptive-banditron", "banditron-labels",
        "potential", "confidit", "epsilon-greedy", "online-binary-relevance", "set-ucb", "mcssb", "ndcg-boost",
        "feedback-svm", "logged-clicks",
    ),
    (  # vermilion
        "perturbed-perceptron", "convex-perceptron", "bubble-rank", "banditron-winnow",
        "exponentiated-gradient", "halving", "inverse-gap", "newtron", "set-thompson", "adaboost", "single-tree",
        "poisson-learning", "linear-regression-ranking", "random-scores", "rank-xendcg", "ranking-refinement",
    ),
    (  # green
        "averaged-perceptron", "exponentiated-perceptron", "random-ranking", "structured-perceptron",
        "cascade-kl-ucb", "dueling-bandit", "banditron-margin", "banditron-positive", "perceptron", "gaptron",
        "soba", "multilabel-ucb", "nearest-neighbour", "self-training", "pseudo-labels", "pairwise-svm", "base-ranker",
        "judged-first", "logged-propensity",
    ),
    (  # purple
        "batch-perceptron", "ranking-svm", "second-order-perceptron", "pairwise-differentiable", "pairwise-greedy",
        "banditron", "never-play", "random-labels", "assemble", "label-spreading", "adarank", "lambdarank", "rocchio",
        "logged-doubly-robust", "logged-proximal",
    ),
)  # fmt: skip
OWN = {id: hue for hue, ids in enumerate(_HUES) for id in ids}


def own(id: str) -> int:
    """Return the number of a learner's own colour."""
    return OWN[id] if id in OWN else crc32(id.encode()) % NUMBER


def hues(ids: Sequence[str]) -> list[int]:
    """Return the number of the colour of each learner of a race, in order.

    The first who claims a colour as its own has it. Each other one, such as the same learner with other settings or a
    curve of no learner (""), takes the next that is free, and once none is free, the one that the fewest have.

    >>> hues(["perturbed-perceptron", "preference-perceptron"]), hues(["banditron", "banditron", "perceptron"])
    ([1, 0], [3, 0, 2])
    """
    claims = [own(id) if id else -1 for id in ids]
    found = [hue if hue not in claims[:i] else -1 for i, hue in enumerate(claims)]
    for i, claim in enumerate(claims):
        if found[i] < 0:
            found[i] = min(range(NUMBER), key=lambda hue: (found.count(hue), (hue - claim) % NUMBER))
    return found


def displaced(ids: Sequence[str]) -> list[bool]:
    """Return for each learner of a race whether its own colour is that of another one.

    >>> displaced(["perturbed-perceptron", "convex-perceptron"]), displaced(["banditron", "banditron"])
    ([False, True], [False, False])
    """
    found = hues(ids)
    return [found[i] != own(id) and id not in ids[:i] for i, id in enumerate(ids)]
