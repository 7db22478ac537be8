"""The picture of the interleaving lab."""

import numpy as np

from learners.interleaving.metrics import LOSSES, TIES, WINS
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import note
from pages.ui.plain import Html, for_html
from pages.ui.race.charts import ChartSpec
from pages.ui.race.moment import Moment

SAYS = {"better": "better than the fixed ranker", "worse": "worse than the fixed ranker"}


def verdicts(moment: Moment, look: Look) -> Html:
    """Write what all comparisons so far say of each learner, as a table."""
    rows = []
    for label, simulation in zip(moment.setup.labels(), moment.simulations, strict=True):
        v = simulation.verdict()  # type: ignore[attr-defined]  # the lab makes comparisons
        share = "–" if np.isnan(v.share) else f"{v.share:.3f} ({v.low:.3f} to {v.high:.3f})"
        says = SAYS.get(v.says, "no difference found") if moment.t else "nothing compared yet"
        cells = (f"{v.wins:,}", f"{v.losses:,}", f"{v.ties:,}", share, f"{v.p_value:.2g}", f"<b>{says}</b>")
        name = f'<td style="text-align:left">{for_html(label)}</td>'
        rows.append(f"<tr>{name}{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    titles = (*(metric.id for metric in (WINS, LOSSES, TIES)), "share won (95 % interval)", "p, sign test", "verdict")
    head = f'<th style="text-align:left">learner</th>{"".join(f"<th>{title}</th>" for title in titles)}'
    table = f'<table class="fl-table" style="white-space:nowrap"><tr>{head}</tr>{"".join(rows)}</table>'
    text = "The verdict holds at the 5 % level for a single look at the end, not for a look after every step."
    return f'<div style="overflow-x:auto">{table}</div>{note(text)}'


PICTURES = (
    ChartSpec(
        "verdicts", "Verdicts (all replicates together)",
        "How many comparisons each learner has won, lost and tied against the fixed ranker so far, its share of those "
        "decided with Wilson's interval, and the p-value of the sign test of no difference.",
        write=verdicts, wide=True,
    ),
)  # fmt: skip
