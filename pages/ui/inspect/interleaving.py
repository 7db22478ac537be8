"""The step inspector of the interleaving view."""

from __future__ import annotations

import streamlit as st

from learners import Simulation
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import STYLE, card, note, strip

MOST = 20  # documents of a list that are drawn
OUTCOMES = {1: "The learner wins this comparison.", -1: "The fixed ranker wins this comparison.", 0: "It is a tie."}


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
