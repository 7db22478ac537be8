"""Loaded multilabel data: examples x, each with a set of labels.

Shapes: N examples with d features, K labels.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from datasets.base import Array, Dataset, Labelled, check_names, numbers
from datasets.parameters import shown

MAX_LABELS = 1000
LOSSES = ("square", "logistic")
_CHUNK = 2_000_000  # numbers computed at a time


def link(margins: Array, loss: str) -> Array:
    """Return P(y = 1) at margins u·x: (1 + u·x) / 2 for the square loss, 1 / (1 + exp(−u·x)) for the logistic loss.

    Source: [G] Eq. 2 with g(Δ) = 1 − Δ and g(Δ) = 1 / (e^Δ + 1).

    >>> link(np.array([-1.0, 0.0, 0.5]), "square"), link(np.array([0.0, np.log(3)]), "logistic")
    (array([0.  , 0.5 , 0.75]), array([0.5 , 0.75]))
    """
    if loss == "square":
        return np.asarray((1 + margins) / 2)
    return np.asarray(1 / (1 + np.exp(-margins)))


@dataclass(frozen=True, eq=False)
class MultilabelData(Labelled):
    """Examples, each with any number of labels.

    Parameters
    ----------
    id, params : the data set's id and parameters.
    features : (N, d) numbers; the learners' paper assumes rows of unit length.
    labels : (N, K) bool, which labels each example has.
    names : K names of the labels.
    model : (u, loss) with u (K, d) and loss "square" or "logistic" if the labels are known to be independent with
        probabilities `link(u @ x, loss)`. The labels of an example are then drawn afresh at every visit, and `labels`
        is one such draw. None if only the labels are known.
    notes : sentences on how the data were changed while loading.

    Raises
    ------
    ValueError : for no label or more than 1000, arrays whose shapes do not match, features that are not finite
        numbers, and a model whose probabilities are not between 0 and 1.

    >>> u = np.array([[1.0, 0.0], [0.0, -0.5]])
    >>> data = MultilabelData("two", {}, np.eye(2), np.array([[1, 0], [0, 0]]), ("sun", "rain"), model=(u, "square"))
    >>> data.examples, data.dimension, data.classes, data.density, data.radius
    (2, 2, 2, 0.25, 1.0)
    >>> data.probabilities(np.array([1]))
    array([[0.5 , 0.25]])
    """

    id: str
    params: dict[str, Any]
    features: Array
    labels: Array
    names: tuple[str, ...]
    model: tuple[Array, str] | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_names("names", self.names)
        for name, kind in (("features", np.float64), ("labels", bool)):
            object.__setattr__(self, name, np.ascontiguousarray(numbers(name, getattr(self, name)), dtype=kind))
        if self.features.ndim != 2 or self.labels.ndim != 2 or not self.features.size:
            raise ValueError(
                f"features and labels must be tables with a row for each example, got {self.features.shape} and "
                f"{self.labels.shape}"
            )
        if not 1 <= self.classes <= MAX_LABELS:
            found = "no label" if self.classes == 0 else f"{self.classes} labels"
            raise ValueError(f"a multilabel data set needs 1 to {MAX_LABELS} labels, got {found}")
        if self.labels.shape != (len(self.features), self.classes):
            raise ValueError(
                f"labels must be a table of {len(self.features)} examples × {self.classes} names, "
                f"got {self.labels.shape[0]} × {self.labels.shape[1]}"
            )
        self.check_finite()
        if self.model is not None:
            self._check_model(self.model)

    def _check_model(self, model: Any) -> None:
        if not isinstance(model, tuple) or len(model) != 2:
            raise ValueError(f"model must be a pair of weights u and a loss, or None, got {shown(model)}")
        u, loss = numbers("u", model[0], 2), model[1]
        object.__setattr__(self, "model", (u, loss))
        if u.shape != (self.classes, self.dimension) or not np.isfinite(u).all():
            raise ValueError(f"u must be {self.classes} × {self.dimension} finite numbers, got {u.shape}")
        if not isinstance(loss, str) or loss not in LOSSES:
            raise ValueError(f"the model's loss must be one of {', '.join(LOSSES)}, got {shown(loss)}")
        if loss == "square" and self.margin > 1 + 1e-9:
            raise ValueError(f"u·x must be in [-1, 1] for the square loss, got {self.margin:g}")

    @cached_property
    def density(self) -> float:
        """Mean share of the K labels that an example has, from 0 to 1."""
        return float(self.labels.mean())

    @cached_property
    def radius(self) -> float:
        """The largest ‖x‖."""
        return float(np.sqrt(np.einsum("nd,nd->n", self.features, self.features).max()))

    @cached_property
    def margin(self) -> float:
        """The largest |u·x| of the model, the smallest R that [G] allows; NaN without a model."""
        if self.model is None:
            return float("nan")
        step = max(1, _CHUNK // self.classes)
        parts = (self.features[a : a + step] @ self.model[0].T for a in range(0, self.examples, step))
        return max(float(np.abs(part).max()) for part in parts)

    def probabilities(self, rows: Array) -> Array:
        """Return the label probabilities of these examples, shape (len(rows), K).

        The numbers of an example are the same to the last bit whichever other rows are requested.

        Raises
        ------
        ValueError : if there is no model.
        """
        if self.model is None:
            raise ValueError(f"the label probabilities of {self.id} are not known")
        u, loss = self.model
        margins = np.matmul(self.features.take(rows, axis=0)[:, None], u.T)[:, 0]  # a separate product per example
        p = link(margins, loss)
        return p.clip(0.0, 1.0) if loss == "square" else p


@dataclass(kw_only=True)
class MultilabelDataset(Dataset):
    """A multilabel data set that can be built from its parameters."""

    family: ClassVar[str] = "multilabel"
