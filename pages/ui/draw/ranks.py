"""A diagram of mean ranks as SVG: learners stand at their ranks, and a bar joins those that cannot be told apart."""

from __future__ import annotations

import html

from learners.compare import Compared
from pages.ui.draw.charts import Look, shortened
from pages.ui.draw.svg import GRID, LETTERS, TEXT, image, text

WIDE, MARGIN, ROW, GAP = 1080, 350, 36, 16  # MARGIN : room of the names on each side of the axis
AXIS, NAME = 84, 21  # where the axis lies, and letters of a name


def diagram(found: Compared, look: Look | None = None) -> str:
    """Return the diagram of learners that were compared. look : colours, without which those of a light page stand.

    Where nothing can be told, one bar joins all, and where it was not asked the sentence stands in place of the axis.
    """
    look = look or Look()
    k = len(found.names)
    half = (k + 1) // 2
    title = f"Mean ranks over {found.seeds} seeds"
    if not found.seeds:
        return _colored(image(text(10, 40, "no seed has ended"), title, WIDE, 60), look)

    def at(rank: float) -> int:
        return round(MARGIN + (rank - 1) / (k - 1) * (WIDE - 2 * MARGIN))

    groups = found.groups if not found.problem else (found.names,)
    below = AXIS + 24 + GAP * len(groups)
    lines = [f"M{MARGIN} {AXIS}H{WIDE - MARGIN}", *(f"M{at(i)} {AXIS}v-12" for i in range(1, k + 1))]
    parts = [text(10, 28, f"mean rank over {found.seeds} seeds; 1 is best", soft=True)]
    parts += [text(at(i), AXIS - 18, str(i), "middle") for i in range(1, k + 1)]
    place = dict(zip(found.names, found.ranks, strict=True))
    for i, (name, rank) in enumerate(place.items()):
        left = i < half
        y = below + 18 + ROW * (i if left else k - 1 - i)
        lines.append(f"M{at(rank)} {AXIS}V{y}H{MARGIN - 14 if left else WIDE - MARGIN + 14}")
        said = f"{html.escape(shortened(name, NAME))} {rank:.2f}"
        parts.append(text(MARGIN - 22 if left else WIDE - MARGIN + 22, y + 8, said, "end" if left else ""))
    bars = "".join(
        f"M{at(place[group[0]]) - 8} {AXIS + 18 + GAP * i}H{at(place[group[-1]]) + 8}" for i, group in enumerate(groups)
    )
    high = below + 8 + ROW * half
    content = f'<path d="{"".join(lines)}" stroke="{TEXT}" stroke-width="2.5"/>'
    content += f'<path d="{bars}" stroke="{TEXT}" stroke-width="8"/>' if bars else ""
    content += f'<g fill="{TEXT}" font-size="{LETTERS}" font-family="Helvetica, Arial, sans-serif">{"".join(parts)}</g>'
    return _colored(image(content, title, WIDE, high, ' role="img"'), look)


def _colored(made: str, look: Look) -> str:
    return made.replace(TEXT, look.text).replace(GRID, look.grid)
