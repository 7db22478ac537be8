"""Projections of weights onto a ball around 0, in the Euclidean norm or in that of a matrix."""

from __future__ import annotations

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.threads import one_thread
from learners.vectors import product

NUMBERS = 2_000_000  # of matrices that are taken apart at a time
_NEWTON = 60  # most steps; about five are needed


@compiled
def project(w: Array, radius: float) -> None:
    """Move w (d,) to the nearest point of the ball ([C] Algorithm 5)."""
    length = np.sqrt(product(w, w))
    if length > radius:
        w *= radius / length


def into_ball(w: Array, radius: float | Array) -> Array:
    """Return the points of the ball nearest to w, shape (R, d) ([C] Algorithm 5). `radius` is a number or (R,).

    >>> into_ball(np.array([[3.0, 4.0], [0.3, 0.4]]), 1.0)
    array([[0.6, 0.8],
           [0.3, 0.4]])
    """
    inside = np.array(w, dtype=float)
    for row, most in zip(inside, np.broadcast_to(radius, len(inside)), strict=True):
        project(row, float(most))
    return inside


def into_ball_by(w: Array, inverse: Array, radius: float | Array) -> Array:
    """Return the points u of the ball that minimise (w − u)ᵀ A (w − u), shape (R, d) ([C] Algorithm 6).

    If w lies outside, u = (A + μI)⁻¹ A w = (I + μA⁻¹)⁻¹ w for the single μ > 0 at which ‖u‖ equals the radius. With the
    eigenvalues p of A⁻¹ and the coordinates h of w along its eigenvectors, ‖u‖² = Σ (h / (1 + μp))². Since 1/‖u‖ is
    concave and nearly linear in μ, Newton's method on 1/‖u‖ = 1/radius rises from μ = 0 to the root.

    inverse : (R, d, d) A⁻¹, symmetric and positive definite. radius : a number or (R,).

    >>> into_ball_by(np.array([[1.2, 4.0]]), np.diag([1.0, 4.0])[None], 1.0).round(9)  # μ = 1: 1.2 / 2 and 4 / 5
    array([[0.6, 0.8]])
    """
    outside = np.flatnonzero(_length(w) > radius)
    if not outside.size:
        return w
    goal = np.broadcast_to(np.asarray(radius, dtype=float), len(w))
    result = w.copy()
    few = max(1, NUMBERS // inverse[0].size)
    for first in range(0, len(outside), few):
        rows = outside[first : first + few]
        result[rows] = _nearest(w[rows], inverse[rows], goal[rows])
    return result


def _nearest(w: Array, inverse: Array, goal: Array) -> Array:
    """Return what `into_ball_by` returns, for points w (r, d) all of which lie outside of the ball of radius `goal`."""
    with one_thread():
        p, vectors = np.linalg.eigh(inverse)
    p = np.maximum(p, 0.0)
    h = np.matmul(w[:, None, :], vectors)[:, 0, :]
    mu = np.zeros(len(w))
    for _ in range(_NEWTON):
        shrunk = h / (1.0 + mu[:, None] * p)
        length = _length(shrunk)
        todo = length > goal * (1.0 + 1e-12)
        if not todo.any():
            break
        slope = np.einsum("rd,rd->r", shrunk * shrunk, p / (1.0 + mu[:, None] * p))
        mu = mu + np.where(todo, length**2 * (length - goal) / (goal * slope), 0.0)
    nearest: Array = np.matmul(vectors, (h / (1.0 + mu[:, None] * p))[:, :, None])[:, :, 0]
    return nearest


def _length(w: Array) -> Array:
    length: Array = np.sqrt(np.einsum("rd,rd->r", w, w))
    return length
