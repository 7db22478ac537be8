"""The document of columns of numbers: curves that some program has made, with a mean and a band over replicates."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.draw.charts import PATTERNS, Axis, Curve, Look, light, line_chart, mean_of, rows_to_draw
from pages.ui.draw.legend import entries, legend
from pages.ui.plain import Plotly, for_plotly, visible
from pages.ui.play import payload
from pages.ui.recordings.document import Document


@dataclass(frozen=True)
class RecordedColumns:
    """The drawing of some columns.

    title : heading. learners : names of those compared. columns : for each its columns by name, (T, R) with NaN where
    there is no value; they may differ in T. titles : of charts, by the names of columns. unit : what a step is called.
    marks : as `Recorder` notes them. words, link : as in a `Document`. x_log, y_log : whether axes are logarithmic.
    ranges : limits of y axes, by the names of columns.
    """

    title: str
    learners: Sequence[str]
    columns: Sequence[Mapping[str, Array]]
    titles: Mapping[str, str] = field(default_factory=dict)
    unit: str = "step"
    marks: Sequence[Mapping[str, Any]] = ()
    words: str = ""
    link: str = ""
    x_log: bool = False
    y_log: bool = False
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def document(self, look: Look) -> Document:
        """Return the recording. look : its colours."""
        every = [values for columns in self.columns for values in columns.values()]
        steps, replicates = max(map(len, every)), max(values.shape[1] for values in every)
        names = dict.fromkeys(name for columns in self.columns for name in columns)
        charts = {name: self._chart(name, steps, look) for name in names}
        shorts = [visible(name) or "run" for name in self.learners]
        learners = [
            {"label": name, "short": name, "color": look.colors[slot], "dash": PATTERNS[look.dashes[slot]]}
            for slot, name in enumerate(shorts)
        ]
        marks = sorted(self.marks, key=lambda mark: int(mark["t"]))
        kinds = {mark["kind"]: mark["sign"] for mark in reversed(marks)}
        exact = {name: values for name, (_, values) in charts.items()}
        made_from = self.title, list(self.learners), steps, exact, self.x_log, self.y_log
        key = hashlib.sha256(repr(made_from).encode()).hexdigest()[:16]
        whole = payload.WHOLE | {
            "run": key, "drawn": f"{key} {look.text}", "revision": key, "page": "recording",
            "title": visible(self.title), "steps": steps, "reached": steps, "replicates": replicates,
            "unit": self.unit, "text": look.text, "grid": look.grid, "other": look.other, "learners": learners,
            "legend": entries(legend(shorts, look, ())),
            "charts": [chart for chart, _ in charts.values()],
            "exact": {"first": 1, "charts": exact},
            "events": {
                "kinds": [
                    {"id": id, "title": visible(id).capitalize(), "sign": sign, "help": "",
                     "of": sum(mark["kind"] == id for mark in marks)}
                    for id, sign in kinds.items()
                ],
                "list": [{name: value for name, value in mark.items() if name != "sign"} for mark in marks],
            },
            "film": None, "scene": None,
        }  # fmt: skip
        return Document.of(self.title, whole, [], self.words, self.link)

    def _chart(self, name: str, steps: int, look: Look) -> tuple[dict[str, Any], dict[str, str]]:
        """Return the chart of a column, and the values after each step."""
        title = visible(self.titles.get(name, name.replace("_", " ").capitalize()))
        found, exact = [], {}
        for slot, columns in enumerate(self.columns):
            if name not in columns:
                continue
            values = np.where(np.isfinite(columns[name]), columns[name], np.nan)
            at = rows_to_draw(len(values), steps, log=self.x_log)
            known = at[~np.isnan(values[at]).any(axis=1)]
            found.append(Curve(visible(self.learners[slot]) or "run", slot, known + 1, values[known]))
            exact[f"{slot} 0 0"] = payload.packed(np.append(mean_of(values), np.full(steps - len(values), np.nan)))
        axis = Axis(
            title, self.x_log, self.y_log, steps, self.ranges.get(name), x_title=Plotly(f"{for_plotly(self.unit)} t")
        )
        made = line_chart(found, axis, look=look)
        chart = {"id": name, "title": title, "help": "", "wide": False}
        chart |= payload.drawn([light(trace) for trace in made["data"]], made["layout"])
        return chart, exact
