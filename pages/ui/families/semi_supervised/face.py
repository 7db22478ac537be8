"""The views of boosting with few labels."""

from learners.boosting.metrics import STEP_SIZE
from learners.boosting.semi_supervised import metrics
from pages.ui.families.semi_supervised.inspector import SemiSupervisedInspector
from pages.ui.families.semi_supervised.pictures import PICTURES
from pages.ui.race.face import Face

FACE = Face(
    ("regions", metrics.ACCURACY_TEST, metrics.ACCURACY_UNLABELLED, metrics.OBJECTIVE, STEP_SIZE),
    SemiSupervisedInspector, "regions", PICTURES,
)  # fmt: skip
