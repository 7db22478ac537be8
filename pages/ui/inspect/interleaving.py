"""The verdicts and the step inspector of the interleaving view."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
import streamlit as st

from learners import Simulation
from learners.interleaving.metrics import LOSSES, TIES, WINS
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import STYLE, card, note, strip
from pages.ui.play.moment import Moment

MOST = 20  # documents of a list that are drawn
VERDICTS = {"better": "better than the fixed ranker", "worse": "worse than the fixed ranker"}
OUTCOMES = {1: "The learner wins this comparison.", -1: "The fixed ranker wins this comparison.", 0: "It is a tie."}


def verdicts(moment: Moment) -> None:
    """Show what all comparisons so far say of each learner."""

    if not moment.t:
        return
    rows = []
    for label, simulation in zip(moment.setup.labels(), moment.simulations, strict=True):
        v: Any = simulation.verdict()  # type: ignore[attr-defined]  # the lab makes comparisons
        interval = "" if np.isnan(v.share) else f"{v.share:.3f} ({v.low:.3f} to {v.high:.3f})"
        cells = (f"{v.wins:,}", f"{v.losses:,}", f"{v.ties:,}", interval, f"{v.p_value:.2g}")
        rows.append(
            f'<tr><td style="text-align:left">{html.escape(label)}</td>{"".join(f"<td>{cell}</td>" for cell in cells)}'
            f"<td><b>{VERDICTS.get(v.says, 'no difference found')}</b></td></tr>"
        )
    titles = (*(metric.id for metric in (WINS, LOSSES, TIES)), "share won (95 % interval)", "p, sign test", "")
    head = f'<th style="text-align:left">learner</th>{"".join(f"<th>{title}</th>" for title in titles)}'
    table = f'<table class="fl-table"><tr>{head}</tr>{"".join(rows)}</table>'
    text = (
        "All replicates are counted together. The verdict holds at the 5 % level for a single look at the end, not "
        "for a look after every step."
    )
    st.html(f'{STYLE}<div style="overflow-x:auto">{table}</div>{note(text)}')


def inspect(simulation: Simulation, replicate: int, look: Look) -> None:
    """Show the latest comparison of one replicate, the interleaved list with its rankers and the clicks."""
    trial = simulation.last
    if trial is None:
        st.caption("No step has been taken yet.")
        return
    r, n = replicate, int(trial.lengths[replicate])
    learners, clicks, grades = trial.mixed.teams[r][:n], trial.response.clicks[r][:n], trial.grades[r]
    top = max(float(grades.max()), 1.0)
    cards = [
        card(
            f"<b>d{document + 1}</b>", f"{i + 1}",
            ("learner" if learners[i] else "fixed") + ", clicked" * bool(clicks[i]),
            green=float(grades[document]) / top,
            line=look.colors[0] if learners[i] else look.colors[1],
        )
        for i, document in enumerate(trial.mixed.ranking[r][: min(n, MOST)])
    ]  # fmt: skip
    st.html(
        STYLE
        + note(
            f"Step {trial.t} mixes the two rankings of query {int(trial.query[r]) + 1} into one list. Below each "
            "document stands the ranker that put it there. The greener a document, the higher its grade."
        )
        + strip(cards)
        + note(
            f"The learner's documents got {int((clicks & learners).sum())} clicks and the fixed ranker's "
            f"{int((clicks & ~learners).sum())}. {OUTCOMES[int(trial.outcome[r])]}"
        )
    )
