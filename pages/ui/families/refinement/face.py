"""The views of boosting with relevance feedback."""

from learners.boosting.refinement import metrics
from pages.ui.families.refinement.inspector import RefinementInspector
from pages.ui.families.refinement.pictures import PICTURES
from pages.ui.race.face import Face

FACE = Face(("positions", metrics.GAIN_UNJUDGED, "path", metrics.OBJECTIVE), RefinementInspector, "positions", PICTURES)
