"""The views of a run in which rankings are learned from clicks, and of one that compares with a fixed ranker."""

from learners.interleaving import metrics as compared
from learners.ranking import metrics
from pages.ui.families.ranking.comparison_inspector import ComparisonInspector
from pages.ui.families.ranking.comparison_pictures import PICTURES as VERDICTS
from pages.ui.families.ranking.comparison_scene import ComparisonScene
from pages.ui.families.ranking.inspector import RankingInspector
from pages.ui.families.ranking.log_pictures import LEARNED, LEARNED_RANK
from pages.ui.families.ranking.log_pictures import PICTURES as FROM_LOG
from pages.ui.families.ranking.pictures import PICTURES
from pages.ui.families.ranking.scene import RankingScene
from pages.ui.race.face import Face

FACE = Face(
    (
        metrics.RANK_OF_BEST, metrics.ORDER_KEPT, metrics.AVERAGE_REGRET, metrics.FLIPS, metrics.SWAP_PROBABILITY,
        "weight-maps",
    ),
    RankingInspector, RankingScene(), PICTURES,
)  # fmt: skip
LOGGED = Face((LEARNED, "propensities", "estimates", LEARNED_RANK), RankingInspector, RankingScene(), FROM_LOG)
COMPARED = Face(
    (compared.WIN_SHARE, compared.ADVANTAGE, compared.TOP10_SHARED, metrics.AFFIRMATIVENESS, "verdicts"),
    ComparisonInspector, ComparisonScene(), VERDICTS,
)  # fmt: skip
