"""The views of the boosting of rankings."""

from learners.boosting.learning_to_rank.metrics import NDCG, SURROGATE
from learners.boosting.metrics import STEP_SIZE
from pages.ui.families.learning_to_rank.inspector import LearningToRankInspector
from pages.ui.families.learning_to_rank.pictures import PICTURES
from pages.ui.race.face import Face

FACE = Face(
    (NDCG[""][4], SURROGATE, "positions", STEP_SIZE, "weights", "picked"), LearningToRankInspector, "weights", PICTURES
)
