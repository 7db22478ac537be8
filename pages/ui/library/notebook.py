"""Runs and recordings as a notebook shows them.

An output has a line of text, a still picture, and the player in a frame without an origin, which asks for nothing: the
page in it is that of the film, packed, and curves are drawn without plotly.js. Only a scene that is a figure, as in
boosting, has it fetched; without a network a sentence stands in its place. Where a notebook is not trusted, the frame
is taken away, and the picture stays.
"""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from datasets.parameters import shown
from learners import Simulation
from pages.ui.draw import plotly_js, svg
from pages.ui.library.record import document_of
from pages.ui.plain import Html, Ours, for_html, visible
from pages.ui.play.payload import VALUES
from pages.ui.recordings.document import Document
from pages.ui.recordings.takeaway import Library, page

HEIGHT = 620  # of the frame, in pixels
MOST_PANELS = 2  # of the still picture
ADDRESS = "http://localhost:8501"  # of the app, in which a run can be changed
# only for recordings with pictures; the file is that of the package plotly.js-cartesian-dist-min on npm
CDN = f"https://cdn.jsdelivr.net/npm/plotly.js-cartesian-dist-min@{plotly_js.VERSION}/plotly-cartesian.min.js"

Bundle = dict[str, str]


class Output:
    """A run or a recording as a notebook shows it."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle

    def __repr__(self) -> str:
        return self.bundle["text/plain"]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        return self.bundle


def bundle(what: Any, offline: bool = False, link: str = "", **how: Any) -> Bundle:
    """Return what a notebook shows of a simulation, of several that ran beside each other, or of a recording.

    offline : whether plotly.js is within the output where figures need it, and pictures beside the scene are shown;
    else a browser fetches it, and checks its hash. link : an address outside the frame; without it the lab in which the
    run can be changed. how : as in `document_of`.

    Raises
    ------
    ValueError : for what cannot be shown.
    """
    if isinstance(what, str | Path):
        raise ValueError(f"open_recording opens a file; what is shown is a run or a recording, got {shown(what)}")
    runs = [what] if isinstance(what, Simulation) else what
    if isinstance(runs, list | tuple) and runs and not any(getattr(run, "t", 1) for run in runs):
        return {"text/plain": f"{' · '.join(_named(run) for run in runs)}: no step has been taken yet"}
    usual = {"values": VALUES // 2, "figures": offline}
    document = what if isinstance(what, Document) else document_of(what, **(usual | how))
    line = told(document)
    picture = still(document)
    address = for_html(link or _lab(document))
    again = f'<a href="{address}">Open it in the lab</a> to change it.' if address.startswith("http") else ""
    pictures = any(chart["kind"] == "figure" for chart in document.payload["charts"])
    library = Library(inside=False)
    if pictures:
        library = Library() if offline else Library(inside=False, address=CDN, integrity=plotly_js.integrity())
    frame = html.escape(page(document, library, framed=True))
    return {
        "text/plain": line,
        "image/svg+xml": picture,
        "text/html": (
            f"<style>.fl-out:has(iframe) .fl-still {{ display: none }}</style>"
            f'<div class="fl-out"><p>{for_html(line)} {again}</p>'
            f'<img class="fl-still" alt="{for_html(line)}" src="{svg.address(picture)}" '
            'style="max-width: 100%">'
            f'<iframe sandbox="allow-scripts" title="{for_html(document.title)}" loading="lazy" '
            f'style="width: 100%; height: {HEIGHT}px; border: 1px solid #D9DEE5; border-radius: 6px" '
            f'srcdoc="{frame}"></iframe></div>'
        ),
    }


def told(document: Document) -> str:
    """Return a recording in a line: what ran, for how long, and where the curves of its first chart ended."""
    payload = document.payload
    title = visible(document.title) or "A run"
    parts = [f"{title}{' ' if title[-1] in '.?!' else ': '}{visible(document.setup)}"]
    chart = next((chart for chart in payload["charts"] if chart["kind"] == "curves"), None)
    if chart is not None:
        ends = [
            f"{visible(line['name'])} {chart['data'][line['trace']]['y'][-1]:.3g}"
            for line in chart["lines"]
            if not line["faint"] and not line["bound"] and _ended(chart["data"][line["trace"]]["y"])
        ]
        parts.append(f"{visible(chart['title'])} after {payload['reached']:,}: {', '.join(ends)}." if ends else "")
    return " ".join(filter(None, parts))


def still(document: Document) -> Html:
    """Return a picture of the whole run, its first charts of curves, as SVG."""
    payload = document.payload
    charts = [chart for chart in payload["charts"] if chart["kind"] == "curves"][:MOST_PANELS]
    panels = []
    for chart in charts:
        layout = chart["layout"]
        log = {axis: layout.get(f"{axis}axis", {}).get("type") == "log" for axis in "xy"}
        ends = layout.get("yaxis", {}).get("range")
        frame = svg.Frame(
            visible(chart["title"]), f"{payload['unit']} t", "", log_x=log["x"], log_y=log["y"],
            y_range=None if log["y"] or not ends else (ends[0], ends[1]),
        )  # fmt: skip
        curves = [_curve(chart["data"][line["trace"]], line["slot"]) for line in chart["lines"] if not line["bound"]]
        panels.append((frame, curves))
    names: list[svg.Entry] = [
        (visible(one["label"]), Ours(svg.INKS[i]), "solid") for i, one in enumerate(payload["learners"])
    ]
    title = visible(document.title) or "A run"
    return svg.sheet(title, f"{title} ({visible(document.setup)})", names, panels)


def _curve(trace: dict[str, Any], slot: int) -> svg.SvgCurve:
    x, y = (np.array([np.nan if v is None else v for v in trace[name]], dtype=float) for name in "xy")
    return svg.SvgCurve(x, y, np.zeros(len(x)), svg.INKS[slot])


def _ended(values: list[Any]) -> bool:
    return bool(values) and values[-1] is not None


def _named(run: Any) -> str:
    return f"{run.learner.title} on {run.dataset.id}"


def _lab(document: Document) -> str:
    """Return the address in the lab of a recording, if it names one or the app is installed and has one."""
    if document.link or document.spec is None:
        return document.link
    try:
        from streamlit.logger import set_log_level

        set_log_level("error")  # it warns that nobody serves it
        from pages.ui.runs.run_again import again

        page, query = again(document)
        return f"{ADDRESS}/{Path(page).stem}?{urlencode(query)}"
    except (ImportError, ValueError):  # without the app, or with a learner of one's own
        return ""
