"""One declaration of a metric, from which histories, sweeps, charts, exports and help texts follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SHARE = (0.0, 1.02)  # limits of an axis for values from 0 to 1


@dataclass(frozen=True, eq=False)
class Metric:
    """A quantity that an environment measures after every step, for each replicate.

    Parameters
    ----------
    id : its name in `history[id]`, links, tables and scripts.
    title, unit : what is plotted, and in which unit or range. help : definition, source, what to look for.
    per_step : whether a value belongs to a single step, such as the rank of a document, and not to the state of the
        run. A thinned history, a chart and a sweep then take the mean over a window of steps; of a sweep it is the
        last tenth of the run.
    better : "lower" or "higher"; empty where neither is better in itself.
    companion : the same quantity of something else, drawn as a thin line: what is predicted beside what is shown, the
        training queries beside the test queries. companion_name : what that is, in one word.
    bounds : metrics under which the theorems' bounds on it are recorded.
    limits : the fixed range of its axis, or a function of the data that returns it. log : whether a logarithmic axis
        makes sense. relative : whether it is drawn as a multiple of each replicate's first value.
    some : whether the mean is drawn over some replicates where others have no value.
    remark : what some data add to the title, a function of the data. absent : what an empty chart says. drawn : whether it has a chart of its own; chart : the chart's id in links.
    short : its name in a running text, such as an inspector's line.

    >>> error = Metric("error-rate", "Error rate", "Share of wrong answers so far.", better="lower")
    >>> accuracy = Metric("accuracy", "Correct answers", "Of the step.", "0 to 1", per_step=True, better="higher")
    >>> accuracy.label, accuracy.final, error.final
    ('Correct answers (0 to 1)', 'mean of the last tenth of the steps', 'at the end of the run')
    >>> error.best([0.3, 0.1, 0.2]), accuracy.best([0.7, 0.9, 0.8])
    (1, 1)
    """

    id: str
    title: str
    help: str
    unit: str = ""
    per_step: bool = False
    better: str = ""
    companion: Metric | None = None
    companion_name: str = ""
    bounds: tuple[Metric, ...] = ()
    limits: tuple[float, float] | Callable[[Any], tuple[float, float]] | None = None
    log: bool = False
    relative: bool = False
    some: bool = False
    absent: str = "Nothing to draw for these learners."
    remark: Callable[[Any], str] | None = None
    drawn: bool = True
    chart: str = ""
    short: str = ""

    def __post_init__(self) -> None:
        if self.better not in ("", "lower", "higher"):
            raise ValueError(f"better of {self.id} must be lower, higher or empty, got {self.better}")

    @property
    def label(self) -> str:
        """The title with its unit in brackets."""
        return f"{self.title} ({self.unit})" if self.unit else self.title

    @property
    def final(self) -> str:
        """In words, what a sweep takes from the end of a run."""
        return "mean of the last tenth of the steps" if self.per_step else "at the end of the run"

    def best(self, values: Any) -> int | None:
        """The place of the best of some values; None where neither lower nor higher is better."""
        if not self.better:
            return None
        pick = min if self.better == "lower" else max
        return int(pick(range(len(values)), key=lambda i: values[i]))
