"""Curves over the positions of a ranking, and bars side by side for each learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.ui.draw.charts import DASHES, Axis, Look, axis_of, rgba, ribbon, words
from pages.ui.draw.planes import shortened

Array = NDArray[Any]


@dataclass(frozen=True)
class Ladder:
    """Values (positions, R) at the positions 1, 2, … of a ranking; faint ones are drawn thin and without a band."""

    label: str
    slot: int
    values: Array
    faint: bool = False


@dataclass(frozen=True)
class Bar:
    """One bar: what stands below it, its height, the words on hover; shade from 0 on makes it darker."""

    label: str
    value: float
    words: str
    shade: float | None = None


def ladders(found: Sequence[Ladder], x_title: str, look: Look, height: int) -> dict[str, Any]:
    """Means with standard errors over the positions of a ranking."""
    traces: list[dict[str, Any]] = []
    for ladder in found:
        color, dash = look.colors[ladder.slot % 4], DASHES[ladder.slot % 4]
        x, mean = np.arange(1, len(ladder.values) + 1), ladder.values.mean(axis=1)
        runs = ladder.values.shape[1]
        if runs > 1 and not ladder.faint:
            error = ladder.values.std(axis=1, ddof=1) / np.sqrt(runs)
            traces.append(ribbon(x, mean - error, mean + error, color, y_log=False))
        traces.append(
            {
                "type": "scatter", "mode": "lines" if ladder.faint else "lines+markers", "x": x, "y": mean,
                "name": ladder.label, "showlegend": False, "marker": {"size": 5, "color": color},
                "line": {"color": color, "dash": dash, "width": 1.1 if ladder.faint else 2.2},
                "hovertemplate": f"%{{y:.3f}}<extra>{ladder.label}</extra>",
            }
        )  # fmt: skip
    layout = {
        "height": height, "margin": {"l": 46, "r": 10, "t": 8, "b": 34}, "hovermode": "x unified", "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "dragmode": "zoom",
        "font": {"color": look.text, "size": 12}, "hoverlabel": {"font": {"size": 12}, "namelength": -1},
        "xaxis": axis_of(look, {"title": {"text": x_title, "standoff": 4}, "nticks": 12}),
        "yaxis": axis_of(look, {"nticks": 6}),
    }  # fmt: skip
    if not found:
        layout["annotations"] = [words(Axis.empty, look)]
        layout["xaxis"] |= {"range": [0.5, 10.5]}
        layout["yaxis"] |= {"range": [0, 1]}
    return {"data": traces, "layout": layout}


def bar_panels(
    panels: Sequence[tuple[str, int, Sequence[Bar]]], look: Look, height: int, x_title: str, later: str, t: int
) -> dict[str, Any]:
    """Bars of each learner in a panel of its own, side by side.

    panels : name, slot and bars of each. later : what is said where there are none after t steps.
    """
    layout: dict[str, Any] = {
        "height": height, "margin": {"l": 46, "r": 10, "t": 24, "b": 38}, "showlegend": False, "bargap": 0.2,
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "font": {"color": look.text, "size": 12},
        "dragmode": False, "annotations": [],
    }  # fmt: skip
    if not panels:
        hidden = {"visible": False}
        said = [words(later if t else Axis.empty, look)]
        return {"data": [], "layout": layout | {"annotations": said, "xaxis": hidden, "yaxis": hidden}}
    traces = []
    for i, (title, slot, bars) in enumerate(panels):
        suffix = "" if i == 0 else str(i + 1)
        left, right = i / len(panels) + 0.04 * (i > 0), (i + 1) / len(panels)
        color = look.colors[slot % 4]
        shades = [b.shade for b in bars if b.shade is not None]
        most = max(shades, default=0) or 1
        traces.append(
            {
                "type": "bar", "x": list(range(len(bars))), "y": [b.value for b in bars],
                "text": [b.words for b in bars], "textposition": "none", "hovertemplate": "%{text}<extra></extra>",
                "marker": {"color": [rgba(color, 1 if b.shade is None else 0.25 + 0.75 * b.shade / most) for b in bars]},
                "xaxis": "x" + suffix, "yaxis": "y" + suffix,
            }
        )  # fmt: skip
        every = max(1, -(-len(bars) * len(panels) // 24))
        places = list(range(0, len(bars), every))
        layout["xaxis" + suffix] = axis_of(
            look,
            {"domain": [left, right], "anchor": "y" + suffix, "tickvals": places, "fixedrange": True, "showgrid": False,
             "ticktext": [bars[k].label for k in places], "title": {"text": x_title, "standoff": 4}},
        )  # fmt: skip
        layout["yaxis" + suffix] = axis_of(look, {"anchor": "x" + suffix, "nticks": 5, "fixedrange": True})
        room = int(70 / len(panels))
        layout["annotations"].append(
            {"text": shortened(title, room), "showarrow": False, "xref": "paper",
             "yref": "paper", "x": left, "y": 1, "xanchor": "left", "yanchor": "bottom",
             "font": {"size": 11, "color": color}}
        )  # fmt: skip
    return {"data": traces, "layout": layout}
