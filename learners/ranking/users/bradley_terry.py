"""The user who compares: the Bradley–Terry model, with a temperature and ties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.compiled import compiled
from learners.ranking.step.page import CLICKS, Hidden, Page
from learners.ranking.users.base import User


@compiled
def prefers(gap: float, temperature: float, ties: float) -> float:
    """Return P(a is preferred to b) = 1 / (1 + exp(θ − (u_a − u_b)/τ)); without temperature, 1 if u_a − u_b > 0.

    gap : u_a − u_b. A tie has the chance that is left by this and by that of b.
    """
    if temperature == 0.0:
        return 1.0 if gap > 0.0 else 0.0
    return float(1.0 / (1.0 + np.exp(min(ties - gap / temperature, 700.0))))


@compiled
def click_preferred(page: Page, hidden: Hidden, temperature: float, ties: float) -> int:
    """Compare the first two documents, and click the one preferred, or neither."""
    hidden.clicks[:], hidden.judged[:] = False, -1
    if page.size < 2 or page.on_page < 2:
        return CLICKS
    a, b = min(page.shown[0], page.shown[1]), max(page.shown[0], page.shown[1])
    gap, u = hidden.utility[a] - hidden.utility[b], hidden.noise[a]
    a_wins, b_wins = prefers(gap, temperature, ties), prefers(-gap, temperature, ties)
    for i in range(2):
        won = u < a_wins if page.shown[i] == a else u >= 1.0 - b_wins
        hidden.clicks[i] = hidden.judged[i] = won
    return CLICKS


@dataclass(kw_only=True)
class BradleyTerry(User):
    """Compares the two documents on top, and clicks the better one, by the logistic function of their utilities.

    P(a ≻ b) = σ((u_a − u_b)/τ − θ), as in Rao and Kupper's model of ties; with θ = 0 it is that of Bradley and Terry,
    and there are none. The user who meets the same two documents in either order decides alike.

    Sources: Bradley & Terry, Biometrika 39, 1952; Rao & Kupper, JASA 62, 1967.
    """

    id: ClassVar[str] = "bradley-terry"
    title: ClassVar[str] = "Compares two (Bradley–Terry)"
    summary: ClassVar[str] = (
        "Compares the two documents on top and clicks the better one. The closer their utilities, the more it is like "
        "the toss of a coin. It looks at nothing else."
    )
    paper: ClassVar[str] = "BT52"
    works: ClassVar[Mapping[str, str]] = {
        "BT52": "Bradley & Terry. Rank Analysis of Incomplete Block Designs: I. The Method of Paired Comparisons. "
        "Biometrika 39, 1952."
    }
    section: ClassVar[str] = "§2 (the model, from memory), with ties as in Rao and Kupper (1967)"
    mistakes: ClassVar[str] = "temperature"

    temperature: float = real(
        1.0, 0, 1e6, symbol="τ", step=0.25, named=True,
        help="How much chance there is in its choice. At 0 it always takes the better one; far above the differences "
        "of utility it tosses a coin.",
    )  # fmt: skip
    ties: float = real(0.0, 0, 20, symbol="θ", step=0.25, help="How often it clicks neither. At 0 it always decides.")

    rule: ClassVar[Any] = staticmethod(click_preferred)
    by_document: ClassVar[str] = "random"
