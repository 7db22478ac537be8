"""Sentences on a step of a ranking learner."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from learners.base import Array
from pages.ui.families.ranking.preferences import PAIRS, comparison, preferences, votes, won
from pages.ui.plain import Html
from pages.ui.race.words import BY_HAND, count, joined, listed, number

NAMED = 3  # pairs that are named
ROUNDING = 1e-12  # relative size of a change that comes from rounding alone


class RankingStory:
    """The sentences on one step of one replicate: what was shown, what the user did, what was learned, what follows.

    name : how a document (its number among the query's) is called. All else is plain text without < or &.
    """

    def __init__(self, account: Any, name: Callable[[int], str]) -> None:
        self.a, self.name = account, name
        self.r, self.step, self.learner, self.data = account.r, account.step, account.learner, account.data
        response = self.step.response
        self.user = "You" if account.by_hand else "The user"
        self.clicks: Any = None if response.clicks is None else response.clicks[self.r][: account.n]
        gamma = self.data.gamma[: account.slots]
        self.weight = np.zeros(len(account.grades))  # of each document in φ(x, ȳ) − φ(x, y)
        np.add.at(self.weight, account.improved[: account.slots], gamma)
        np.add.at(self.weight, account.shown[: account.slots], -gamma)
        self.taught = bool(np.any(np.abs(self.weight) > 1e-12))
        before, after = self.step.before, self.step.after
        self.linear = before is not None and after is not None
        self.change = after[self.r] - before[self.r] if self.linear else np.zeros(1)
        self.moves = np.linalg.norm(self.change) > ROUNDING * np.linalg.norm(after[self.r]) if self.linear else False

    def text(self) -> str:
        """Return the sentences."""
        if self.a.mixed is not None:
            learned = [self.duel()]
        elif self.learner.reading in PAIRS:
            learned = [preferences(self.a, self.name, self.change, self.follows)]
        elif self.learner.compares:
            learned = self.compared()
        elif self.learner.tries:
            learned = [votes(self.a, self.change, self.follows)]
        elif self.learner.hears == "nothing":
            learned = []
        else:
            learned = self.learned()
        return joined([BY_HAND * self.a.by_hand, self.shown(), self.did(), *learned])

    def shown(self) -> str:
        """Return what the user saw first, and where the best document stood."""
        a, first = self.a, int(self.a.shown[0])
        grades = a.grades[a.shown]
        top = float(a.grades.max())
        if a.slots == 1:
            left = "no other has a higher one" if grades[0] == top else f"the best one left has grade {top:g}"
            return f"It recommended {self.name(first)} of grade {grades[0]:g}; {left}."
        how = self.order()
        if top <= 0:
            return f"{how}{self.name(first)} first, and no document of this query is relevant."
        place, many = int(grades.argmax()), int((a.grades == top).sum())
        the = "the best document" if many == 1 else f"one of the {many} best documents"
        if place == 0:
            return f"{how}{self.name(first)} first, {the}."
        the = "the best document" if many == 1 else f"the first of the {many} best documents"
        return f"{how}{self.name(first)} first and {the}, {self.name(int(a.shown[place]))}, at place {place + 1}."

    def order(self) -> str:
        """Return where the order of the list came from, as the beginning of a sentence."""
        if self.learner.listing:
            return f"{self.learner.listing} which put "
        if not self.linear:
            return "The documents were put in random order, " if self.learner.hears == "nothing" else "It showed "
        pairs = self.step.shown.pairs
        if pairs is None:
            return "It showed "
        swapped, partner = pairs.swapped[self.r][: self.a.n], pairs.partner[self.r][: self.a.n]
        lower = [i for i in range(self.a.n) if partner[i] > i]
        if not swapped.any():
            return f"None of the {len(lower)} pairs was swapped, which left "
        names = [f"{self._shown(i)} with {self._shown(int(partner[i]))}" for i in lower if swapped[i]]
        were = f"{len(names)} of {count(len(lower), 'pair')} {'was' if len(names) == 1 else 'were'} swapped"
        return f"{were} ({listed(names, NAMED)}), which put "

    def _shown(self, place: int) -> str:
        return self.name(int(self.a.shown[place]))

    def did(self) -> str:
        """Return what the user did, and which of it was a mistake."""
        if self.learner.hears == "optimal":
            return f"An expert, not the user, gave the feedback, the best ranking with {self._improved(0)} first."
        deaf = " It hears nothing of this and learns nothing." if self.learner.hears == "nothing" else ""
        return (self.answered() if self.clicks is None else self.clicked()) + deaf

    def _improved(self, place: int) -> str:
        return self.name(int(self.a.improved[place]))

    def answered(self) -> str:
        """Return with which ranking the user answered."""
        a, answer = self.a, self.step.response.ranking[self.r][: self.a.n]
        if a.slots == 1:
            if answer[0] == a.shown[0]:
                return f"{self.user} kept it."
            return f"{self.user} named {self.name(int(answer[0]))} of grade {a.grades[answer[0]]:g} in its place."
        if (answer[: a.slots] == a.shown[: a.slots]).all():
            return f"{self.user} handed back the same ranking."
        k = next(k for k in range(1, a.n + 1) if (answer[k:] == a.shown[~np.isin(a.shown, answer[:k])]).all())
        gain = a.utility_of(answer) - a.utility_of(a.shown)
        worse = ", which lowers the true utility" * (gain < -1e-9)
        if k > 5:
            return f"{self.user} put all documents into another order, with {self.name(int(answer[0]))} first{worse}."
        return f"{self.user} put {listed(self.name(int(d)) for d in answer[:k])} on top{worse}."

    def clicked(self) -> str:
        """Return what the user clicked and passed over, and what of it was a mistake."""
        a, clicks = self.a, self.clicks
        places = np.flatnonzero(clicks)
        grades = np.take_along_axis(self.step.grades, self.step.shown.ranking, axis=1)
        wrong = a.user.mistaken(grades, self.step.response)[self.r][: a.n]
        missed = np.flatnonzero(wrong & ~clicks)
        if not len(places):
            passed = f" and passed over {self._places(missed)} by mistake" if len(missed) else ""
            return f"{self.user} clicked nothing{passed}."
        mistakes = [i for i in places if wrong[i]]
        by = ""
        if mistakes:
            by = " by mistake" if len(mistakes) == len(places) else f", {self._names(mistakes)} by mistake"
        text = f"{self.user} clicked {self._places(places)}{by}"
        above = [i for i in range(places[0]) if a.grades[a.shown[i]] > a.grades[a.shown[places[0]]]]
        best = max(above, key=lambda i: a.grades[a.shown[i]], default=None)
        if best is not None and not wrong[best]:
            return f"{text}; {self._shown(best)}, above it, was not clicked."
        if len(missed):
            were = "was" if len(missed) == 1 else "were"
            return f"{text}; {self._places(missed)} {were} passed over by mistake."
        return f"{text}."

    def _names(self, places: Any) -> str:
        return listed(self._shown(int(i)) for i in places)

    def _places(self, places: Any) -> str:
        numbers = listed([f"{int(i) + 1}" for i in places])
        return f"{self._names(places)} at place{'s' * (len(places) != 1)} {numbers}"

    def learned(self) -> list[str]:
        """Return what the learner made of it, how w moved, and what follows."""
        if self.learner.fixed_list:
            return [self.learner.remark(self.r)]
        feedback = self.feedback()
        if not self.linear:
            remark = self.learner.remark(self.r) or "It has no weights that could move."
            return [feedback + "." * bool(feedback), remark]
        if self.moves:
            return [f"{feedback}{'; ' * bool(feedback)}{self.step_of_w()}.", self.learner.remark(self.r)]
        if not self.taught:
            return [f"{feedback}, and w stays as it was."]
        if np.linalg.norm(self.weight @ self.a.features) <= ROUNDING * np.linalg.norm(self.a.features):
            same = "All documents that change places have the same features, so w stays as it was."
            return [feedback + "." * bool(feedback), same]
        return [feedback + "." * bool(feedback), self.learner.remark(self.r) or "Still w stays as it was."]

    def compared(self) -> list[str]:
        """Return which of the two documents on top was preferred, how w moved, and what follows."""
        told = comparison(self.a, cast(Callable[[int], Html], self.name))  # as text here
        if not self.moves:
            return [told]
        pair = won(self.a) or tuple(int(document) for document in self.a.shown[:2])
        return [told, f"w moves by {number(float(np.linalg.norm(self.change)))}, {self.follows(*pair)}."]

    def feedback(self) -> str:
        """Return what the learner made of it, or why there is nothing to learn, without a full stop."""
        a, places = self.a, np.flatnonzero(self.clicks) if self.clicks is not None else np.zeros(0, dtype=int)
        if self.learner.hears == "optimal":
            return "" if self.taught else "That was shown already, so there is nothing to learn"
        if self.clicks is None:
            return "" if self.taught else "So there is nothing to learn"
        if not len(places):
            return "Without a click there is nothing to learn"
        if self.learner.reading == "pair":
            return self.exchanges(places)
        if not self.taught:
            if (self.data.slots or a.n) < a.n and (a.improved != a.shown).any():
                return "Only documents beyond the places that count would move, so there is nothing to learn"
            return "What was clicked stood on top already, so there is nothing to learn"
        if self.learner.reading == "swap":
            return f"The learner exchanges {self._shown(places[0])} with {self._shown(0)}, which stood first"
        return f"The learner moves {self._names(places)} to the top"

    def exchanges(self, places: Array) -> str:
        """Return which pairs were exchanged, and whether that confirms what the learner believed."""
        pairs = self.step.shown.pairs
        partner, swapped = pairs.partner[self.r], pairs.swapped[self.r]
        lower = [int(i) for i in places if partner[i] < i and not self.clicks[partner[i]]]
        if not lower:
            i = int(places[0])
            if partner[i] == i:
                why = f"{self._shown(i)} stands in no pair"
            elif self.clicks[partner[i]]:
                why = f"both documents of a pair were clicked, {self._shown(i)} and {self._shown(int(partner[i]))}"
            else:
                why = f"{self._shown(i)} is the upper document of its pair, and to stand higher earns nothing"
            return f"No pair is exchanged, because {why}"
        names = listed([f"{self._shown(i)} with {self._shown(int(partner[i]))} above it" for i in lower], NAMED)
        confirm = [i for i in lower if swapped[i]]
        if len(confirm) == len(lower):
            why = "was swapped, so this confirms" if len(lower) == 1 else "were swapped, so this confirms"
        elif confirm:
            others = len(lower) - len(confirm)
            agree = f"{len(confirm)} of them confirm{'s' * (len(confirm) == 1)} and {others} contradict"
            return f"The learner exchanges {names}; {agree}{'s' * (others == 1)} the predicted order"
        else:
            why = "was not swapped, so this contradicts" if len(lower) == 1 else "were not swapped, so this contradicts"
        which = "the pair" if len(lower) == 1 else "these pairs"
        return f"The learner exchanges {names}; {which} {why} the predicted order"

    def step_of_w(self) -> str:
        """Return how far w moved and what follows for the documents of this query, without a full stop."""
        gain = self.a.features @ self.change
        up, down = int(self.weight.argmax()), int(self.weight.argmin())
        favour = ""
        if self.taught and gain[up] > gain[down]:
            favour = f" in favour of {self.name(up)} over {self.name(down)}"
        return f"w moves by {number(float(np.linalg.norm(self.change)))}{favour}, {self.follows(up, down)}"

    def follows(self, up: int, down: int) -> str:
        """Return which documents of the query change place by the move of w.

        up, down : documents that the feedback would raise and lower.
        """
        a = self.a
        offered = a.grades >= 0
        before, after = (ranks(a.features @ w[self.r], offered) for w in (self.step.before, self.step.after))
        if a.slots == 1:
            gone = {int(a.shown[0]), int(a.improved[0])} if self.data.consumable else set()
            left = [int(d) for d in np.argsort(after) if offered[d] and int(d) not in gone]
            return f"so {self.name(left[0])} is now the first of those left" if left else "and none is left"
        best = np.flatnonzero(a.grades == a.grades.max())
        change = np.where(offered, before - after, 0)
        told = [d for d in dict.fromkeys([down, up, *(best if len(best) == 1 else [])]) if change[d]]
        if not told and change.any():
            told = [int(np.abs(change).argmax())]
        if not told:
            return "too little to change the order of these documents"
        words = [
            f"{self.name(int(d))} {'rises' if change[d] > 0 else 'falls'} from place {before[d]} to {after[d]}"
            for d in told
        ]
        own = (
            "" if not self.learner.listing and self.step.shown.pairs is None else "in the ranking by w "
        )  # not that shown
        return f"so {own}{listed(words)}"

    def duel(self) -> str:
        """Return which of the two rankings won, and what follows."""
        if self.clicks is None:
            won = "came more often from" if self.moves else "came no more often from"
            votes = f"What was put on top {won} the tried w + γu than from w"
        else:
            own = self.a.mixed.teams[self.r][: self.a.n]
            tried, mine = int((self.clicks & ~own).sum()), int((self.clicks & own).sum())
            votes = f"The tried w + γu got {count(tried, 'click')} and w got {mine or 'none'}"
        if not self.moves:
            return f"{votes}, so w stays as it was."
        gain = self.a.features @ self.change
        follows = self.follows(int(gain.argmax()), int(gain.argmin()))
        return f"{votes}: w moves by {number(float(np.linalg.norm(self.change)))} in the tried direction, {follows}."


def ranks(scores: Array, offered: Array) -> Array:
    """Return the place (n,) of each document by falling score, from 1; ties by number, those not offered last.

    >>> ranks(np.array([0.0, 2.0, 0.0, 9.0]), np.array([True, True, True, False]))
    array([2, 1, 3, 4])
    """
    order = np.argsort(np.where(offered, -scores, np.inf), kind="stable")
    places = np.empty(len(order), dtype=int)
    places[order] = np.arange(1, len(order) + 1)
    return places
