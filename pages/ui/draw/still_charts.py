"""A grid of Plotly charts that stand still: of a sweep, the lower bound, the data.

Streamlit builds its own chart element anew whenever the data change, so that the chart blinks and loses its zoom. Here
one component keeps the charts and hands them new data (`Plotly.react`).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from pages.ui import glossary
from pages.ui.component import component
from pages.ui.draw import plotly_js
from pages.ui.draw.charts import light
from pages.ui.draw.legend import Entry, entries


@dataclass(frozen=True)
class Chart:
    """A chart with its title and its definition. The zoom is kept while `revision` stays the same."""

    id: str
    title: str
    help: str
    figure: dict[str, Any]
    revision: str = ""
    wide: bool = False  # as wide as the page


def show(charts: Sequence[Chart], legend: Sequence[Entry], key: str, text: str) -> None:
    """Draw the legend, and the charts in a grid of two columns on a wide screen and one on a narrow screen.

    text : colour of the titles.
    """
    payload = {
        "script": plotly_js.url(),
        "charts": [
            {
                "id": c.id, "title": c.title, "terms": glossary.found(c.title), "help": c.help,
                "revision": c.revision, "wide": c.wide,
                "data": [light(trace) for trace in c.figure["data"]], "layout": c.figure["layout"],
            }
            for c in charts
        ],
        "legend": entries(legend),
        "text": text,
    }  # fmt: skip
    # bytes: a dictionary would be walked and written out three times over at every redraw
    _component(key=key, data=orjson.dumps(payload, option=orjson.OPT_SERIALIZE_NUMPY))


def show_alone(charts: Sequence[Chart], key: str, text: str) -> None:
    """Draw charts without a legend; `key` may be any text that tells what they show."""
    show(charts, [], "charts-" + hashlib.sha256(key.encode()).hexdigest()[:12], text)


_FILES = Path(__file__).parent / "js"
_component = component(
    "charts", _FILES / "still.js", _FILES / "charts.css", _FILES / "terms.css",
    html='<div class="fl-legend"></div><div class="fl-grid"></div>',
)  # fmt: skip
