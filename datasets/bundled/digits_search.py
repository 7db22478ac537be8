"""Search among handwritten digits: every document is a picture, and the user wants one digit."""

from dataclasses import dataclass

import numpy as np

from datasets.base import Array
from datasets.parameters import choice, integer
from datasets.ranking import RankingData, RankingDataset, Size

_IMAGES, _PIXELS, _DIGITS = 1797, 64, 10  # what scikit-learn's load_digits holds


@dataclass(kw_only=True)
class DigitsSearch(RankingDataset):
    """scikit-learn's 1797 handwritten digits as documents; the user wants one of the ten digits.

    Features (1797, 64): the 8 × 8 pixels, each image scaled to unit length. A query offers `documents`
    different images in random order. The numbers of images of each digit differ by at most one, so the
    digit sought is always present. Its images have grade 1, all others 0. With topic "all" there are ten
    tasks, one for each digit, otherwise one: a user is a topic. w* is the least-squares fit of the grades.

    Source: the set-up follows Raman et al., Stable Coactive Learning via Perturbation, ICML 2013, §8
    (users equated with single topics); images: E. Alpaydin and C. Kaynak, Optical Recognition of
    Handwritten Digits, UCI Machine Learning Repository, 1998.

    >>> data = DigitsSearch(documents=10, topic="3", queries=10).build()
    >>> data.features.shape, data.task_names, data.queries
    ((1797, 64), ('digit 3',), 10)
    >>> [int(data.grades[0, data.documents(q)].sum()) for q in range(3)]
    [1, 1, 1]
    """

    id = "digits-search"
    order = 20
    judged_by = "images"
    title = "Handwritten digits: find one digit"
    summary = (
        "Every document is a small picture of a handwritten digit, and the user wants the pictures of one "
        "digit. A linear learner's weights form a picture of that digit. With all topics, the replicates' users want "
        "different digits."
    )
    paper = "Raman et al., Stable Coactive Learning via Perturbation, ICML 2013"
    section = "§8 (users as topics); images: Alpaydin and Kaynak, UCI, 1998"

    documents: int = integer(
        20, 10, 50, symbol="n", help="Pictures in each query; with 10, only one shows the digit sought."
    )
    topic: str = choice(
        "all",
        ("all", *"0123456789"),
        help="The digit that the user wants; with all, the replicates take the digits in turn. Try 8, the hardest.",
    )
    queries: int = integer(1000, 10, 10000, help="Different queries before they repeat; try 10 to see them recur.")
    data_seed: int = integer(
        0, 0, 2**31 - 1, rare=True, help="Seed of the queries; another seed gives other queries of the same kind."
    )

    def size(self) -> Size:
        numbers = _IMAGES * (_PIXELS + len(self._topics())) + self.queries * (self.documents + 1) + 1
        return Size(queries=self.queries, documents=self.documents, features=_PIXELS, bytes=8 * numbers)

    def build(self) -> RankingData:
        from sklearn.datasets import load_digits  # here: it is slow to import

        pixels, labels = load_digits(return_X_y=True)
        topics = self._topics()
        return RankingData(
            id=self.id,
            params=self.params,
            features=pixels / np.linalg.norm(pixels, axis=1, keepdims=True),
            starts=np.arange(self.queries + 1) * self.documents,
            grades=(labels == np.array(topics)[:, None]).astype(float),
            rows=self._sample(labels).ravel(),
            image_shape=(8, 8),
            task_names=tuple(f"digit {t}" for t in topics),
            top_grade=1,
        )

    def _topics(self) -> list[int]:
        return list(range(_DIGITS)) if self.topic == "all" else [int(self.topic)]

    def _sample(self, labels: Array) -> Array:
        """Draw (Q, n) image numbers: n // 10 images of each digit, and one more of n % 10 random digits."""
        rng = np.random.default_rng(self.data_seed)
        each, extra = divmod(self.documents, _DIGITS)
        drawn = np.empty((self.queries, _DIGITS, each + 1), dtype=int)
        for digit in range(_DIGITS):
            images = np.flatnonzero(labels == digit)
            # the positions of the smallest random numbers are a sample without replacement
            order = rng.random((self.queries, len(images))).argpartition(each, axis=1)
            drawn[:, digit] = images[order[:, : each + 1]]
        keep = np.ones(drawn.shape, dtype=bool)
        keep[:, :, each] = rng.random((self.queries, _DIGITS)).argsort(axis=1) < extra
        return rng.permuted(drawn[keep].reshape(self.queries, self.documents), axis=1)
