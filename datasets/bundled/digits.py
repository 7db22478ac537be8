"""scikit-learn's handwritten digits as a classification task."""

from dataclasses import dataclass

import numpy as np

from datasets.base import ExampleSize
from datasets.classification import ClassificationData, ClassificationDataset
from datasets.parameters import flag

_IMAGES, _PIXELS = 1797, 64


@dataclass(kw_only=True)
class Digits(ClassificationDataset):
    """1797 pictures of 8 × 8 pixels in ten classes.

    Features (1797, 64), each picture scaled to unit length, as the theorems assume.

    Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository,
    1998; the copy in scikit-learn.

    >>> data = Digits().build()
    >>> data.features.shape, data.classes, round(data.radius, 6)
    ((1797, 64), 10, 1.0)
    """

    id = "digits"
    order = 130
    judged_by = "images"
    title = "Handwritten digits"
    summary = (
        "Small pictures of handwritten digits from 0 to 9: ten classes, some of which look much alike. A linear "
        "learner's weights for a class form a picture too."
    )
    paper = "Alpaydin and Kaynak, Optical Recognition of Handwritten Digits, UCI, 1998"
    section = "(the copy in scikit-learn)"

    unit_length: bool = flag(True, help="Scale each picture to length 1; otherwise heavily inked digits weigh more.")

    def size(self) -> ExampleSize:
        return ExampleSize(_IMAGES, _PIXELS, 10, 8 * _IMAGES * (_PIXELS + 1))

    def build(self) -> ClassificationData:
        from sklearn.datasets import load_digits

        bunch = load_digits()
        features = bunch.data.astype(float)
        if self.unit_length:
            features = features / np.linalg.norm(features, axis=1, keepdims=True)
        names = tuple(str(k) for k in range(10))
        return ClassificationData(self.id, self.params, features, bunch.target, names, image_shape=(8, 8))
