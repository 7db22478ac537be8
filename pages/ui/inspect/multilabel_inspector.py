"""The step inspector of the multilabel lab: one step, told line by line of the learner's algorithm."""

from __future__ import annotations

import html

import numpy as np

from learners import Simulation
from learners.multilabel.environment import Step
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import inspector, note

MOST = 24  # labels that are listed, and features


class _Teller:
    """HTML for each phase of a step."""

    def __init__(self, simulation: Simulation, step: Step, r: int, look: Look) -> None:
        self.learner, self.data, self.step, self.r, self.look = simulation.learner, simulation.dataset, step, r, look
        self.names = self.data.names
        shown = step.shown
        self.order, self.size = shown.order[r], int(shown.size[r])
        self.played = self.order[: self.size]
        self.truth, self.right = step.truth[r], step.right[r]

    def observe(self) -> str:
        x = self.step.features[self.r]
        largest = np.sort(np.argsort(-np.abs(x), kind="stable")[:MOST])
        cells = "".join(f'<div class="fl-doc"><small>{j + 1}</small><b>{x[j]:.2g}</b></div>' for j in largest)
        some = f"; the {MOST} largest are shown" if len(x) > MOST else ""
        words = f"Step {self.step.t}: example {int(self.step.row[self.r]) + 1:,} of {self.data.examples:,}, {len(x)} features{some}."
        return f'<div class="fl-strip">{cells}</div>{note(words)}'

    def predict(self) -> str:
        if self.learner.weights is None:
            return note(
                f"It shows <b>{self.size}</b> of at most {self._cap()} labels; it has no opinion on any of them."
            )
        listed = list(self.order[: max(self.size, min(MOST, len(self.order)))])
        shown = self.step.shown
        known = self.step.probabilities
        head = "<tr><th></th><th>label</th>"
        columns = [("estimate", shown.estimate[self.r])]
        if shown.width is not None:
            columns += [("width ε", shown.width[self.r]), ("upper confidence p̂", shown.probability[self.r])]
        if known is not None:
            columns.append(("true probability", known[self.r]))
        head += "".join(f"<th>{name}</th>" for name, _ in columns) + "<th></th></tr>"
        rows = []
        for place, k in enumerate(listed):
            numbers = "".join(f"<td>{values[k]:.3f}</td>" for _, values in columns)
            line = "border-bottom: 2px solid currentColor;" if place + 1 == self.size < len(listed) else ""
            mark = "shown" if place < self.size else ""
            rows.append(
                f'<tr style="{line}"><td>{place + 1}</td><td style="text-align:left">{html.escape(self.names[k])}</td>'
                f"{numbers}<td>{mark}</td></tr>"
            )
        more = f" ({len(self.order) - len(listed)} more labels below)" if len(self.order) > len(listed) else ""
        return f'<div style="overflow-x:auto"><table class="fl-table">{head}{"".join(rows)}</table></div>' + note(
            f"The labels by falling score; the first <b>{self.size}</b> of at most {self._cap()} are shown{more}."
        )

    def _cap(self) -> int:
        return int(np.broadcast_to(self.learner.size, len(self.step.row))[self.r])

    def feedback(self) -> str:
        cards = []
        for place, k in enumerate(self.played):
            right = bool(self.truth[k])
            css = "relevant" if right else ""
            cards.append(
                f'<div class="fl-doc {css}" style="--share:45%"><small>{place + 1}</small><b>{html.escape(self.names[k])}</b>'
                f"<small>{'✓ right' if right else '✗ wrong'}</small></div>"
            )
        missed = [self.names[k] for k in np.flatnonzero(self.truth) if k not in set(self.played.tolist())]
        told = {
            "shown": "it hears of those shown only",
            "labels": "it is told of these too",
            "nothing": "it hears nothing",
        }[self.learner.hears]
        words = "No label was shown." if not len(self.played) else ""
        if missed:
            names = ", ".join(html.escape(name) for name in missed[:MOST]) + (" …" if len(missed) > MOST else "")
            words += f" Right but not shown ({told}): {names}."
        elif len(self.played):
            words += "No right label was missed."
        return f'<div class="fl-strip">{"".join(cards)}</div>{note(words.strip())}'

    def update(self) -> str:
        heard = self.data.classes if self.learner.hears == "labels" else len(self.played)
        if self.learner.hears == "nothing" or not heard:
            return note("Nothing was heard, so nothing is learned.") if self.learner.hears != "nothing" else ""
        up = int(self.truth.sum()) if self.learner.hears == "labels" else int(self.right.sum())
        return note(
            f"{heard} label{'s' * (heard != 1)} updated: {up} raised on examples like this one, {heard - up} lowered; of these "
            "the learner is now more certain here."
        )

    def outcome(self) -> str:
        """What the step cost."""
        parts = [f"loss {self.step.loss[self.r]:.4g}"]
        if self.step.bayes is not None:
            order, size = self.step.bayes
            best = ", ".join(html.escape(self.names[k]) for k in order[self.r][: int(size[self.r])][:10])
            parts.append(f"best set, known to the data set alone: {best or 'no label'}")
        return f'<p class="fl-note"><b>Outcome:</b> {" · ".join(parts)}</p>'


inspect = inspector(_Teller)
