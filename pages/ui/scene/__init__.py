"""Scenes, which show each step of one replicate as the person before the screen would see it: a list, an answer, a set.

Nothing here knows of Streamlit. A scene turns what a `Watch` noted into what the player draws above the charts.
"""

from pages.ui.scene.answer import AnswerScene
from pages.ui.scene.base import Scene
from pages.ui.scene.comparison import ComparisonScene
from pages.ui.scene.labels import LabelsScene
from pages.ui.scene.ranking import RankingScene


def scenes() -> dict[str, Scene]:
    """Return the scenes by kind.

    >>> list(scenes())
    ['ranking', 'comparison', 'answer', 'labels']
    """
    return {scene.kind: scene for scene in (RankingScene(), ComparisonScene(), AnswerScene(), LabelsScene())}


__all__ = ["Scene", "scenes"]
