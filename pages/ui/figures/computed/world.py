"""The data of a panel whose curves a function makes: those of the paper's stand-in, or a person's file."""

import datasets
from datasets.ranking import RankingData
from pages.ui.figures.figure import Size


def world(id: str, seed: int, size: Size) -> RankingData:
    """Return the data for a data seed. `size.data` may name another data set, such as one that reads a file.

    >>> world("toy-ranking", 0, Size(1, {"documents": 4})).longest
    4
    """
    params = dict(size.data)
    id = params.pop("dataset", id)
    seeded = any(p.name == "data_seed" for p in datasets.classes()[id].parameters())
    data: RankingData = datasets.load(id, **({"data_seed": seed} if seeded else {}) | params)
    return data
