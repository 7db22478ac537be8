"""Sentences on a step of a learner that plays a label."""

from typing import Any

import numpy as np

from learners.base import Array
from pages.ui.race.words import BY_HAND, joined, listed, number, short


class ClassificationStory:
    """The sentences on one step of one replicate: what was played, what was heard, what moved, what follows."""

    def __init__(self, account: Any) -> None:
        self.a, self.learner, self.r = account, account.learner, account.r

    def text(self) -> str:
        """Return the sentences."""
        return joined([BY_HAND * self.a.by_hand, self.played(), self.heard(), self.moved(), self.follows()])

    def _names(self, classes: Any) -> str:
        return listed(short(self.a.names[k]) for k in classes)

    def played(self) -> str:
        """Return what was predicted and what was played."""
        a = self.a
        predicted, played = self._names(a.predicted), self._names(a.labels)
        explored = bool(a.step.shown.explored[self.r])
        tied = len(a.predicted) == 1 and (a.scores == a.scores[a.predicted[0]]).sum() > 1
        best = f"{predicted}, the first of several with the best score" if tied else f"{predicted}, the best by score"
        if len(a.labels) > 1:
            if not explored:
                return f"It showed the best {len(a.labels)} labels, {played}."
            new, old = (np.setdiff1d(x, y) for x, y in ((a.labels, a.predicted), (a.predicted, a.labels)))
            return f"It explored: among the best labels it replaced {self._names(old)} by {self._names(new)}."
        if not explored:
            return f"It played {best}."
        if a.labels[0] == a.predicted[0]:
            return f"It explored, and the label drawn was {best}."
        return f"It explored: in place of {best}, it played {played}, drawn at random."

    def heard(self) -> str:
        """Return whether that was right, and what the learner was told."""
        a, truth = self.a, short(self.a.names[self.a.truth])
        if a.by_hand:
            return self.by_hand()
        if len(a.labels) > 1:
            return f"{truth} was right, as it is told." if a.right else f"None was right, as it is told; {truth} was."
        if a.full_feedback:
            return f"That was {'right' if a.right else 'wrong, and it is told the true class, ' + truth}."
        if a.right:
            return "That was right, and it is told so."
        return f"That was wrong; it is told so, but not that {truth} is right."

    def by_hand(self) -> str:
        """Return what a person told the learner, and what is true."""
        a, truth = self.a, short(self.a.names[self.a.truth])
        approved = a.simulation.answers[a.step.t]
        if a.full_feedback:
            if len(approved) != 1:
                return f"The person named no single class, so it is told the true one, {truth}."
            which = "the true class" if approved[0] == a.truth else f"though the true class is {truth}"
            return f"The person told it that this is {self._names(approved)}, {which}."
        if len(a.labels) > 1:
            called = [k for k in a.labels if k in approved]
            right = self._names(called) if called else "none of them"
            return f"The person called {right} right; the true class is {truth}."
        said = f"The person called that {'right' if a.heard else 'wrong'}"
        return f"{said}, as it is." if a.heard == a.right else f"{said}, though the true class is {truth}."

    def moved(self) -> str:
        """Return which weights moved, by how much and why."""
        a = self.a
        if hasattr(self.learner, "active"):
            return self.struck()
        if not a.total:
            return self.still()
        length = float(np.linalg.norm(a.x))
        weighed = ""
        if a.heard and self.learner.weighs and not a.full_feedback and len(a.labels) == 1:
            weighed = f"A right answer with the chance {number(a.chance)} counts {number(1 / a.chance)} times, so "
        what = "parameters θ" if self.learner.weights is None or self.learner.moved != "row" else "vector"
        parts = []
        for k, factor in sorted(a.total.items(), key=lambda item: -item[1]):
            verb, way = ("adds", "to") if factor > 0 else ("subtracts", "from")
            times = "x" if abs(factor) == 1 else f"{number(abs(factor))} · x"
            parts.append(
                f"{verb} {times} (length {number(abs(factor) * length)}) {way} the {what} of {self._names([k])}"
            )
        text = f"{weighed}it {' and '.join(parts)}{'; ' + self.learner.then if self.learner.then else ''}."
        return text if weighed else text[0].upper() + text[1:]

    def still(self) -> str:
        """Return why nothing moved."""
        a = self.a
        if a.full_feedback or (a.heard and len(a.labels) > 1):
            return "So it has nothing to change."
        if len(a.labels) > 1:
            return "A replacement that is wrong says nothing about the labels it left, so nothing moves."
        return "So nothing moves."

    def struck(self) -> str:
        """Return how many hypotheses are left."""
        votes, left, of = self.a.scores, int(self.learner.number[self.r]), self.learner.hypotheses
        if self.a.heard:
            return f"No hypothesis is struck; {left:,} of {of:,} are left."
        wrong, before = int(votes[self.a.predicted[0]]), int(votes.sum())
        if wrong == before:
            return f"All {before:,} hypotheses that were left had voted for it, so all {of:,} are restored."
        of_them = "1 hypothesis" if wrong == 1 else f"{wrong:,} hypotheses"
        return f"It strikes the {of_them} that voted for this label; {left:,} of {of:,} are left."

    def follows(self) -> str:
        """Return what becomes of the score of the true class on this example."""
        a = self.a
        if self.learner.weights is None or not a.total:
            return ""
        after = np.einsum("kd,d->k", self.learner.weights[self.r], a.x)
        before, truth = place(a.scores, a.truth), short(a.names[a.truth])
        now = place(after, a.truth)
        places = f"{'rises' if now < before else 'falls'} from place {before} to {now}"
        places = places if before != now else f"stays at place {now}"
        if not self.learner.one_scale:
            return f"On this example, the true class {truth} {places} of {len(after)}."
        old, new = number(a.scores[a.truth]), number(after[a.truth])
        score = f"now scores {new} after {old}" if old != new else f"still scores {new}"
        return f"On this example, the true class {truth} {score} and {places} of {len(after)}."


def place(scores: Array, k: int) -> int:
    """Return the place of a class by falling score, from 1, ties by number.

    >>> place(np.array([0.0, 3.0, 0.0]), 2)
    3
    """
    return int((scores > scores[k]).sum() + (scores[:k] == scores[k]).sum()) + 1
