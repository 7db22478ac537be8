"""The round inspector of the semi-supervised lab."""

from typing import Any, ClassVar

import numpy as np

from learners import Simulation
from learners.boosting.semi_supervised.metrics import ACCURACY_TEST, ACCURACY_TRAIN, ACCURACY_UNLABELLED
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import bars, card, image, note, strip
from pages.ui.draw.scatter_panels import color_of
from pages.ui.plain import Html, for_html
from pages.ui.race.rounds import MOST_ROWS, RoundInspector
from pages.ui.race.words import listed, number, short


class SemiSupervisedInspector(RoundInspector):
    """The account of one round of a learner with few labels."""

    names: ClassVar[dict[str, str]] = {
        "A_u": "against it, unlabelled Aᵤ", "A_l": "against it, labelled Aₗ",
        "B_u": "for it, unlabelled Bᵤ", "B_l": "for it, labelled Bₗ",
    }  # fmt: skip

    def __init__(self, simulation: Simulation, replicate: int, look: Look) -> None:
        super().__init__(simulation, replicate, look)
        self.labels, self.classes = self.problem.labels, self.data.names
        self.kind = "example"
        if "A_u" in self.details:
            self.error = Html("ε = A / (A + B)")

    def weak(self) -> str:
        answers = self.round.answers
        if answers is None:
            return Html("no weak classifier was trained")
        known = self.labels >= 0
        right = int((answers[known] == self.labels[known]).sum())
        used = listed(short(self.classes[k]) for k in sorted(set(answers.tolist())))
        first = f"{self.learner.finds}; it" if self.learner.finds else "the weak classifier"
        return f"{first} names {used}, and is right on {right} of the {int(known.sum())} labelled examples"

    def vote(self) -> str:
        error, step = self.round.error, number(self.round.step)
        if np.isnan(error):
            return super().vote()
        if "A_u" in self.details:
            return f"of the pull on its answers a share of {error:.1%} is against them, so it votes with α = {step}"
        return f"it is wrong on {error:.1%} of the weight, so it votes with α = {step}"

    def row(self, i: int) -> str:
        k, number = int(self.round.targets[i]), int(self.world.rows[self.r][i]) + 1
        return f"example {number:,}" + (f" of class {short(self.classes[k])}" if k >= 0 else "")

    def tag(self, i: int) -> str:
        return f"no. {int(self.world.rows[self.r][i]) + 1:,}"

    def brought(self) -> str:
        return self.compared(ACCURACY_TEST, "The share of test examples classified correctly", ".1%")

    def observe(self) -> Html:
        """Return how the weight is shared among the classes, and the heaviest examples."""
        weights, targets = self.round.weights, self.round.targets
        known = int((self.labels >= 0).sum())
        text = f"{known} examples are labelled and {len(self.labels) - known} are unlabelled."
        if weights is None or targets is None or not np.any(weights > 0):
            return note(text)
        rows = []
        for k, name in enumerate(self.classes[:MOST_ROWS]):
            share = float(weights[targets == k].sum() / weights.sum())
            pseudo = int(((targets == k) & (self.labels < 0)).sum())
            rows.append((name, share, f"{share:.1%} of the weight, {pseudo} pseudo-labels", False))
        heaviest = np.argsort(-weights, kind="stable")[: min(MOST_ROWS, int((weights > 0).sum()))]
        return note(
            f"{text} The bars show how the weight is shared among the classes. Below them stand the {len(heaviest)} "
            "heaviest examples in the colours of their labels or pseudo-labels; labelled ones are outlined."
        ) + bars(rows, self.look.text) + strip([self._example(i) for i in heaviest])  # fmt: skip

    def _example(self, i: Any) -> Html:
        k = int(self.round.targets[i])
        name = for_html(self.classes[k]) if k >= 0 else "none"
        picture = ""
        if self.data.image_shape:
            picture = image(self.data.features[self.world.rows[self.r][i]], self.data.image_shape)
        weight = f"weight {self.round.weights[i]:.3g}"
        return card(f"{picture}<b>{name}</b>", below=weight, outlined=bool(self.labels[i] >= 0), line=color_of(k))

    def predict(self) -> Html:
        """Return what the weak classifier predicts."""
        answers, targets, weights = self.round.answers, self.round.targets, self.round.weights
        if answers is None:
            return note("No weak classifier was trained.")
        used = sorted(set(answers.tolist()))
        names = ", ".join(for_html(self.classes[k]) for k in used[:MOST_ROWS]) + (" …" if len(used) > MOST_ROWS else "")
        text = f"The weak classifier predicts {len(used)} of {len(self.classes)} classes ({names})."
        if targets is not None and weights is not None and weights.sum() > 0:
            agree = float(weights[answers == targets].sum() / weights.sum())
            text += f" It agrees with {agree:.1%} of the weight."
        known = self.labels >= 0
        right = int((answers[known] == self.labels[known]).sum())
        return note(f"{text} Alone it classifies {right} of the {int(known.sum())} labelled examples correctly.")

    def outcome(self) -> Html:
        """Return the accuracies after the round."""
        groups = {"labelled": ACCURACY_TRAIN, "unlabelled": ACCURACY_UNLABELLED, "test": ACCURACY_TEST}
        accuracies = {title: self.value(metric) for title, metric in groups.items()}
        return self.after_round(
            f"{accuracy:.1%} of the {title} examples classified correctly"
            for title, accuracy in accuracies.items()
            if not np.isnan(accuracy)
        )
