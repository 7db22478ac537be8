"""The legend of charts: samples of curves with what they stand for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pages.ui.draw.charts import PATTERNS, Look


@dataclass(frozen=True)
class Entry:
    """An entry of the legend, a sample of the curve and its label, and what is said of it on hover.

    slot : the learner whose curves it stands for.
    """

    label: str
    color: str
    dash: str = "solid"
    width: float = 3
    help: str = ""
    slot: int | None = None


def legend(labels: Sequence[str], look: Look, bounds: Sequence[tuple[str, str]], thin: str = "") -> list[Entry]:
    """Return the legend of a race, each learner with its colour and dash and then the other kinds of lines.

    bounds : what close dots and wide dots stand for, in words, and the theorems behind it. thin : what thin lines
    stand for, where there are any.
    """
    entries = [Entry(label, look.colors[i], look.dashes[i], slot=i) for i, label in enumerate(labels)]
    if thin:
        entries.append(Entry(f"thin line: {thin}", look.text, width=1.2))
    for (words, theorems), dash in zip(bounds, ("dot", "wide"), strict=False):
        entries.append(Entry(words, look.text, dash, 1.4, theorems))
    return entries


def entries(legend: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return a legend for the browser."""
    return [{**vars(entry), "dash": PATTERNS[entry.dash]} for entry in legend]
