"""Results for the page of the figures in tests: two figures of two papers, and results made up by hand."""

from dataclasses import replace

import numpy as np
import pytest

from pages.ui.figures import catalogue, result
from pages.ui.figures.causes import catalogue as causes
from pages.ui.figures.digest import code_digest, setup_digest
from pages.ui.figures.figure import Figure, Metrics, Panel, Series, Size, Steps
from pages.ui.figures.result import Drawn, Result
from pages.ui.figures.statement import Above, Near, Statement, at

CURVES = Figure(
    "S-fig1", "S", 10, "Fig. 1", "Curves & <b>bands</b>", "Regret of two learners.",
    (
        Panel(
            "web", "Web search", (
                Series("3PR", "perturbed-perceptron", printed=((100, 0.3),)),
                Series("perceptron", "preference-perceptron"),
                Series("best", "", reference=True),
            ), Size(100, {"queries": 50}), "web-search", user="cascade", metric="average-regret",
            paper=Size(1000), stands_for="arXiv’s search",
        ),
    ),
    (
        Statement(
            "3PR is better.",
            "3PR ends at {a:.2f}.",
            Above(at("web", "perceptron"), "a"), a=at("web", "3PR"),
        ),
        Statement(
            "The perceptron ends at 0.9.",
            "It ends at {b:.2f}.",
            Near("b", 0.9, 0.01), b=at("web", "perceptron"), why="The users <i>differ</i>.",
        ),
    ), chosen="The noise.",
)  # fmt: skip
TABLE = Figure(
    "V-tab1.2", "V", 5, "Table 1.2", "NDCG by place", "A **table**.",
    (
        Panel(
            "ndcg", "Synthetic", (
                Series("AdaRank", "adarank", printed=((1, 0.5), (5, 0.45))), Series("NDCG_Boost", "ndcg-boost"),
            ), Size(5), "web-search", x=Metrics(((1, "ndcg@1"), (5, "ndcg@5")), "k"),
        ),
    ),
    (Statement(
        "AdaRank is at .5.",
        "It is at {a:.3f}.",
        Near("a", 0.5, 0.02), a=at("ndcg", "AdaRank", 1),
    ),),
    table=True,
)  # fmt: skip
MISSING = replace(CURVES, id="B-fig1", paper="B", order=1, title="Nothing yet", panels=(
    replace(CURVES.panels[0], x=Steps(log=False)),), statements=CURVES.statements[:1], chosen="")  # fmt: skip
STEPS = (1, 10, 100)


def curves(*ends):
    """A value of 1 at first, half way in the middle, and these numbers, one for each data seed, at the end."""
    return Drawn(STEPS, np.array([[1.0, (1 + end) / 2, end] for end in ends]))


def made(figure, panels, **more):
    given = {"setup": setup_digest(figure), "code": code_digest(figure), "seconds": 30.0, "made": "2026-01-02"}
    return Result(panels, **(given | more))


def results():
    """The results by figure; the first statement agrees, the second differs, and that of the table agrees."""
    drawn = {"3PR": curves(0.2, 0.22, 0.21), "perceptron": curves(0.5, 0.54, 0.52), "best": curves(0.0, 0.0, 0.0)}
    places = {"AdaRank": Drawn((1, 5), np.array([[0.49, 0.44], [0.51, 0.46]])),
              "NDCG_Boost": Drawn((1, 5), np.array([[0.6, 0.5], [0.6, 0.52]]))}  # fmt: skip
    return {"S-fig1": made(CURVES, {"web": drawn}), "V-tab1.2": made(TABLE, {"ndcg": places})}


@pytest.fixture
def shown(monkeypatch, tmp_path):
    """The folder of the results; the page knows three figures, of which one was never computed."""
    known = {figure.id: figure for figure in (CURVES, MISSING, TABLE)}
    monkeypatch.setattr(catalogue, "figures", lambda: known)
    monkeypatch.setattr(causes, "ablations", lambda: {})
    monkeypatch.setattr(result, "FOLDER", tmp_path)
    for id, kept in results().items():
        result.write(id, kept, tmp_path)
    return tmp_path
