"""Chances that each position of a list is looked at and clicked, for users whose chances follow from the grades."""

from dataclasses import dataclass

import numpy as np

from learners.base import Array


@dataclass(frozen=True)
class Attention:
    """The chances of a user at each position, (R, n), before it sees the list.

    looked : that it looks at the document there. clicked : that it clicks it. ended : that it looks at this one last,
    or None for a user who does not go down the list.
    """

    looked: Array
    clicked: Array
    ended: Array | None = None


def there(grades: Array, depth: Array | float = np.inf) -> Array:
    """Return which positions have a document and are not below a depth, (R, n) bool; depth is a number or (R, 1)."""
    found: Array = (grades >= 0) & (np.arange(grades.shape[1]) < depth)
    return found


def going_down(click: Array, end: Array, offered: Array) -> Attention:
    """Return the chances of a user who goes down the list and may end after each document.

    The document at place i is looked at with the chance that the user ended at none above it, Π_{j < i} (1 − e_j).

    click, end : (R, n) chances that a document looked at is clicked, and that the user ends there. offered : (R, n)
    bool, the positions that there are, without gaps.

    >>> half = np.full((1, 3), 0.5)
    >>> found = going_down(half, half, np.array([[True, True, False]]))
    >>> found.looked, found.clicked, found.ended
    (array([[1. , 0.5, 0. ]]), array([[0.5 , 0.25, 0.  ]]), array([[0.5, 0.5, 0. ]]))
    """
    goes = np.cumprod(np.where(offered, 1.0 - end, 0.0), axis=1)
    looked = np.where(offered, np.concatenate([np.ones((len(click), 1)), goes[:, :-1]], axis=1), 0.0)
    below = np.concatenate([looked[:, 1:], np.zeros((len(click), 1))], axis=1)
    return Attention(looked, looked * click, looked - below)


def by_place(click: Array, exponent: Array | float, offered: Array) -> Attention:
    """Return the chances of a user who looks at place i with probability i^−η, whatever stands elsewhere.

    click : (R, n) as in `going_down`. exponent : η, a number or (R, 1).
    """
    looked = np.where(offered, np.arange(1.0, click.shape[1] + 1) ** -exponent, 0.0)
    return Attention(looked, looked * click)


def judged_relevant(grades: Array, relevant_from: Array | float, noise: Array | float) -> Array:
    """Return the chance that a document is judged relevant, (R, n), if each judgement is wrong with a chance `noise`.

    relevant_from, noise : numbers or (R, 1).
    """
    return np.where(grades >= relevant_from, 1.0 - noise, noise)
