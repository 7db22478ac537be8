"""The cost of a step beyond that of a learner that learns nothing, in the table of the gains over the years."""

from datasets import load
from learners import create_user
from pages.ui.figures.computed.bought import COST, RANKERS, _table
from pages.ui.figures.figure import Curves, Size

IDLE = "Random"


def rankers(seed: int, size: Size) -> Curves:
    """Return the table of `bought.rankers`, with the time of a step less that of random rankings with all metrics."""
    data = load("web-search", queries=2_000, test_queries=500, documents=24, lengths="varied", data_seed=seed)
    user = create_user("dependent-click", behaviour="informational")
    rows = _table({**RANKERS, IDLE: ("random-ranking", {})}, data, user, seed, size.steps, "held-out-ndcg@10", -1)
    idle = rows[COST][1][-1]
    return {row: (names[:-1], [value - idle * (row == COST) for value in y[:-1]]) for row, (names, y) in rows.items()}
