"""The views of a run in which learners name a class."""

from learners.classification import metrics
from pages.ui.families.classification.inspector import ClassificationInspector
from pages.ui.families.classification.pictures import PICTURES
from pages.ui.families.classification.scene import AnswerScene
from pages.ui.race.face import Face

FACE = Face(
    (metrics.ERROR_RATE, metrics.ACCURACY, metrics.GAMMA, "confusion", "weight-maps"),
    ClassificationInspector, AnswerScene(), PICTURES,
)  # fmt: skip
