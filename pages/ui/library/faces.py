"""What a recording of the library shows of a family: its charts, its scene and its inspector, as its lab does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from datasets.parameters import shown
from learners import Simulation
from learners.boosting.learning_to_rank import metrics as learning_to_rank
from learners.boosting.metrics import STEP_SIZE
from learners.boosting.refinement import metrics as refinement
from learners.boosting.semi_supervised import metrics as semi_supervised
from learners.catalogue import families
from learners.classification import metrics as classification
from learners.interleaving import Comparison
from learners.interleaving import metrics as compared
from learners.metric import Metric
from learners.multilabel import metrics as multilabel
from learners.ranking import metrics as ranking
from pages.ui.families.classification.inspector import ClassificationInspector
from pages.ui.families.classification.scene import AnswerScene
from pages.ui.families.learning_to_rank.inspector import LearningToRankInspector
from pages.ui.families.multilabel.inspector import MultilabelInspector
from pages.ui.families.multilabel.scene import LabelsScene
from pages.ui.families.ranking.comparison_inspector import ComparisonInspector
from pages.ui.families.ranking.comparison_scene import ComparisonScene
from pages.ui.families.ranking.inspector import RankingInspector
from pages.ui.families.ranking.scene import RankingScene
from pages.ui.families.refinement.inspector import RefinementInspector
from pages.ui.families.semi_supervised.inspector import SemiSupervisedInspector
from pages.ui.race.charts import ChartSpec
from pages.ui.race.inspector import Inspector
from pages.ui.race.scene import Scene


@dataclass(frozen=True)
class Face:
    """How runs of a family are shown. metrics : with a chart each. scene : what stands above them."""

    metrics: tuple[Metric, ...]
    inspector: type[Inspector]
    scene: Callable[[], Scene] | None = None


COMPARED = Face(
    (compared.WIN_SHARE, compared.ADVANTAGE, compared.TOP10_SHARED, ranking.AFFIRMATIVENESS), ComparisonInspector,
    ComparisonScene,
)  # fmt: skip
FACES = {
    "ranking": Face(
        (ranking.RANK_OF_BEST, ranking.ORDER_KEPT, ranking.AVERAGE_REGRET, ranking.FLIPS, ranking.SWAP_PROBABILITY),
        RankingInspector, RankingScene,
    ),
    "classification": Face(
        (classification.ERROR_RATE, classification.ACCURACY, classification.GAMMA), ClassificationInspector, AnswerScene
    ),
    "multilabel": Face(
        (multilabel.LOSS, multilabel.HAMMING_LOSS, multilabel.SHOWN_SIZE, multilabel.CUMULATIVE_REGRET),
        MultilabelInspector, LabelsScene,
    ),
    "semi-supervised": Face(
        (semi_supervised.ACCURACY_TEST, semi_supervised.ACCURACY_UNLABELLED, semi_supervised.OBJECTIVE, STEP_SIZE),
        SemiSupervisedInspector,
    ),
    "learning-to-rank": Face(
        (learning_to_rank.NDCG[""][4], learning_to_rank.SURROGATE, STEP_SIZE), LearningToRankInspector
    ),
    "refinement": Face(
        (refinement.GAIN_UNJUDGED, refinement.GAIN, refinement.OBJECTIVE), RefinementInspector
    ),
}  # fmt: skip


def face_of(simulation: Simulation) -> Face:
    """Return how a run is shown."""
    return COMPARED if isinstance(simulation, Comparison) else FACES[simulation.learner.family]


def charts_of(simulation: Simulation, ids: Sequence[str] | None = None) -> list[ChartSpec]:
    """Return the charts of some metrics, in the order of their ids; without ids those of the face.

    Raises
    ------
    ValueError : for an id that is none of a metric of the run.
    """
    found = list(face_of(simulation).metrics)
    if ids is not None:
        others = compared.METRICS if isinstance(simulation, Comparison) else ()
        metrics = {metric.id: metric for metric in (*families()[simulation.learner.family].metrics, *others)}
        if unknown := [id for id in ids if id not in metrics]:
            raise ValueError(f"charts must be among {', '.join(metrics)}, got {shown(unknown[0])}")
        found = [metrics[id] for id in ids]
    return [ChartSpec(m.id, m.label, m.help, m, remark=m.remark).titled_for(simulation.dataset) for m in found]
