"""The structured perceptron, which learns from the best ranking itself ([S] §8.1, after Collins 2002)."""

from dataclasses import dataclass
from typing import Any, ClassVar

from datasets.parameters import choice
from learners.base import Line
from learners.ranking.base import RankingLearner
from learners.ranking.preference_perceptron import add_difference


@dataclass(kw_only=True)
class StructuredPerceptron(RankingLearner):
    """The preference perceptron with y* in place of user feedback, a rough upper reference.

    >>> from learners import Simulation
    >>> sim = Simulation("structured-perceptron", "web-search", "cascade", replicates=2, seed=0)
    >>> sim.advance(steps=200)
    >>> bool(sim.history["average-regret"][-1].max() < sim.history["average-regret"][9].min())
    True
    """

    id: ClassVar[str] = "structured-perceptron"
    title: ClassVar[str] = "Structured perceptron"
    short: ClassVar[str] = "Structured"
    needs: ClassVar[str] = "the best ranking, from an expert"
    hears: ClassVar[str] = "optimal"
    summary: ClassVar[str] = (
        "Receives the best ranking after every step, whatever the simulated user clicked. No real search engine has "
        "that. It serves as a rough upper reference."
    )
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "§8.1"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$"),
        Line("observe", r"Observe $x_t$"),
        Line("predict", r"Present $y_t \leftarrow \mathrm{argmax}_{y}\, w_t^\top \phi(x_t, y)$"),
        Line("feedback", r"Obtain the best ranking $y^*_t$", "An expert gives the best ranking, y*."),
        Line(
            "update",
            r"Update $w_{t+1} \leftarrow w_t + \phi(x_t, y^*_t) - \phi(x_t, y_t)$",
            "It adds the features of y* to the weights w and subtracts those of the ranking shown.",
        ),
    )

    optimal: str = choice(
        "grades", ("grades", "utility"),
        help="What the expert sorts by: the relevance grades of the data, or the linear utility by w* that regret is "
        "measured with. Grades that no linear function fits keep it from settling.",
    )  # fmt: skip

    rule_to_learn: ClassVar[Any] = staticmethod(add_difference)

    @property
    def bounds(self) -> tuple[str, ...]:
        return ("theorem-1",)
