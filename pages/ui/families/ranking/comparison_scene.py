"""The scene of interleaving: two rankings mixed into one list, and whose documents the user clicks."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from learners.base import Array
from learners.interleaving.engine import TAUGHT as COLUMNS
from pages.ui.families.ranking.change import TAUGHT
from pages.ui.families.ranking.scene import RankingScene, places_of, taken


class ComparisonScene(RankingScene):
    """The first places of the list that compares each learner with a fixed ranker.

    Columns, in addition to those of ranking: team (F, P) 1 where the learner put the document there, 0 where the fixed
    ranker did; fixed (F, P) places in the fixed ranker's ranking; outcome (F,) 1 if the learner won, −1 if it lost, 0
    for a tie.
    """

    kind = "comparison"
    title = "The list that compares in this step"
    help = (
        "Two rankings, the learner's and that of a fixed ranker, are mixed into one list for this user. Beside each "
        "document stands who put it there; the two numbers on the right are its places in the learner's ranking and in "
        "the fixed ranker's. Clicks count for the ranker that put the document there, and the one with more clicks "
        "wins. The greener a document, the more relevant it is, and the star marks the most relevant one; neither "
        "ranker sees that."
    )
    watched = (*RankingScene.watched, "team", "fixed", "outcome", *COLUMNS.values())
    change = TAUGHT

    def columns(self, watched: Mapping[str, Array], data: Any) -> dict[str, Array]:
        found = super().columns(watched, data)
        doc = found["doc"]
        team = taken(watched["team"], taken(places_of(watched["shown"]), doc))
        fixed = taken(places_of(watched["fixed"]), doc)
        return found | {
            "team": np.where(doc >= 0, team, -1),
            "fixed": np.where(doc >= 0, fixed, -1),
            "outcome": watched["outcome"],
        }
