"""The changes by the clicks, as HTML: weights in words, and wins with their intervals."""

import html
from collections.abc import Mapping, Sequence
from pathlib import Path

from learners.interleaving.verdict import Verdict
from pages.ui.plain import Html, Ours
from pages.ui.race.words import count
from pages.ui.search import words

CSS = (Path(__file__).parent / "js" / "learned.css").read_text("utf-8")


def steps(what: str, purpose: str, standing: Html) -> Html:
    """Return a line that says which search this is and what it is for, with the `score` beside it, as HTML."""
    return (
        f'<style>{CSS}</style><div class="fl-step"><span><b>{html.escape(what)}</b> <small>{html.escape(purpose)}'
        f"</small></span>{standing}</div>"
    )


def score(titles: Sequence[str], sides: Mapping[str, Sequence[Verdict]], colors: Sequence[Ours]) -> Html:
    """Return how often each learner has won and lost, in a line for each side.

    sides : verdicts on the learners, by whose searches they come from.
    """
    lines = []
    for side, verdicts in sides.items():
        if not any(v.wins + v.losses + v.ties for v in verdicts) and len(sides) > 1:
            continue
        pairs = "".join(
            f'<span style="--own:{color}"><i></i>{html.escape(title)} {v.wins} : {v.losses}</span>'
            for title, v, color in zip(titles, verdicts, colors, strict=False)
        )
        lines.append(f'<span class="fl-score"><small>{html.escape(side)}, wins : losses</small>{pairs}</span>')
    return f'<span title="Searches won and lost against the ranker tuned by hand">{"".join(lines)}</span>'


def introduction(colors: Sequence[Ours]) -> Html:
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


def weights(rows: Sequence[tuple[str, Sequence[float]]], titles: Sequence[str], colors: Sequence[Ours]) -> Html:
    """Return a table of bars, to the right for weights that grew and to the left for those that fell.

    rows : what a feature says, and by how much its weight has moved in each learner. titles, colors : of the learners.
    """
    top = max((abs(value) for _, values in rows for value in values), default=0.0) or 1.0
    cells = ["<span></span>", *(f"<b>{html.escape(title)}</b>" for title in titles)]
    for feature, values in rows:
        cells.append(f"<span>{html.escape(feature)}</span>")
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


def _signed(value: float) -> Html:
    return Html("0" if abs(value) < 0.005 else f"{value:+.2f}".replace("-", "−"))


def scoreboard(titles: Sequence[str], sides: Mapping[str, Sequence[Verdict]], colors: Sequence[Ours]) -> Html:
    """Return a table with a row for each learner and a column for each side: wins and losses, their share, a verdict.

    sides : verdicts on the learners, by whose searches they come from.
    """
    cells = ["<span></span>", *(f"<strong>{html.escape(side)}</strong>" for side in sides)]
    for i, (title, color) in enumerate(zip(titles, colors, strict=False)):
        cells.append(f'<b style="--own:{color}"><i></i>{html.escape(title)}</b>')
        for side, verdicts in sides.items():
            v, marks = verdicts[i], ""
            ties = f" ({count(v.ties, 'tie')})" if v.ties else ""
            said = f"{v.wins} won, {v.losses} lost{ties}"
            if v.wins + v.losses:
                low, high, share = (100 * value for value in (v.low, v.high, v.share))
                said += f"; {share:.0f} % of the decided comparisons, interval from {low:.0f} to {high:.0f} %"
                marks = f'<i style="--from:{low:.1f}%;--long:{high - low:.1f}%"></i><u style="--at:{share:.1f}%"></u>'
            label = html.escape(f"{title}, {side.lower()}: {said}")
            cells.append(
                f'<span class="fl-side" style="--own:{color}"><b>{v.wins} : {v.losses}</b>'
                f'<span class="fl-interval" role="img" aria-label="{label}" title="{label}">{marks}</span>'
                f"<small>{html.escape(words.wins(v).capitalize())}</small></span>"
            )
    axis = "<span class='fl-axis'><span>hand-tuned preferred</span><span>learner preferred</span></span>"
    columns = f'style="--sides:{len(sides)}"'
    return f'<style>{CSS}</style><div class="fl-wins" {columns}>{"".join(cells)}<span></span>{axis * len(sides)}</div>'
