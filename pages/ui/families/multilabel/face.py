"""The views of a run in which learners show a set of labels."""

from learners.multilabel import metrics
from pages.ui.families.multilabel.inspector import MultilabelInspector
from pages.ui.families.multilabel.scene import LabelsScene
from pages.ui.race.face import Face

FACE = Face(
    (metrics.LOSS, metrics.HAMMING_LOSS, metrics.SHOWN_SIZE, metrics.CUMULATIVE_REGRET),
    MultilabelInspector, LabelsScene(),
)  # fmt: skip
