"""The views of a run, in its lab and wherever else it is played: charts, a scene, and the account of a step."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from learners.metric import Metric
from pages.ui.draw.charts import Look
from pages.ui.race.change import CHANGE
from pages.ui.race.charts import ChartSpec, picture
from pages.ui.race.inspector import Inspector
from pages.ui.race.moment import Moment
from pages.ui.race.scene import Scene


@dataclass(frozen=True)
class Face:
    """The look of a family's runs.

    shown : charts shown at first, by their metrics or the ids of pictures. inspector : class whose instances tell what
    happened in a step. scene : what stands above the charts, a scene, the id of a picture, or nothing.
    pictures : charts other than curves.
    """

    shown: tuple[Metric | str, ...]
    inspector: type[Inspector]
    scene: Scene | str | None = None
    pictures: tuple[ChartSpec, ...] = ()

    def drawn(self, charts: Iterable[ChartSpec], look: Look) -> dict[str, Callable[[Moment], Any]]:
        """Return what is drawn at keyframes, by id: the pictures, and what a step changed if one is the scene."""
        pictures = {chart.id: picture(chart, look) for chart in charts if chart.metric is None}
        changes = self.inspector.change is not None and self.scene in pictures
        return pictures | ({CHANGE: self.inspector.changed} if changes else {})
