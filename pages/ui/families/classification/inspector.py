"""The step inspector of the bandit lab."""

from collections.abc import Iterable

import numpy as np

from learners import Simulation
from pages.ui.draw.charts import Look
from pages.ui.draw.images import centred
from pages.ui.draw.markup import bars, card, figures, image, note, strip, summary, weight_map
from pages.ui.families.classification.story import ClassificationStory
from pages.ui.plain import NOTHING, Html, for_html
from pages.ui.race.inspector import Inspector

MOST_LISTED = 24  # features and classes that are listed


class ClassificationInspector(Inspector):
    """The account of one step of a learner that plays a label."""

    def __init__(self, simulation: Simulation, replicate: int, look: Look) -> None:
        super().__init__(simulation, replicate, look)
        step, r = self.step, replicate
        self.names = self.data.names
        self.x = step.examples.dense(r, self.data.dimension)
        self.labels, self.predicted = np.atleast_1d(step.shown.label[r]), np.atleast_1d(step.shown.predicted[r])
        self.scores, self.truth, self.right = step.shown.scores[r], int(step.truth[r]), bool(np.any(step.right[r]))
        self.heard = bool(np.any(step.heard.right[r]))
        self.gamma = float(np.broadcast_to(step.shown.gamma, len(step.row))[r])
        self.full_feedback = self.learner.hears == "label"

    def why(self) -> str:
        return ClassificationStory(self).text()

    @property
    def total(self) -> dict[int, float]:
        """How many times x was added to the weights, or the parameters, of each class that moved."""
        found: dict[int, float] = {}
        for label, factors in self.step.moves:
            if factor := float(np.broadcast_to(factors, len(self.step.row))[self.r]):
                found[int(label[self.r])] = found.get(int(label[self.r]), 0.0) + factor
        return {k: factor for k, factor in found.items() if factor}

    @property
    def chance(self) -> float:
        """The probability with which the label was played, P(ỹ), for a learner that plays one."""
        return float(self.learner.distribution(self.step.shown, self.r)[self.labels[0]])

    def observe(self) -> Html:
        """Return the example."""
        text = f"Step {int(self.step.t)} shows example {int(self.step.row[self.r]) + 1:,} of {self.data.examples:,}."
        if self.data.image_shape:
            picture = image(np.maximum(self.x, 0), self.data.image_shape, "the example")
            return note(text) + figures([f"<figure>{picture}</figure>"])
        nonzero = np.flatnonzero(self.x)
        cards = [card(f"<b>{self.x[j]:.3g}</b>", f"{j + 1}") for j in nonzero[:MOST_LISTED]]
        text += f" Of its {self.data.dimension:,} features {len(nonzero):,} are not 0. Above each stands its number."
        return note(text) + strip(cards, len(nonzero) - MOST_LISTED)

    def predict(self) -> Html:
        """Return the scores of the classes."""
        order = np.sort(np.argsort(-self.scores, kind="stable")[:MOST_LISTED])
        top, lowest = self.scores.max(), self.scores.min()
        close = 0 < top - lowest < 0.02 * abs(top)  # scores that would look the same are given as differences
        rows = []
        for k in order:
            text = f"best − {top - self.scores[k]:.2g}" if close else f"{self.scores[k]:.4g}"
            rows.append((self.names[k], float(self.scores[k] - lowest), text, bool(k in self.predicted)))
        what = "votes for" if hasattr(self.learner, "active") else "score of"
        best = self._listed(self.predicted)
        return note(f"It predicts ŷ = <b>{best}</b>, by the {what} each class.") + bars(rows, self.look.colors[0])

    def _listed(self, classes: Iterable[int]) -> Html:
        return ", ".join(for_html(self.names[k]) for k in classes)

    def perturb(self) -> Html:
        """Return the chances of all labels, and which of them was played."""
        what = "explored" if self.step.shown.explored[self.r] else "exploited"
        played = f"This time it {what} and played ỹ = <b>{self._listed(self.labels)}</b>."
        if len(self.labels) > 1:
            return note(f"It explores with probability γ = {self.gamma:.3g}. {played}")
        p = self.learner.distribution(self.step.shown, self.r)
        order = np.sort(np.argsort(-p, kind="stable")[:MOST_LISTED])
        rows = [(self.names[k], float(p[k]), f"{p[k]:.3f}", bool(k in self.labels)) for k in order]
        return note(
            f"{played} Below stands the probability with which each label is played, for γ = {self.gamma:.3g}. The "
            "predicted label gets all that exploration leaves."
        ) + bars(rows, self.look.colors[1])

    def feedback(self) -> Html:
        """Return what the learner is told."""
        played, truth = self._listed(self.labels), for_html(self.names[self.truth])
        if self.by_hand:
            return note(f"It played <b>{played}</b>. {for_html(ClassificationStory(self).by_hand())}")
        if self.full_feedback:
            return note(f"It played <b>{played}</b> and is told the true class, <b>{truth}</b>.")
        if self.right:
            which = f", of which {truth} is right" if len(self.labels) > 1 else ""
            return note(f"It played <b>{played}</b>{which} and is told <b>right</b>.")
        return note(f"It played <b>{played}</b> and is told <b>wrong</b>, but not that the true class is {truth}.")

    def update(self) -> Html:
        """Return which rows of W were moved, and by how much."""
        total, text = self.total, ""
        if self.step.moves and self.heard and self.learner.weighs and not self.full_feedback and len(self.labels) == 1:
            p = self.chance
            text = f"The importance weight is 1/P(ỹ) = 1/{p:.4g} = <b>{1 / p:.4g}</b>. "
        if total:
            moved = (
                f"{for_html(self.learner.moved)} <b>{for_html(self.names[k])}</b> {c:+.4g} · x"
                for k, c in total.items()
            )
            return note(f"{text}Moved {', '.join(moved)}.") + self._maps(total)
        if hasattr(self.learner, "active"):
            left = int(self.learner.active[self.r].sum())
            return note(f"{text}{left:,} of {self.learner.hypotheses:,} hypotheses are left.")
        return note(f"{text}No row moved.")

    def _maps(self, classes: Iterable[int]) -> Html:
        weights, shape = self.learner.weights, self.data.image_shape
        if shape is None or weights is None:
            return NOTHING
        rows = ((centred(weights[self.r, k]), self.names[k]) for k in classes)
        return figures(weight_map(row, shape, f"{name}, after", f"weights of class {name}") for row, name in rows)

    def outcome(self) -> Html:
        """Return what the step has cost."""
        return summary(
            "Outcome",
            [
                "right" if self.right else "a mistake",
                "the predicted label was " + ("right" if self.truth in self.predicted else "wrong"),
                f"true class {for_html(self.names[self.truth])}",
            ],
        )
