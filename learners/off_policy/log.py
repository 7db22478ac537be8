"""A log: what a logging policy has shown, and what users clicked by a position-based model, for R replicates.

The policy shows its list with neighbours exchanged as 3PR does ([S] Alg. 3), or, now and then, a random order. The
chance of each document at each place is therefore known without any draws.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from learners.base import Array
from learners.random import EACH, Stream

EVEN, ODD, RANDOM = range(3)  # pairs (1,2),(3,4),…; pairs (2,3),(4,5),…; a random order


class Log(NamedTuple):
    """N interactions. shown : (R, N, n) documents. clicks : (R, N, n) bool by place. pairing : (R, N), as above."""

    shown: Array
    clicks: Array
    pairing: Array


@dataclass(frozen=True)
class Policy:
    """Shows a list (n,) with each pair of neighbours exchanged with chance ½, and with chance ε a random order."""

    ranking: Array
    epsilon: float = 0.1

    def chances(self) -> Array:
        """Return the chance of each document at each place, (n, n).

        >>> Policy(np.array([1, 0, 2]), epsilon=0.0).chances()
        array([[0.25, 0.5 , 0.25],
               [0.75, 0.25, 0.  ],
               [0.  , 0.25, 0.75]])
        """
        n = len(self.ranking)
        beside = (np.eye(n, k=1) + np.eye(n, k=-1)) / 4  # a place is in a pair with each neighbour half of the time
        places = beside + np.diag(1 - beside.sum(axis=1))
        found: Array = np.empty((n, n))
        found[self.ranking] = (1 - self.epsilon) * places + self.epsilon / n
        return found

    def draw(self, stream: Stream, interactions: int) -> tuple[Array, Array]:
        """Return the lists shown (R, N, n), and how pairs were formed (R, N)."""
        n = len(self.ranking)
        numbers = stream.random((EACH, interactions, 2 + n // 2))
        pairing = np.where(numbers[..., 0] < self.epsilon, RANDOM, np.where(numbers[..., 1] < 0.5, EVEN, ODD))
        place = np.tile(np.arange(n), (*pairing.shape, 1))
        for i in range(n - 1):
            swap = (pairing == i % 2) & (numbers[..., 2 + i // 2] < 0.5)
            place[..., i], place[..., i + 1] = (
                np.where(swap, place[..., i + 1], place[..., i]),
                np.where(swap, place[..., i], place[..., i + 1]),
            )
        anyhow = stream.random((EACH, interactions, n)).argsort(axis=2)
        return self.ranking[np.where(pairing[..., None] == RANDOM, anyhow, place)], pairing


def make_log(policy: Policy, relevance: Array, examination: Array, interactions: int, stream: Stream) -> Log:
    """Return a log of users who look at place k with chance θ_k, and click what they look at with chance r_d.

    relevance : r (n,) of the documents. examination : θ (n,) of the places.

    >>> stream = Stream(np.random.default_rng(0), 2)
    >>> log = make_log(Policy(np.arange(3)), np.array([1.0, 0.0, 0.0]), np.ones(3), 100, stream)
    >>> bool((log.clicks == (log.shown == 0)).all())
    True
    """
    shown, pairing = policy.draw(stream, interactions)
    noise = stream.random((EACH, interactions, len(relevance)))
    return Log(shown, noise < examination * relevance[shown], pairing)


def counts(log: Log) -> tuple[Array, Array]:
    """Return how often each document was shown, and clicked, at each place, (R, n, n) each."""
    R, n = len(log.shown), log.shown.shape[2]
    cell = (np.arange(R)[:, None, None] * n + log.shown) * n + np.arange(n)
    shown, clicked = (
        np.bincount(cell.ravel(), weights, minlength=R * n * n).reshape(R, n, n)
        for weights in (None, log.clicks.ravel().astype(float))
    )
    return shown.astype(float), clicked
