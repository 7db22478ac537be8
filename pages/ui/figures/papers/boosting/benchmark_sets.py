"""[V] §1.6: the data sets of the dissertation."""

from pages.ui.figures.computed.data_sets import LETOR, PAIRS, QUERIES, classification, documents, ranking
from pages.ui.figures.figure import Figure, Panel, Series, Size
from pages.ui.figures.statement import Near, Statement, at

UCI = ("Isolet", "MNIST", "Protein", "Optdigits", "Nursery", "Letter", "Pendigits")
HERE = ("Optdigits", "Nursery", "Pendigits")
INSTANCES = (7797, 60000, 17766, 3823, 12960, 15000, 7495)
FEATURES = (617, 784, 357, 64, 8, 16, 16)
CLASSES = (26, 10, 3, 26, 3, 26, 26)


def printed(names: tuple[str, ...], values: tuple[int, ...]) -> tuple[tuple[str, float], ...]:
    """Return the printed points of a row of a table."""
    return tuple((name, float(value)) for name, value in zip(names, values, strict=True))


TABLE_1_1 = Figure(
    "V-tab1.1", "V", 388, "Table 1.1", "The classification data sets",
    "What the files of three of the seven sets hold, beside what the table prints. Isolet, MNIST, Protein and Letter "
    "are not here.",
    (
        Panel("uci", "UCI data sets",
              (Series("Instances", "", printed=printed(UCI, INSTANCES)),
               Series("Features", "", printed=printed(UCI, FEATURES)),
               Series("Classes", "", printed=printed(UCI, CLASSES)),
               Series("Classes with more than two examples", "")),
              Size(1, seeds=10), "classification-file", {"path": "pendigits/pendigits.tra.gz"},
              x_title="data set", y_title="number", computed=classification),
    ),
    (
        Statement(
            "Optdigits has 3,823 instances and 64 features, Pendigits 7,495 and 16, Nursery 12,960 and 8.",
            "The files have {Optdigits0.mean:,.0f} and {Optdigits1.mean:,.0f}, {Pendigits0.mean:,.0f} and "
            "{Pendigits1.mean:,.0f}, {Nursery0.mean:,.0f} and {Nursery1.mean:,.0f}.",
            *(Near(f"{name}{i}", printed[UCI.index(name)], within)
                for i, (printed, within) in enumerate(((INSTANCES, 1), (FEATURES, 0))) for name in HERE),
            values={f"{name}{i}": at("uci", row, name)
                for i, row in enumerate(("Instances", "Features")) for name in HERE},
        ),
        Statement(
            "Optdigits and Pendigits have 26 classes.",
            "They have {o.mean:,.0f} and {p.mean:,.0f}.",
            Near("o", 26, 0), Near("p", 26, 0), o=at("uci", "Classes", "Optdigits"),
            p=at("uci", "Classes", "Pendigits"),
            why=(
                "The digits are ten; 26 is the number of letters. The list above the table calls both sets "
                "handwritten digits."
            ),
        ),
        Statement(
            "Nursery has 3 classes. (The list above the table says 4, without one class of two examples.)",
            "The file has {all.mean:,.0f}, of which {more.mean:,.0f} have more than two examples.",
            Near("more", 3, 0), all=at("uci", "Classes", "Nursery"),
            more=at("uci", "Classes with more than two examples", "Nursery"),
            why="The table contradicts the list, and the list is right.",
        ),
    ),
    table=True,
)  # fmt: skip

TABLE_1_2 = Figure(
    "V-tab1.2", "V", 405, "Table 1.2", "The ranking data sets of LETOR 3.0",
    "LETOR 3.0 is not here. Beside its collections stand the data that take their place in Fig. 3.1.",
    (
        Panel("letor", "LETOR 3.0 and what stands in for it",
              (Series("Query document pairs", "", printed=printed(LETOR, PAIRS)),
               Series("Queries", "", printed=printed(LETOR, QUERIES)),
               Series("Relevancy levels", "", printed=printed(LETOR, (3, 2, 2, 2, 2, 2, 2))),
               Series("Features", "", printed=printed(LETOR, (45, 63, 63, 63, 63, 63, 63)))),
              Size(1, seeds=10), "letor-file", {"path": "lightgbm_lambdarank/rank.train.gz"},
              x_title="data set", y_title="number", computed=ranking),
        Panel("documents", "Documents of a query, by the table", (Series("Documents of a query", ""),),
              Size(1, seeds=10), x_title="data set", y_title="number", computed=documents),
    ),
    (
        Statement(
            "Each query has about 1,000 documents.",
            "By the table's own numbers it has {OHSUMED.mean:,.0f} in OHSUMED and {TD2003.mean:,.0f} to "
            "{HP2004.mean:,.0f} in the other collections.",
            *(Near(name, 1000, 100) for name in LETOR),
            values={name: at("documents", "Documents of a query", name) for name in LETOR}, where="§1.6.2",
            why="The sentence on OHSUMED fits the other collections.",
        ),
    ),
    table=True,
)  # fmt: skip

FIGURES = (TABLE_1_1, TABLE_1_2)
