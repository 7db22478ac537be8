"""The step inspector of the bandit lab: one step, told line by line of the learner's algorithm."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
import streamlit as st

from learners import Simulation
from learners.classification.base import distribution
from learners.classification.environment import Step
from pages.ui.draw import pictures
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import STYLE, bars, inspector, note
from pages.ui.lab.race import Race

MOST = 24  # features, and classes, that are listed


def weights_at_a_glance(race: Race) -> None:
    """Where examples are images: the rows of W of every learner as pictures, for the first replicate."""
    assert race.setup is not None
    data = race.simulations[0].dataset
    if data.image_shape is None or not race.t or data.classes > MOST:
        return
    parts = []
    for label, simulation in zip(race.setup.labels(), race.simulations, strict=True):
        weights = simulation.learner.weights
        if weights is None:
            continue
        figures = "".join(
            f'<figure><img alt="weights of class {html.escape(name)}" '
            f'src="{pictures.signed(_centred(row).reshape(data.image_shape))}">{html.escape(name)}</figure>'
            for name, row in zip(data.names, weights[0], strict=True)
        )
        parts.append(f'{note(f"<b>{html.escape(label)}</b>")}<div class="fl-maps fl-small">{figures}</div>')
    st.html(
        f"{STYLE}{note('What each learner looks for in a class, in the first run: red pixels speak for it, blue ones against it (relative to the mean of the row).')}"
        + "".join(parts)
    )


def _centred(row: Any) -> Any:
    """Weights without their mean: those of multiplicative learners are all positive."""
    return row - row.mean() if row.min() >= 0 else row


class _Teller:
    """HTML for each phase of a step."""

    def __init__(self, simulation: Simulation, step: Step, r: int, look: Look) -> None:
        self.learner, self.data, self.step, self.r, self.look = simulation.learner, simulation.dataset, step, r, look
        self.names = self.data.names
        self.x = step.examples.dense(r, self.data.dimension)
        self.labels = np.atleast_1d(step.shown.label[r])
        self.predicted = np.atleast_1d(step.shown.predicted[r])
        self.scores = step.shown.scores[r]
        self.truth = int(step.truth[r])
        self.right = bool(np.any(step.right[r]))
        self.gamma = float(np.broadcast_to(step.shown.gamma, len(step.row))[r])
        self.told = self.learner.hears == "label"

    def observe(self) -> str:
        where = f"Step {self.step.t}: example {int(self.step.row[self.r]) + 1:,} of {self.data.examples:,}."
        if self.data.image_shape:
            picture = pictures.ink(np.maximum(self.x, 0).reshape(self.data.image_shape))
            return f'<div class="fl-maps"><figure><img alt="the example" src="{picture}"></figure></div>{note(where)}'
        there = np.flatnonzero(self.x)
        shown = "".join(f'<div class="fl-doc"><small>{j + 1}</small><b>{self.x[j]:.3g}</b></div>' for j in there[:MOST])
        more = f'<div class="fl-doc">+{len(there) - MOST}<small>more</small></div>' if len(there) > MOST else ""
        words = f"{where} Of its {self.data.dimension:,} features {len(there):,} are not 0; above each its number."
        return f'<div class="fl-strip">{shown}{more}</div>{note(words)}'

    def predict(self) -> str:
        order = np.argsort(-self.scores, kind="stable")[:MOST]
        order = np.sort(order) if self.data.classes <= MOST else order
        top = self.scores.max()
        near = 0 < top - self.scores.min() < 0.02 * abs(top)  # alike to the digits shown: told as differences
        rows = [
            (
                self.names[k],
                float(self.scores[k] - self.scores.min()),
                f"{self.scores[k]:.4g}" if not near else f"best − {top - self.scores[k]:.2g}",
                k in self.predicted,
            )
            for k in order
        ]
        what = "votes" if hasattr(self.learner, "active") else "score"
        best = ", ".join(html.escape(self.names[k]) for k in self.predicted)
        return bars(rows, self.look.colors[0]) + note(f"The {what} of each class. ŷ = <b>{best}</b> (bold).")

    def perturb(self) -> str:
        explored = bool(self.step.shown.explored[self.r])
        played = ", ".join(html.escape(self.names[k]) for k in self.labels)
        said = f"This time it {'explored' if explored else 'exploited'}: ỹ = <b>{played}</b>."
        if len(self.labels) > 1:
            return note(f"γ = {self.gamma:.3g}. {said}")
        p = distribution(int(self.predicted[0]), self.gamma, self.data.classes)
        order = np.arange(self.data.classes)
        if self.data.classes > MOST:
            order = np.sort(np.argsort(-p, kind="stable")[:MOST])
        rows = [(self.names[k], float(p[k]), f"{p[k]:.3f}", k in self.labels) for k in order]
        return bars(rows, self.look.colors[1]) + note(
            f"Chance of each label to be played; γ = {self.gamma:.3g}. The mass of exploiting stands on the predicted label. "
            f"{said}"
        )

    def feedback(self) -> str:
        several = len(self.labels) > 1
        played = ", ".join(
            html.escape(self.names[k]) + (" ✓" if several and k == self.truth else "") for k in self.labels
        )
        truth = html.escape(self.names[self.truth])
        if self.told:
            return note(f"It said <b>{played}</b> and is told the truth: <b>{truth}</b>.")
        mark = "✓ right" if self.right else "✗ wrong"
        hidden = "" if self.right else f" (The true class is {truth}; the learner is not told.)"
        return note(f"It played <b>{played}</b>: <b>{mark}</b>.{hidden}")

    def update(self) -> str:
        moved = [
            (int(label[self.r]), float(np.broadcast_to(c, len(self.step.row))[self.r])) for label, c in self.step.moves
        ]
        moved = [(k, c) for k, c in moved if c != 0]
        total: dict[int, float] = {}
        for k, c in moved:
            total[k] = total.get(k, 0.0) + c
        words = []
        if self.step.moves and self.right and not self.told and len(self.labels) == 1:
            p = distribution(int(self.predicted[0]), self.gamma, self.data.classes)[self.labels[0]]
            words.append(f"Importance weight 1/P(ỹ) = 1/{p:.4g} = <b>{1 / p:.4g}</b>.")
        if not total:
            if hasattr(self.learner, "active"):
                left = int(self.learner.active[self.r].sum())
                words.append(f"{left:,} of {self.learner.hypotheses:,} hypotheses are left.")
            else:
                words.append("No row moved.")
            return note(" ".join(words))
        what = self.learner.moved
        rows = ", ".join(f"{what} <b>{html.escape(self.names[k])}</b> {c:+.4g} · x" for k, c in total.items())
        words.append(f"Moved: {rows}.")
        return note(" ".join(words)) + self._pictures(total)

    def _pictures(self, total: dict[int, float]) -> str:
        weights = self.learner.weights
        if self.data.image_shape is None or weights is None:
            return ""
        figures = "".join(
            f'<figure><img alt="weights of class {html.escape(self.names[k])}" '
            f'src="{pictures.signed(_centred(weights[self.r, k]).reshape(self.data.image_shape))}">'
            f"{html.escape(self.names[k])}, after</figure>"
            for k in total
        )
        return f'<div class="fl-maps">{figures}</div>'

    def outcome(self) -> str:
        """What the step cost."""
        greedy = self.truth in self.predicted
        parts = [
            "right" if self.right else "a mistake",
            "the predicted label was " + ("right" if greedy else "wrong"),
            f"true class {html.escape(self.names[self.truth])}",
        ]
        return f'<p class="fl-note"><b>Outcome:</b> {" · ".join(parts)}</p>'


inspect = inspector(_Teller)
