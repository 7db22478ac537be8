"""The round inspector of the learning-to-rank lab."""

from typing import Any, ClassVar

import numpy as np

from learners.boosting.learning_to_rank.metrics import MAP, NDCG, PARTS
from pages.ui.draw.markup import bars, note
from pages.ui.plain import NOTHING, Html, for_html
from pages.ui.race.rounds import MOST_ROWS, RoundInspector
from pages.ui.race.words import number, sentence


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

    def weak(self) -> str:
        answers, feature = self.round.answers, self.details.get("feature")
        lifted = "" if answers is None else f", {int((answers > 0).sum()):,} of {len(answers):,}"
        if "rule" in self.details:
            rule = str(self.details["rule"]).replace("-", "−")
            return f"the weak ranker lifts the documents of {rule}{lifted}"
        if feature is None:
            return self.learner.finds or "the weak ranker does not rest on a single feature"
        above, threshold = self.details.get("above", True), self.details.get("threshold")
        if threshold is None:
            return f"the weak ranker is feature {feature + 1}, {'largest' if above else 'smallest'} values first"
        side = "above" if above else "at most"
        return f"the weak ranker lifts documents whose feature {feature + 1} is {side} {number(threshold)}{lifted}"

    def vote(self) -> str:
        d, so = self.details, f"so its step is α = {number(self.round.step)}"
        order = (d["right"], d["wrong"]) if "right" in d else (d["mu"], d["nu"]) if "mu" in d else None
        if order is not None:
            return f"it puts pairs of weight {number(order[0])} in order and of {number(order[1])} out of order, {so}"
        if "eta" in d:
            return f"alone it reaches η = {number(d['eta'])}, by the weights of the queries, {so}"
        return super().vote()

    def row(self, i: int) -> str:
        q = int(np.searchsorted(self.problem.starts, i, side="right")) - 1
        name = self.data.query_name(int(self.world.folds[self.r][0][q]))
        return f"d{i - int(self.problem.starts[q]) + 1} of query {name}"

    def tag(self, i: int) -> str:
        return self.row(i).replace(" of query ", " · q ")

    def brought(self) -> str:
        return self.compared(NDCG[""][4], "NDCG@5 on the test queries", ".3f")

    def observe(self) -> Html:
        """Return how the weight is shared among the grades."""
        weights = self.signed
        if weights is None:
            return NOTHING
        up, down = int((weights > 0).sum()), int((weights < 0).sum())
        if not down:  # weights of whole queries
            return note(
                f"The weights of {len(weights):,} documents range from {weights.min():.3g} to {weights.max():.3g}."
            )
        grades = self.problem.grades
        rows = []
        for grade in sorted(set(grades.tolist()), reverse=True)[:MOST_ROWS]:
            total = float(weights[grades == grade].sum())
            text = f"{total:+.3g} in total, {int((grades == grade).sum()):,} documents"
            rows.append((f"grade {grade:g}", abs(total), text, total > 0))
        return note(
            f"{up:,} documents should rise and {down:,} should fall. The bars show the total weight of each grade, "
            "bold where it is positive. Within a query the weights add up to 0."
        ) + bars(rows, self.look.text)

    def predict(self) -> Html:
        """Return which documents the weak ranker lifts."""
        return note(for_html(sentence(self.weak())))

    def outcome(self) -> Html:
        """Return NDCG and MAP after the round."""
        ndcg = [f"NDCG@5 {self.value(NDCG[part][4]):.3f} on {queries} queries" for part, queries in PARTS.items()]
        return self.after_round([*ndcg, f"MAP {self.value(MAP['']):.3f} on test queries"])
