"""Compiled parts of the users' rules: judge, put documents on top, exchange the first document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import integer, real
from learners.base import Array, column
from learners.compiled import compiled
from learners.ranking.step.page import Hidden, Page
from learners.ranking.users.attention import judged_relevant
from learners.ranking.users.base import Response, User
from learners.vectors import copy

TOP = 5  # documents that a user puts on top ([C] §6.1.1)


@compiled
def seems_relevant(page: Page, hidden: Hidden, i: int, noise: float, relevant_from: int) -> bool:
    """Return whether the document at position i is judged relevant, which is wrong with the probability `noise`."""
    document = page.shown[i]
    wrong = hidden.noise[document] < noise
    return (hidden.grades[document] >= relevant_from) != wrong


@dataclass(kw_only=True)
class JudgingUser(User):
    """Base of the users who judge documents relevant or not, each wrongly with probability `noise`."""

    mistakes: ClassVar[str] = "noise"
    by_document: ClassVar[str] = "random"

    noise: float = real(0.2, 0, 1, symbol="η", step=0.05, help="Chance that a single judgement is wrong.")
    relevant_from: int = integer(
        1, 1, 4, help="Lowest grade that counts as relevant. It matters for data with grades above 1."
    )

    def mistaken(self, grades: Array, response: Response) -> Array:
        clicks, passed = response.clicked_and_passed()
        relevant = grades >= column(self.relevant_from)
        wrong: Array = (clicks & ~relevant) | (passed & relevant)
        return wrong

    def relevant(self, grades: Array) -> Array:
        """Return how likely documents of these grades (R, n) are judged relevant, (R, n)."""
        return judged_relevant(grades, column(self.relevant_from), column(self.noise))


@compiled
def take_up(page: Page, size: int, i: int) -> tuple[int, bool]:
    """Insert position i among the (at most five) positions with the highest keys, `page.place[:size]`.

    Return their new number, and whether they changed. Equal keys stand in the order of positions.
    """
    if size == TOP and not page.key[i] > page.key[page.place[TOP - 1]]:
        return size, False
    k = min(size, TOP - 1)
    while k > 0 and page.key[page.place[k - 1]] < page.key[i]:
        page.place[k] = page.place[k - 1]
        k -= 1
    page.place[k] = i
    return min(size + 1, TOP), True


@compiled
def put_on_top(page: Page, hidden: Hidden, size: int) -> None:
    """Answer with the documents at the positions `page.place[:size]` on top, the others below as they were shown."""
    for k in range(size):
        hidden.answer[k] = page.shown[page.place[k]]
    k = size
    for i in range(page.shown.shape[0]):
        chosen = False
        for j in range(size):
            chosen = chosen or page.place[j] == i
        if not chosen:
            hidden.answer[k] = page.shown[i]
            k += 1


@compiled
def exchange_first(page: Page, hidden: Hidden, document: int) -> None:
    """Answer with the ranking shown in which a document is exchanged with the first."""
    copy(page.shown, hidden.answer)
    for i in range(page.shown.shape[0]):
        if page.shown[i] == document:
            hidden.answer[i] = page.shown[0]
    hidden.answer[0] = document


@compiled
def preferred(hidden: Hidden, grade: float) -> int:
    """Return the document of a grade with the smallest random number, the first of ties, or −1."""
    best, least = -1, 0.0
    for i in range(hidden.grades.shape[0]):
        if hidden.grades[i] == grade and 1.0 - hidden.noise[i] > least:
            best, least = i, 1.0 - hidden.noise[i]
    return best


@compiled
def informative_item(page: Page, hidden: Hidden, alpha: float) -> int:
    """Return the document of least utility that gains α of the gap, or the one on top if there is no gap."""
    utility, shown = hidden.utility, page.shown[0]
    now = best = utility[shown]
    for i in range(utility.shape[0]):
        best = max(best, utility[i])
    slip = 1e-12 * (1.0 + abs(best))  # a gain that equals it up to rounding is enough
    if best - now <= slip:
        return shown
    needed = now + alpha * (best - now) - slip
    chosen, least = shown, 1e308
    for i in range(utility.shape[0]):
        beyond = utility[i] - needed
        if 0.0 <= beyond < least:
            chosen, least = i, beyond
    return chosen
