"""A diagram of mean ranks as SVG: learners stand at their ranks, and a bar joins those that cannot be told apart."""

import html

from learners.compare import Compared
from pages.ui.draw.charts import Look, shortened
from pages.ui.draw.svg import GRID, LETTERS, TEXT, address, image, text
from pages.ui.plain import Html

SPAN, STEP, ROW, GAP = 300, 36, 36, 16  # SPAN, STEP : least length of the axis, in all and between two ranks
AXIS, NAME = 84, 21  # where the axis lies, and letters of a name
LETTER, EMPTY = 12, 500  # the mean width of a letter, and the width without an axis


def diagram(found: Compared) -> Html:
    """Return the diagram of learners that were compared, as wide as their names need, for a light page.

    Where nothing can be told, one bar joins all, and where it was not asked the sentence stands in place of the axis.
    """
    return _drawn(found, Look())[0]


def shown(found: Compared, look: Look) -> Html:
    """Return the diagram as an image for `st.html`, which takes no SVG; as narrow on a phone as it can be read."""
    made, wide = _drawn(found, look)
    size = f"width: {wide * 2 // 3}px; max-width: 100%; min-width: {wide * 11 // 24}px"
    return Html(f'<img alt="Mean ranks" style="{size}" src="{address(made)}">')


def _drawn(found: Compared, look: Look) -> tuple[Html, int]:
    """Return the diagram and its width."""
    k = len(found.names)
    half = (k + 1) // 2
    title = f"Mean ranks over {found.seeds} seeds"
    if not found.seeds:
        return _colored(image(text(10, 40, "no seed has ended"), title, EMPTY, 60), look), EMPTY
    place = dict(zip(found.names, found.ranks, strict=True))
    said = [f"{shortened(name, NAME)} {rank:.2f}" for name, rank in place.items()]
    margin = 34 + LETTER * max(map(len, said))  # room of the names on each side of the axis
    wide = 2 * margin + max(SPAN, STEP * (k - 1))

    def at(rank: float) -> int:
        return round(margin + (rank - 1) / (k - 1) * (wide - 2 * margin))

    groups = found.groups if not found.problem else (found.names,)
    below = AXIS + 24 + GAP * len(groups)
    lines = [f"M{margin} {AXIS}H{wide - margin}", *(f"M{at(i)} {AXIS}v-12" for i in range(1, k + 1))]
    parts = [text(10, 28, f"mean rank over {found.seeds} seeds; 1 is best", soft=True)]
    parts += [text(at(i), AXIS - 18, str(i), "middle") for i in range(1, k + 1)]
    for i, rank in enumerate(found.ranks):
        left = i < half
        y = below + 18 + ROW * (i if left else k - 1 - i)
        lines.append(f"M{at(rank)} {AXIS}V{y}H{margin - 14 if left else wide - margin + 14}")
        x, anchor = (margin - 22, "end") if left else (wide - margin + 22, "")
        parts.append(text(x, y + 8, html.escape(said[i]), anchor))
    bars = dots = ""
    for i, group in enumerate(groups):
        level, (first, *_, last) = AXIS + 18 + GAP * i, (at(place[name]) for name in group)
        bars += f"M{first - 8} {level}H{last + 8}"
        if len(group) <= found.names.index(group[-1]) - found.names.index(group[0]):  # it passes over another
            dots += "".join(f"M{at(place[name])} {level}h0" for name in group)
    high = below + 8 + ROW * half
    content = f'<path d="{"".join(lines)}" stroke="{TEXT}" stroke-width="2.5"/>'
    if bars:
        content += f'<path d="{bars}" stroke="{TEXT}" stroke-width="8"/>'
    if dots:
        content += f'<path d="{dots}" stroke="{TEXT}" stroke-width="14" stroke-linecap="round"/>'
    content += f'<g fill="{TEXT}" font-size="{LETTERS}" font-family="Helvetica, Arial, sans-serif">{"".join(parts)}</g>'
    return _colored(image(content, title, wide, high), look), wide


def _colored(made: Html, look: Look) -> Html:
    return Html(made.replace(TEXT, look.text).replace(GRID, look.grid))
