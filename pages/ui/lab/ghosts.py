"""The pale curves of kept runs that are shown behind the present run."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from learners.spec import RunSpec
from pages.ui.kept.differences import differences, label
from pages.ui.kept.run import KeptRun
from pages.ui.race.charts import ChartSpec, ChartView, drawn_curves
from pages.ui.race.moment import Moment


def ghost(run: KeptRun, moment: Moment, now: RunSpec, charts: Sequence[ChartSpec], view: ChartView) -> dict[str, Any]:
    """Return what the browser draws of a kept run, the mean curves of each chart at the steps that the run itself has.

    moment : the end of the run, or as far as it is computed; before the first step it has no curves. now : the present
    run, whose steps the curves cover.
    """
    drawn = {}
    for spec in charts:
        if spec.metric is not None and moment.t:
            drawn[spec.id] = [
                {
                    "slot": curve.slot,
                    "x": np.ascontiguousarray(curve.x),
                    "y": np.nanmean(curve.values, axis=1).astype(np.float32),
                }
                for curve in drawn_curves(spec.metric, moment, view, now.steps)
                if not (curve.faint or curve.bound) and len(curve.x)
            ]
    return {"id": run.text, "label": label(differences(run.spec, now)), "charts": drawn}
