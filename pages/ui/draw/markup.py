"""What the step inspectors have in common: their look, and the telling of a step line by line of an algorithm."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.ui.draw.charts import Look

STYLE = """<style>
.fl-strip { display: flex; flex-wrap: wrap; gap: .3rem; align-items: stretch; }
.fl-doc { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; min-width: 2.9rem;
  padding: .15rem .3rem .25rem; text-align: center; font-size: .82rem; line-height: 1.25; }
.fl-doc small { opacity: .7; font-size: .7rem; display: block; }
.fl-doc img { width: 2.2rem; height: 2.2rem; image-rendering: pixelated; display: block; margin: 0 auto;
  border-radius: 2px; }
.fl-doc b { font-weight: 600; }
.fl-doc.relevant { background: color-mix(in srgb, #009E73 var(--share), transparent); }
.fl-doc.moved { outline: 2px solid #D55E00; outline-offset: -1px; }
.fl-note { font-size: .85rem; opacity: .9; margin: .4rem 0 .5rem; }
.fl-maps { display: flex; flex-wrap: wrap; gap: 1.2rem; }
.fl-maps figure { margin: 0; text-align: center; font-size: .82rem; }
.fl-maps img { width: 7rem; height: 7rem; image-rendering: pixelated; border-radius: 4px; display: block; }
.fl-table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
.fl-table th, .fl-table td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid
  color-mix(in srgb, currentColor 18%, transparent); }
.fl-bars { display: grid; grid-template-columns: max-content minmax(4rem, 20rem) max-content; gap: .12rem .6rem;
  align-items: center; font-size: .85rem; font-variant-numeric: tabular-nums; }
.fl-bars i { display: block; height: .8rem; border-radius: 2px; background: var(--color); width: var(--share);
  min-width: 1px; }
.fl-bars b { font-weight: 600; }
[data-testid=stExpander] [data-testid=stMarkdownContainer] p { overflow-x: auto; overflow-y: hidden; }
.fl-small img { width: 3.1rem; height: 3.1rem; }
</style>"""


def note(text: str) -> str:
    """A remark below a line of the algorithm."""
    return f'<p class="fl-note">{text}</p>'


def bars(rows: Sequence[tuple[str, float, str, bool]], color: str) -> str:
    """Horizontal bars: a label, a value, the words beside it, and whether the label stands out.

    The longest bar fills the width; negative values have none.
    """
    top = max((abs(value) for _, value, _, _ in rows), default=0.0) or 1.0
    cells = []
    for label, value, words, strong in rows:
        name = f"<b>{html.escape(label)}</b>" if strong else html.escape(label)
        share = 100 * max(value, 0.0) / top
        cells.append(
            f'<span>{name}</span><span><i style="--share:{share:.1f}%;--color:{color}"></i></span>'
            f"<span>{html.escape(words)}</span>"
        )
    return f'<div class="fl-bars">{"".join(cells)}</div>'


def inspector(teller: Callable[[Any, Any, int, Look], Any]) -> Callable[[Any, int, Look], None]:
    """What draws the latest step of one replicate of a simulation, as a lab wants it.

    teller : made of simulation, step, replicate and look; it has a method for each phase of a step, and `outcome`. Of
    lines of the same phase that stand together the last is followed by what happened.
    """

    def inspect(simulation: Any, replicate: int, look: Look) -> None:
        if simulation.last is None:
            st.caption("No step has been taken yet.")
            return
        telling, lines = teller(simulation, simulation.last, replicate, look), simulation.learner.lines
        st.html(STYLE)
        for number, (line, following) in enumerate(zip(lines, [*lines[1:], None], strict=True), start=1):
            st.markdown(f":gray-badge[line {number}] {line.text}")
            told = "" if following and following.phase == line.phase else getattr(telling, line.phase, str)()
            if told:
                st.html(told)
        st.html(telling.outcome())

    return inspect
