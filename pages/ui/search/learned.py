"""What the clicks have changed, as HTML: weights in words, and wins with their intervals."""

from __future__ import annotations

import html
from collections.abc import Sequence

from learners.interleaving.verdict import Verdict

CSS = """
.fl-step { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; align-items: baseline; justify-content: flex-end; }
.fl-step b { font-weight: 600; }
.fl-step small { opacity: .85; font-size: .9rem; }
.fl-score { display: flex; gap: 1rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.fl-score i { display: inline-block; width: .6em; height: .6em; border-radius: 50%; background: var(--own);
  margin-right: .35em; }
.fl-intro { display: grid; gap: .8rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); }
.fl-intro p { margin: 0; border-left: 3px solid var(--own, currentColor); padding: .1rem 0 .1rem .8rem;
  line-height: 1.5; }
.fl-weights { display: grid; grid-template-columns: minmax(9rem, 1.6fr) repeat(2, minmax(5rem, 1fr)); gap: .1rem .9rem;
  font-size: .86rem; line-height: 1.3; align-items: center; }
.fl-weights b { font-weight: 600; text-align: center; }
.fl-weights span:nth-child(3n + 1) { padding: .1rem 0; }
.fl-way { position: relative; display: block; height: 1.15rem; }
.fl-way::before { content: ""; position: absolute; left: 50%; top: -.1rem; bottom: -.1rem; width: 1px;
  background: currentColor; opacity: .4; }
.fl-way i { position: absolute; top: .15rem; height: .85rem; border-radius: 2px; background: var(--own);
  left: var(--from); width: var(--long); min-width: 1px; }
.fl-way small { position: absolute; font-size: .75rem; font-variant-numeric: tabular-nums; opacity: .85; }
@media (max-width: 640px) {
  .fl-way small { display: none; }
  .fl-step { justify-content: flex-start !important; }
}
.fl-wins { display: grid; grid-template-columns: max-content minmax(8rem, 1fr); gap: .2rem .9rem; align-items: center;
  font-size: .9rem; margin-bottom: .3rem; }
.fl-share { position: relative; display: block; height: 1.6rem; border-radius: .3rem;
  background: color-mix(in srgb, currentColor 8%, transparent); }
.fl-share::before { content: ""; position: absolute; left: 50%; top: -.15rem; bottom: -.15rem;
  border-left: 2px dashed currentColor; opacity: .55; }
.fl-share i { position: absolute; top: .55rem; height: .5rem; border-radius: .25rem; background: var(--own);
  opacity: .45; left: var(--from); width: var(--long); }
.fl-share u { position: absolute; left: var(--at); top: .3rem; width: 1rem; height: 1rem; margin-left: -.5rem;
  border-radius: 50%; background: var(--own); }
.fl-axis { display: flex; justify-content: space-between; font-size: .78rem; opacity: .85; }
"""


def steps(what: str, purpose: str, rows: Sequence[tuple[str, Verdict]], colors: Sequence[str]) -> str:
    """Return a line that says which search this is, what it is for, and how often each learner has won and lost."""
    score = "".join(
        f'<span style="--own:{color}"><i></i>{html.escape(title)} {verdict.wins} : {verdict.losses}</span>'
        for (title, verdict), color in zip(rows, colors, strict=False)
    )
    return (
        f'<style>{CSS}</style><div class="fl-step"><span><b>{html.escape(what)}</b> <small>{html.escape(purpose)}'
        f'</small></span><span class="fl-score" title="Searches won and lost against the ranker tuned by hand">'
        f"<small>won : lost</small>{score}"
        "</span></div>"
    )


def introduction(colors: Sequence[str]) -> str:
    """Return what happens on the page, before anybody has searched."""
    learners = (
        ("Perceptron", "shows the order that it believes best. It moves whatever you click to the top."),
        ("3PR", "lets coins swap neighbours before it shows its list. Only where you pass over the upper of two for "
                "the lower does it learn."),
    )  # fmt: skip
    cards = "".join(
        f'<p style="--own:{color}"><b>{name}</b> {text}</p>'
        for (name, text), color in zip(learners, colors, strict=False)
    )
    return (
        f'<style>{CSS}</style><div class="fl-intro">{cards}<p><b>Every other search</b> is a blind test. One list '
        "mixes a learner’s results with those of a ranker tuned by hand. Your clicks decide who wins.</p></div>"
    )


def weights(rows: Sequence[tuple[str, Sequence[float]]], titles: Sequence[str], colors: Sequence[str]) -> str:
    """Return a table of bars, to the right for weights that grew and to the left for those that fell.

    rows : what a feature says, and by how much its weight has moved in each learner. titles, colors : of the learners.
    """
    top = max((abs(value) for _, values in rows for value in values), default=0.0) or 1.0
    cells = ["<span></span>", *(f"<b>{html.escape(title)}</b>" for title in titles)]
    for words, values in rows:
        cells.append(f"<span>{html.escape(words)}</span>")
        for value, color in zip(values, colors, strict=False):
            long, up = 36 * abs(value) / top, value >= 0  # per cent of the cell; the rest is for the number
            bar = "<i></i>" if abs(value) >= 0.005 else ""
            start, beside = (50, f"left:calc({50 + long:.1f}% + .3rem)") if up else (50 - long, "")
            beside = beside or f"right:calc({50 + long:.1f}% + .3rem)"
            cells.append(
                f'<span class="fl-way" style="--own:{color};--from:{start:.1f}%;--long:{long:.1f}%">{bar}'
                f'<small style="{beside}">{_signed(value)}</small></span>'
            )
    return f'<style>{CSS}</style><div class="fl-weights">{"".join(cells)}</div>'


def _signed(value: float) -> str:
    return "0" if abs(value) < 0.005 else f"{value:+.2f}".replace("-", "−")


def wins(rows: Sequence[tuple[str, Verdict]], colors: Sequence[str]) -> str:
    """Return for each learner the share of its wins with the interval, on a line from 0 to 100 %."""
    cells = []
    for (title, verdict), color in zip(rows, colors, strict=False):
        marks, said = "", "nothing decided yet"
        if verdict.wins + verdict.losses:
            low, high, share = (100 * value for value in (verdict.low, verdict.high, verdict.share))
            said = f"{share:.0f} % of the decided comparisons won, interval from {low:.0f} to {high:.0f} %"
            marks = f'<i style="--from:{low:.1f}%;--long:{high - low:.1f}%"></i><u style="--at:{share:.1f}%"></u>'
        cells.append(
            f"<b>{html.escape(title)} {verdict.wins} : {verdict.losses}</b>"
            f'<span class="fl-share" role="img" aria-label="{html.escape(f"{title}: {said}")}" title="{said}" '
            f'style="--own:{color}">{marks}</span>'
        )
    axis = "<span></span><span class='fl-axis'><span>hand-tuned preferred</span><span>learner preferred</span></span>"
    return f'<style>{CSS}</style><div class="fl-wins">{"".join(cells)}{axis}</div>'
