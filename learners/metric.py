"""The declaration of a metric, from which histories, sweeps, charts, exports and help texts follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SHARE = (0.0, 1.02)  # limits of an axis for values from 0 to 1
WITHIN = ("worst", "mean", "since")  # what a column of a strip can hold


@dataclass(frozen=True)
class Strip:
    """Values that tell when a replicate is unstable, drawn as a strip of colours with a row for each replicate.

    Parameters
    ----------
    help : what the strip shows, in a sentence.
    lapse : what an unstable replicate did, to follow "3 of 20 replicates", such as "lost the best document".
    fall : a replicate lapses where it is worse by at least this than the best value it had before, or a function from
        the data to that number.
    within : what a column holds that stands for several steps: the "worst" of their values, so that a short lapse stays
        visible, or their "mean". For a metric that is itself a mean over the steps so far, "since" is the mean over the
        steps of the column alone. Lapses are counted among steps for "worst", among columns for the others.
    fewest : fewest steps of a column.
    scale : function from the data to the values with the first and the last colour, the best and the worst; without it
        the range of the values.

    >>> Strip("A strong colour is a bad rank.", "lost the best document", fall=5, within="median")
    Traceback (most recent call last):
        ...
    ValueError: within must be worst, mean or since, got median
    """

    help: str
    lapse: str
    fall: float | Callable[[Any], float]
    within: str = "worst"
    fewest: int = 1
    scale: Callable[[Any], tuple[float, float]] | None = None

    def __post_init__(self) -> None:
        if self.within not in WITHIN:
            raise ValueError(f"within must be {', '.join(WITHIN[:-1])} or {WITHIN[-1]}, got {self.within}")


@dataclass(frozen=True, eq=False)
class Metric:
    """A quantity that an environment measures after every step, for each replicate.

    Parameters
    ----------
    id : its name in `history[id]`, links, tables and scripts.
    title, unit : the quantity, and its unit or range. help : definition, source, what to look for.
    per_step : whether a value belongs to a single step, such as the rank of a document, and not to the state of the
        run. Thinned histories, charts and sweeps then take the mean over a window of steps, in a sweep the last tenth
        of the run.
    stepwise : whether a value stays until it jumps, such as a rank, a count, or what is measured every 50 steps. Charts
        draw it as steps.
    better : "lower", "higher", or empty if neither is better in itself.
    companion : a related metric drawn as a thin line, such as the predicted ranking beside the presented one, or the
        training queries beside the test queries. companion_name : what it refers to, in a word or two.
    bounds : metrics under which the bounds of theorems on this metric are recorded.
    limits : fixed range of its axis, or a function from the data to that range. log : whether a logarithmic axis makes
        sense. relative : whether it is drawn relative to the first value of each replicate.
    reference : a value to compare with and what it stands for, drawn as a line across its chart, if there is one.
    mean_over_available : whether the mean is drawn over the replicates that have a value where others lack one.
    remark : function from the data to an addition to the title. absent : what an empty chart says.
    adapted : whether it is constant in runs of learners that do not adapt how much they explore (`Learner.adapts`).
    drawn : whether it has its own chart. chart : id of that chart in links, if it differs from `id`.
    short : its name in a running text, such as an inspector's line.
    strip : how it tells when a replicate is unstable, if it does.

    >>> error = Metric("error-rate", "Error rate", "Share of mistakes so far.", better="lower")
    >>> accuracy = Metric("accuracy", "Accuracy", "Share of correct labels.", "0 to 1", per_step=True, better="higher")
    >>> accuracy.label, accuracy.final, error.final
    ('Accuracy (0 to 1)', 'mean of the last tenth of the steps', 'at the end of the run')
    >>> error.best([0.3, 0.1, 0.2]), accuracy.best([0.7, 0.9, 0.8])
    (1, 1)
    """

    id: str
    title: str
    help: str
    unit: str = ""
    per_step: bool = False
    stepwise: bool = False
    better: str = ""
    companion: Metric | None = None
    companion_name: str = ""
    bounds: tuple[Metric, ...] = ()
    limits: tuple[float, float] | Callable[[Any], tuple[float, float]] | None = None
    log: bool = False
    relative: bool = False
    mean_over_available: bool = False
    absent: str = "Nothing to draw for these learners."
    remark: Callable[[Any], str] | None = None
    adapted: bool = False
    drawn: bool = True
    chart: str = ""
    short: str = ""
    strip: Strip | None = None
    reference: tuple[float, str] | None = None

    def __post_init__(self) -> None:
        if self.better not in ("", "lower", "higher"):
            raise ValueError(f"better of {self.id} must be lower, higher or empty, got {self.better}")
        if self.strip is not None and not self.better:
            raise ValueError(f"{self.id} has a strip and must say whether lower or higher is better")

    @property
    def label(self) -> str:
        """The title with its unit in brackets."""
        return f"{self.title} ({self.unit})" if self.unit else self.title

    @property
    def final(self) -> str:
        """The value that a sweep takes from the end of a run, in words."""
        return "mean of the last tenth of the steps" if self.per_step else "at the end of the run"

    def best(self, values: Any) -> int | None:
        """Return the index of the best value, or None if neither lower nor higher is better."""
        if not self.better:
            return None
        pick = min if self.better == "lower" else max
        return int(pick(range(len(values)), key=lambda i: values[i]))
