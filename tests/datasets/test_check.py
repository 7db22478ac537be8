"""The public checker: every data set that can be built here passes it, and broken ones are told what is wrong."""

from dataclasses import dataclass

import numpy as np
import pytest

from datasets import check_dataset, classes
from datasets.made.separable_points import SeparablePoints
from datasets.parameters import integer
from tests.cases import cases

# parameters that keep those short which are not small as they are
SMALL = {
    "digits-search": {"documents": 10},
    "web-search": {"queries": 10, "documents": 5, "features": 4},
    "one-list": {"source": "digits-search", "query": 3},
    "movies": {"users": 60, "movies": 90, "ratings": 30, "features": 6},
    "rated-movies": {"users": 60, "movies": 90, "ratings": 40},
    "function-search": {"queries": 100, "documents": 10}, "synsep": {"examples": 200},
    "synnonsep": {"examples": 200}, "four-topics": {"examples": 200, "words": 200},
    "separable-points": {"examples": 100}, "moons": {"examples": 100},
    "blobs": {"examples": 100}, "rings": {"examples": 100},
    "multilabel-synthetic": {"labels": 4, "features": 4, "examples": 100},
}  # fmt: skip
# those that read a file or download one are left to their own tests
FILES = {id for id, cls in classes().items() if any(p.name == "path" for p in cls.parameters())}
DOWNLOADS = {id for id, cls in classes().items() if "downloads" in cls.__module__ or hasattr(cls, "source_of")}


@pytest.mark.parametrize("id", sorted(set(classes()) - FILES - DOWNLOADS - {"movielens"}))
def test_every_data_set_keeps_what_data_sets_promise(id):
    check_dataset(classes()[id], **SMALL.get(id, {}))


@dataclass(kw_only=True)
class Good(SeparablePoints):
    id = "my-points"


class Boastful(Good):
    def size(self):
        from dataclasses import replace

        return replace(super().size(), examples=7)


class Moody(Good):
    def build(self):
        from dataclasses import replace

        data = super().build()
        return replace(data, features=data.features + np.random.default_rng().random())


@dataclass(kw_only=True)
class Loose(Good):
    extra: int = integer(3, 0, 5)


@cases(
    ("cls", "sentence"),
    [
        (Boastful, "promises 7 examples and builds 100"),
        (Moody, "builds other features the second time"),
        (Loose, "extra of my-points needs a help text"),
    ],
)
def test_what_a_broken_data_set_is_told(cls, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_dataset(cls, examples=100)
