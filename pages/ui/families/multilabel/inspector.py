"""The step inspector of the multilabel lab."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from learners import Simulation
from learners.base import Array
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import card, note, strip, summary
from pages.ui.plain import NOTHING, Html, Ours, for_html
from pages.ui.race.inspector import Inspector
from pages.ui.race.words import joined, listed, number, sentence, short

MOST_LISTED = 24  # labels and features that are listed
UNCLIPPED = "This learner clips neither its linear estimates nor its scores, so they may lie outside 0 to 1."


def decimals(x: float) -> Ours:
    """Return a number with three decimals.

    >>> decimals(-0.0625), decimals(-0.0001)
    ('−0.062', '0.000')
    """
    return Ours(f"{x:z.3f}".replace("-", "−"))


class MultilabelInspector(Inspector):
    """The account of one step of a learner that shows a set of labels."""

    def __init__(self, simulation: Simulation, replicate: int, look: Look) -> None:
        super().__init__(simulation, replicate, look)
        step, r = self.step, replicate
        self.names = self.data.names
        self.order, self.size = step.shown.order[r], int(step.shown.size[r])
        self.played, self.truth, self.right = self.order[: self.size], step.truth[r], step.right[r]
        self.most = int(np.broadcast_to(self.learner.size, len(step.row))[r])

    def why(self) -> str:
        return joined([self._shown(), self._heard(), self._learned(), self._certainty()])

    def _names(self, labels: Iterable[Any]) -> str:
        return listed(short(self.names[k]) for k in labels)

    def _shown(self) -> str:
        if not self.size:
            why = "" if self.learner.weights is None else ", since no set of labels promised to pay"
            return f"It showed no label{why}."
        if self.learner.weights is None:
            return f"It showed {self._names(self.played)}, chosen without any opinion."
        by = " by the probabilities that it drew" if self.learner.draws_margins else ""
        return f"It showed {self._names(self.played)}, the set that promises the least loss{by}."

    def _heard(self) -> str:
        hits = [k for k in self.played if self.truth[k]]
        wrong = [k for k in self.played if not self.truth[k]]
        missed = self.missed
        parts = []
        if self.size:
            said = [
                f"{self._names(group)} {'was' if len(group) == 1 else 'were'} {word}"
                for group, word in ((hits, "right"), (wrong, "wrong"))
                if group
            ]
            parts.append(" and ".join(said))
        parts.append(f"it missed {self._names(missed)}" if missed else "no right label was missed")
        return f"{sentence('; '.join(parts))[:-1]}, so the step costs {number(self.step.loss[self.r])}."

    @property
    def missed(self) -> list[Any]:
        """The labels that were right and not shown."""
        played = set(self.played.tolist())
        return [k for k in np.flatnonzero(self.truth) if k not in played]

    def _learned(self) -> str:
        if self.learner.hears == "nothing":
            return "It hears nothing and learns nothing."
        if self.learner.hears == "labels":
            right = int(self.truth.sum())
            wrong = self.data.classes - right
            return f"It is told all labels and scores {right} higher and {wrong} lower on such examples."
        if not self.size:
            return "It hears only about labels that it shows, so it learns nothing."
        rest = f"; of {self._names(self.missed)} it hears nothing" if self.missed else ""
        right = int(self.right.sum())
        them = "them" if self.size > 1 else "it"
        scored = f"{them} higher" if right == self.size else f"{them} lower"
        if 0 < right < self.size:
            scored = "the right ones higher and the wrong ones lower"
        if back := self._drawn_back():
            up = [k for k in self.played if self.truth[k] != (k in back)]
            moved = ((up, "higher"), ([k for k in self.played if k not in up], "lower"))
            scored = " and ".join(f"{self._names(group)} {word}" for group, word in moved if group)
            estimates = "the estimate" if len(back) == 1 else "the estimates"
            scored += f", since {estimates} of {self._names(back)} lay beyond the answer"
        return f"On such examples it now scores {scored}{rest}."

    def _drawn_back(self) -> list[Any]:
        """Return labels shown that were right with an estimate above 1, or wrong with one below 0, so it turns back."""
        estimate = self.step.shown.estimate[self.r]
        return [k for k in self.played if (estimate[k] > 1 if self.truth[k] else estimate[k] < 0)]

    def _certainty(self) -> str:
        """Return which of the labels shown it knew least about, and how much it has learned about it."""
        width = self.step.shown.width
        if width is None or not self.size:
            return ""
        k = max(self.played, key=lambda k: width[self.r, k])
        x, inverse = self.step.features[self.r], self.learner.Ainv[self.r, k]
        known = float(x @ inverse @ x if inverse.ndim == 2 else (x * x) @ inverse)
        shown = self.step.shown
        estimate, score, epsilon = (number(v[self.r, k]) for v in (shown.estimate, shown.probability, width))
        least = f"Of these it knew least about {self._names([k])}:"
        falls = f"the uncertainty x·A⁻¹x falls from {number(self.learner.q[self.r, k])} to {number(known)}"
        if self.learner.draws_margins:
            return f"{least} with ε = {epsilon} it drew the probability {score} around {estimate}, and {falls}."
        return f"{least} the width ε = {epsilon} raised its probability from {estimate} to {score}, and {falls}."

    def observe(self) -> Html:
        """Return the example's features."""
        x = self.step.features[self.r]
        largest = np.sort(np.argsort(-np.abs(x), kind="stable")[:MOST_LISTED])
        text = f"Step {int(self.step.t)} shows example {int(self.step.row[self.r]) + 1:,} of {self.data.examples:,}."
        text += f" The {MOST_LISTED} largest of its {len(x)} features are shown." if len(x) > MOST_LISTED else ""
        return note(text) + strip([card(f"<b>{x[j]:.2g}</b>", f"{j + 1}") for j in largest])

    def perturb(self) -> Html:
        """Return which labels the draw raised and lowered most."""
        shown, r = self.step.shown, self.r
        by = shown.probability[r] - shown.estimate[r]
        up, down = int(by.argmax()), int(by.argmin())
        if not by.any():
            return note("Nothing is drawn, since v = 0.")
        said = []
        for word, k, moved in (("raised", up, by[up] > 0), ("lowered", down, by[down] < 0)):
            if moved:
                values = f"{decimals(shown.estimate[r, k])} to {decimals(shown.probability[r, k])}"
                said.append(f"<b>{for_html(self.names[k])}</b> is {word} most, from {values}")
        return note(f"By the draw, {', and '.join(said)}.")

    def predict(self) -> Html:
        """Return the labels by falling score."""
        if self.learner.weights is None:
            return note(
                f"It shows <b>{self.size}</b> of at most {self.most} labels, without an opinion on any of them."
            )
        shown, known = self.step.shown, self.step.probabilities
        columns: dict[Html, Array] = {Html("estimate"): shown.estimate[self.r]}
        if shown.width is not None:
            names = ("spread ε", "drawn p̃") if self.learner.draws_margins else ("width ε", "upper confidence p̂")
            columns |= {Html(names[0]): shown.width[self.r], Html(names[1]): shown.probability[self.r]}
        if known is not None:
            columns[Html("true probability")] = known[self.r]
        listed = self.order[: max(self.size, MOST_LISTED)]
        head = "".join(f"<th>{name}</th>" for name in ("", "label", *(name for name in columns), ""))
        rows = []
        for place, k in enumerate(listed, start=1):
            line = "border-bottom: 2px solid currentColor;" if place == self.size < len(listed) else ""
            numbers = "".join(f"<td>{decimals(values[k])}</td>" for values in columns.values())
            rows.append(
                f'<tr style="{line}"><td>{place}</td><td style="text-align:left">{for_html(self.names[k])}</td>'
                f"{numbers}<td>{'shown' if place <= self.size else ''}</td></tr>"
            )
        left_out = len(self.order) - len(listed)
        more = f" ({left_out} more labels below)" if left_out else ""
        table = f'<table class="fl-table"><tr>{head}</tr>{"".join(rows)}</table>'
        return (
            note(f"The labels by falling score. The first <b>{self.size}</b> of at most {self.most} are shown{more}.")
            + (note(UNCLIPPED) if self._outside() else "")
            + f'<div style="overflow-x:auto">{table}</div>'
        )

    def _outside(self) -> bool:
        """Return whether some estimates or scores are no probabilities."""
        shown = self.step.shown
        values = np.concatenate([shown.estimate[self.r], shown.probability[self.r]])
        return bool(values.min() < 0 or values.max() > 1)

    def feedback(self) -> Html:
        """Return which labels were right, and which were missed."""
        cards = []
        for place, k in enumerate(self.played, start=1):
            right = bool(self.truth[k])
            name = f"<b>{for_html(self.names[k])}</b>"
            cards.append(card(name, f"{place}", "right" if right else "wrong", green=0.8 * right))
        missed = [for_html(self.names[k]) for k in self.missed]
        heard = {
            "shown": "The learner hears only about the labels shown",
            "labels": "The learner is told these labels too",
            "nothing": "The learner hears nothing",
        }[self.learner.hears]
        text = "No right label was missed." if len(self.played) else "No label was shown."
        if missed:
            names = ", ".join(missed[:MOST_LISTED]) + (" …" if len(missed) > MOST_LISTED else "")
            text = f"{'' if len(self.played) else text + ' '}{heard}. Right but not shown: {names}."
        return note(text) + strip(cards)

    def update(self) -> Html:
        """Return how many labels were updated."""
        if self.learner.hears == "nothing":
            return NOTHING
        every = self.learner.hears == "labels"
        heard = int(self.data.classes) if every else len(self.played)
        if not heard:
            return note("The learner heard nothing and learns nothing.")
        up = int(self.truth.sum()) if every else int(self.right.sum())
        up += sum(-1 if self.truth[k] else 1 for k in self._drawn_back())
        are = "is" if up == 1 else "are"
        return note(
            f"{heard} label{'s' * (heard != 1)} updated. {up} {are} now scored higher on examples like this one and "
            f"{heard - up} lower. The learner is more certain of all of them here."
        )

    def outcome(self) -> Html:
        """Return what the step has cost."""
        parts = [f"loss {self.step.loss[self.r]:.4g}"]
        if self.step.bayes is not None:
            order, size = self.step.bayes
            best = ", ".join(for_html(self.names[k]) for k in order[self.r][: min(int(size[self.r]), 10)])
            parts.append(f"the best set, known to the data set alone, is {best or 'no label'}")
        return summary("Outcome", parts)
