"""The round inspector of the learning-to-rank lab."""

from __future__ import annotations

import html
from typing import Any, ClassVar

from learners.boosting.learning_to_rank.metrics import MAP, NDCG, PARTS
from pages.ui.draw.markup import bars, note
from pages.ui.inspect.rounds import MOST, RoundInspector


class LearningToRankInspector(RoundInspector):
    """The account of one round of a learner that ranks graded documents."""

    names: ClassVar[dict[str, str]] = {
        "mu": "pairs put in order μ", "nu": "pairs put out of order ν", "eta": "η",
        "right": "pairs put in order α₁", "wrong": "pairs put out of order α₂",
    }  # fmt: skip

    @property
    def signed(self) -> Any:
        """Weights of the documents, positive for those that should rise, or None where there are none."""
        weights, targets = self.round.weights, self.round.targets
        return weights if weights is None or targets is None else weights * targets

    def observe(self) -> str:
        """Return how the weight is shared among the grades."""
        weights = self.signed
        if weights is None:
            return ""
        up, down = int((weights > 0).sum()), int((weights < 0).sum())
        if not down:  # weights of whole queries
            return note(
                f"The weights of {len(weights):,} documents range from {weights.min():.3g} to {weights.max():.3g}."
            )
        grades = self.problem.grades
        rows = []
        for grade in sorted(set(grades.tolist()), reverse=True)[:MOST]:
            total = float(weights[grades == grade].sum())
            text = f"{total:+.3g} in total, {int((grades == grade).sum()):,} documents"
            rows.append((f"grade {grade:g}", abs(total), text, total > 0))
        return bars(rows, self.look.text) + note(
            f"{up:,} documents should rise and {down:,} should fall. The bars show the total weight of each grade, "
            "bold where it is positive. Within a query the weights add up to 0."
        )

    def predict(self) -> str:
        """Return which documents the weak ranker lifts."""
        answers, feature = self.round.answers, self.details.get("feature")
        if "rule" in self.details:
            rule = html.escape(str(self.details["rule"]))
            return note(f"It lifts {int((answers > 0).sum())} of {len(answers)} documents, those of <b>{rule}</b>.")
        if feature is None:
            return "" if answers is None else note("It does not rest on a single feature.")
        above, threshold = self.details.get("above", True), self.details.get("threshold")
        if threshold is None:
            order = "largest" if above else "smallest"
            return note(f"It ranks by feature <b>{feature + 1}</b>, {order} values first.")
        side = "above" if above else "at most"
        lifted = "" if answers is None else f", {int((answers > 0).sum()):,} of {len(answers):,} training documents"
        return note(f"It lifts documents whose feature <b>{feature + 1}</b> is {side} {threshold:.4g}{lifted}.")

    def outcome(self) -> str:
        """Return NDCG and MAP after the round."""
        ndcg = [f"NDCG@5 {self.value(NDCG[part][4]):.3f} on {queries} queries" for part, queries in PARTS.items()]
        return self.after_round([*ndcg, f"MAP {self.value(MAP['']):.3f} on test queries"])


inspect = LearningToRankInspector.show
