"""The interleaving view: its charts, its verdict, and its step inspector."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
import streamlit as st

from learners import Simulation
from learners.interleaving import Trial
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import STYLE, note
from pages.ui.lab.race import Race

MOST = 20  # documents of a list that are drawn


def verdicts(race: Race) -> None:
    """What all comparisons so far say of each learner."""
    assert race.setup is not None
    if not race.t:
        return
    rows = []
    for label, simulation in zip(race.setup.labels(), race.simulations, strict=True):
        v: Any = simulation.verdict()  # type: ignore[attr-defined]  # the lab makes comparisons
        words = {"better": "better than the fixed ranker", "worse": "worse than it"}.get(v.says, "no difference found")
        interval = "" if np.isnan(v.share) else f"{v.share:.3f} ({v.low:.3f} to {v.high:.3f})"
        rows.append(
            f'<tr><td style="text-align:left">{html.escape(label)}</td><td>{v.wins:,}</td><td>{v.losses:,}</td><td>{v.ties:,}</td>'
            f"<td>{interval}</td><td>{v.p_value:.2g}</td><td><b>{words}</b></td></tr>"
        )
    st.html(
        f'{STYLE}<div style="overflow-x:auto"><table class="fl-table"><tr><th style="text-align:left">learner</th><th>wins</th>'
        "<th>losses</th><th>ties</th><th>share won (95 % interval)</th><th>p, sign test</th><th></th></tr>"
        f"{''.join(rows)}</table></div>"
        + note(
            "All replicates together. The verdict holds at the 5 % level for one look at the end, not for a look after "
            "each step."
        )
    )


def inspect(simulation: Simulation, replicate: int, look: Look) -> None:
    """The latest comparison of one replicate: the interleaved list, whose documents they are, and the clicks."""
    trial: Trial | None = simulation.last
    if trial is None:
        st.caption("No step has been taken yet.")
        return
    r, n = replicate, int(trial.lengths[replicate])
    assert trial.response.clicks is not None
    teams, clicks = trial.mixed.teams[r][:n], trial.response.clicks[r][:n]
    grades = trial.grades[r]
    top = max(float(grades.max()), 1.0)
    cards = []
    for i, document in enumerate(trial.mixed.ranking[r][:n][:MOST]):
        color = look.colors[0] if teams[i] else look.colors[1]
        relevant = "relevant" if grades[document] > 0 else ""
        cards.append(
            f'<div class="fl-doc {relevant}" style="--share:{round(55 * float(grades[document]) / top)}%;'
            f'border-bottom:4px solid {color}"><small>{i + 1}</small><b>d{document + 1}</b>'
            f"<small>{'learner' if teams[i] else 'fixed'}{' 👆' if clicks[i] else ''}</small></div>"
        )
    won = {1: "The learner wins this comparison.", -1: "The fixed ranker wins it.", 0: "A tie."}[int(trial.outcome[r])]
    st.html(
        f"{STYLE}{note(f'Step {trial.t}: the two rankings of query {int(trial.query[r]) + 1} as one list; below each document who put it there. The greener, the higher its grade.')}"
        f'<div class="fl-strip">{"".join(cards)}</div>'
        + note(
            f"Clicks on the learner's documents: {int((clicks & teams).sum())}; on the fixed ranker's: "
            f"{int((clicks & ~teams).sum())}. {won}"
        )
    )
