"""The sizes of the data sets of [V] Tables 1.1 and 1.2 that are here."""

from datasets import load
from pages.ui.figures.figure import Curves, Size

LETOR = ("OHSUMED", "TD2003", "TD2004", "HP2003", "HP2004", "NP2003", "NP2004")
PAIRS = (16140, 49058, 74170, 147606, 74409, 148657, 73834)  # as Table 1.2 prints them
QUERIES = (106, 50, 75, 150, 75, 150, 75)
FILES = {
    "Optdigits": {"path": "optdigits/optdigits.tra.gz"},
    "Nursery": {"path": "nursery/nursery.arff.gz", "words": "numbers"},
    "Pendigits": {"path": "pendigits/pendigits.tra.gz"},
}


def classification(seed: int, size: Size) -> Curves:
    """Return the examples, features and classes of three UCI sets, and the classes that have more than two examples."""
    data = {name: load("classification-file", unit_length=False, **given) for name, given in FILES.items()}
    common = {name: load("classification-file", unit_length=False, least=3, **given) for name, given in FILES.items()}
    names = tuple(data)
    return {
        "Instances": (names, [d.examples for d in data.values()]),
        "Features": (names, [d.dimension for d in data.values()]),
        "Classes": (names, [d.classes for d in data.values()]),
        "Classes with more than two examples": (names, [d.classes for d in common.values()]),
    }


def ranking(seed: int, size: Size) -> Curves:
    """Return the sizes of the data that stand in for LETOR 3.0: those of Fig. 3.1."""
    search = load("web-search", queries=300, documents=20, features=20, data_seed=seed)
    sample = load("letor-file", path="lightgbm_lambdarank/rank.train.gz")
    names = ("Web search, synthetic", "LightGBM's sample")
    both = (search, sample)
    return {
        "Query document pairs": (names, [len(d.features) for d in both]),
        "Queries": (names, [d.queries for d in both]),
        "Relevancy levels": (names, [len(set(d.grades[0].tolist())) for d in both]),
        "Features": (names, [d.dimension for d in both]),
    }


def documents(seed: int, size: Size) -> Curves:
    """Return the documents of each query of LETOR 3.0 that follow from Table 1.2."""
    return {"Documents of a query": (LETOR, [pairs / queries for pairs, queries in zip(PAIRS, QUERIES, strict=True)])}
