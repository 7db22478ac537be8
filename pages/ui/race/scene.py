"""The base of all scenes: the parts of a scene, and the faces of documents and examples."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from learners.base import Array
from pages.ui.race.change import StepChange, levelled

PLACES = 10  # most documents that a scene draws of one learner


class Scene(ABC):
    """One kind of scene.

    kind : its id, by which the player knows how to draw it. title : what the person sees. help : how to read it.
    watched : the columns of a `Watch` that it reads, with the steps on the first axis. change : what is drawn beside
    it of what the step changed.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    help: ClassVar[str]
    watched: ClassVar[tuple[str, ...]]
    change: ClassVar[StepChange]

    @abstractmethod
    def faces(self, data: Any) -> dict[str, Any]:
        """Return how documents or examples look, which is sent once, for `orjson.dumps`.

        It has "names" by row of the features, or "images": {"src", "width", "height", "columns"}, one picture that
        holds all images in rows of `columns`; neither where the data have nothing to show.
        """

    @abstractmethod
    def columns(self, watched: Mapping[str, Array], data: Any) -> dict[str, Array]:
        """Return what is drawn of some steps, whole numbers of the shape (steps,) or (steps, places).

        Steps may come in parts: which columns there are, and how wide they are, depends on the data alone, not on what
        happened. −1 stands where there is nothing.
        """

    def drawn(self, watched: Mapping[str, Array], data: Any, learners: int) -> dict[str, Array]:
        """Return the columns of some steps, with those of the change, whose names begin with "change-".

        learners : how many share the room.
        """
        assert self.change.columns is not None
        changed = levelled(self.change.columns(watched, data), self.change.rows(learners)).items()
        return self.columns(watched, data) | {f"change-{name}": values for name, values in changed}

    def about(self, learner: Any) -> dict[str, Any]:
        """Return what the scene must know of a learner to tell what it heard, for `orjson.dumps`."""
        return {}
