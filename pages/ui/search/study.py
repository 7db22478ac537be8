"""The study of [S] §7 as the page of the search shows it, from the results of its figures.

`python -m pages.figures S-fig1 S-fig2 S-fig3 S-7` computes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from learners.base import Array
from pages.ui.figures import result
from pages.ui.figures.computed.study import BEST as BEST_NAME
from pages.ui.figures.computed.study import BIAS, DOCUMENTS, RELEVANT_FROM
from pages.ui.figures.papers.stable.study import CHOSEN, NOISE
from pages.ui.figures.result import Drawn, Result

__all__ = ["BEST", "BIAS", "CHOSEN", "DOCUMENTS", "LEARNERS", "NOISE", "OSCILLATES", "RELEVANT_FROM", "Study", "read"]

LEARNERS = ("preference-perceptron", "perturbed-perceptron")
BEST = "settled"  # the best linear ranker, which learns nothing
NAMES = {LEARNERS[0]: "PrefP[top]", LEARNERS[1]: "3PR", BEST: BEST_NAME}  # in the figures
CURVES = {"ratio": "S-fig1", "overlap": "S-fig2", "affirmativeness": "S-fig3"}  # figures by their panels
ENDS = "S-7"  # the figure over the noise
BEST_PANELS = {"ratio": "best", "advantage": "best-advantage"}
OSCILLATES = 8.0  # a learner whose top tens, 100 updates apart, share fewer documents at the end oscillates


@dataclass(frozen=True, eq=False)
class Study:
    """A study that was run. results : of the figures in `CURVES` and of `ENDS`, by their ids."""

    results: Mapping[str, Result]

    def curve(self, id: str, learner: str) -> Drawn:
        """Return a curve over the updates at the noise that is shown. id : one of `CURVES`."""
        return self.results[CURVES[id]].drawn(id, NAMES[learner])

    def ends(self, id: str, learner: str) -> Drawn:
        """Return the values at the end over the noise. id : "ratio", "overlap" or "advantage"."""
        panel = BEST_PANELS[id] if learner == BEST else f"{id}-noise"
        return self.results[ENDS].drawn(panel, NAMES[learner])

    def at_noise(self, id: str, learner: str, noise: float) -> Array:
        """Return the values at the end at one noise, (seeds,)."""
        values: Array = self.ends(id, learner).y[:, self.noises.index(noise)]
        return values

    @property
    def noises(self) -> tuple[float, ...]:
        """The noises at which it was run."""
        return tuple(float(name) for name in self.ends("ratio", LEARNERS[0]).x)

    @property
    def seeds(self) -> int:
        """The number of crowds."""
        return self.results[CURVES["ratio"]].seeds

    @property
    def updates(self) -> int:
        """The searches of a crowd that teach, and as many that compare."""
        return int(self.curve("ratio", LEARNERS[0]).numbers[-1])

    def oscillating(self, learner: str) -> list[float]:
        """Return the noises at which a learner oscillates."""
        means = self.ends("overlap", learner).mean
        return [noise for noise, mean in zip(self.noises, means, strict=True) if mean < OSCILLATES]


def read() -> Study | None:
    """Return the study, None if one of its figures has not been computed."""
    found = {id: result.read(id) for id in (*CURVES.values(), ENDS)}
    known = {id: one for id, one in found.items() if one is not None}
    return Study(known) if len(known) == len(found) else None
