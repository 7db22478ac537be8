"""The declaration of a figure: its panels, from which runs, links, scripts and charts follow, and what is said of it.

A panel declares one world and the learners in it. Its x axis is declared too: the steps of the run
(`Steps`), the values of a parameter (`Over`), several metrics of the end of the run (`Metrics`), or worlds with names
(`Groups`). A panel that no simulation gives names a function (`Computed`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from learners.base import PAPERS, Array
from pages.ui.figures.result import Result
from pages.ui.figures.statement import AGREES, OPEN, PARTLY, Statement

Params = Mapping[str, Any]

# the sources of figures: the papers, and "L" for their successors
SHEETS = PAPERS | {"L": "Their successors. What came after. Later works, 2009 to 2021."}


@dataclass(frozen=True)
class Size:
    """How much of a panel is run.

    steps : of each run. data : parameters of the data set that differ from the panel's. seeds : data seeds, from 0.
    replicates : runs of each seed, whose mean is the value of that seed.
    """

    steps: int
    data: Params = field(default_factory=dict)
    seeds: int = 10
    replicates: int = 1


@dataclass(frozen=True)
class Steps:
    """The steps of the run are on the x axis. points : of a curve, at most, evenly spread on the axis."""

    log: bool = True
    points: int = 40
    title: str = "steps"

    def at(self, steps: int) -> tuple[int, ...]:
        """Return the steps whose values are kept.

        >>> Steps(points=4).at(1000)
        (1, 10, 100, 1000)
        """
        spread = np.geomspace(1, steps, self.points) if self.log else np.linspace(0, steps, self.points + 1)[1:]
        return tuple(dict.fromkeys(int(max(1, round(x))) for x in spread))


@dataclass(frozen=True)
class Over:
    """The values of a parameter are on the x axis, and the metric's value at the end of the run on the y axis.

    owner : "learner", "user" or "dataset". only : names of the series that it varies; the others are drawn as level
    lines. All of them if it is empty.
    """

    name: str
    values: tuple[Any, ...]
    owner: str = "learner"
    title: str = ""
    log: bool = False
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.owner not in ("learner", "user", "dataset"):
            raise ValueError(f"owner must be learner, user or dataset, got {self.owner}")


@dataclass(frozen=True)
class Metrics:
    """Several metrics at the end of the run are on the y axis, each at a place of the x axis."""

    metrics: tuple[tuple[float | str, str], ...]  # place and id, such as (5, "ndcg@5")
    title: str = ""
    log: bool = False


@dataclass(frozen=True)
class Own:
    """The data of the paper, which a person may have.

    dataset : the data set that reads the file, with the parameters `params`. words : which file to choose, in the form
    in which its site gives it. files : names below the data folder by which a file is found without asking.
    replicates : runs of each data seed if not those of the panel, such as 5 where each takes another of five folds.
    """

    dataset: str
    words: str
    params: Params = field(default_factory=dict)
    files: tuple[str, ...] = ()
    replicates: int | None = None


@dataclass(frozen=True)
class Group:
    """A world with a name: what differs from the panel's data set, its parameters, its user and its learners' size."""

    name: str
    dataset: str = ""
    data: Params = field(default_factory=dict)
    user: str = ""
    asks: Params = field(default_factory=dict)
    steps: int = 0


@dataclass(frozen=True)
class Groups:
    """Worlds with names are on the x axis, and the metric's value at the end of the run on the y axis."""

    groups: tuple[Group, ...]
    title: str = ""


@dataclass(frozen=True)
class Series:
    """A learner of a panel under the name that the paper's legend gives it.

    params : of the learner. data, asks : parameters of the data set and of the user that differ from the panel's.
    user : the user if it differs. metric : the metric if it differs. printed : points (x, y) that the paper prints.
    reference : whether it is drawn dashed, since the paper does not compare it or only as a yardstick.
    """

    name: str
    learner: str
    params: Params = field(default_factory=dict)
    data: Params = field(default_factory=dict)
    user: str = ""
    asks: Params = field(default_factory=dict)
    metric: str = ""
    printed: tuple[tuple[float | str, float], ...] = ()
    reference: bool = False


Curves = Mapping[str, tuple[Any, Any]]  # by the name of a series: x (points,), and y (points,) of one seed
Computed = Callable[[int, Size], Curves]  # of a seed and a size


@dataclass(frozen=True, eq=False)
class Panel:
    """A panel of a figure, with the paper's axes and the paper's order of learners.

    id : its name in files, links and statements. title : as the paper's caption has it.
    dataset, data : the data set and its parameters at every size. user, asks : the simulated user and its parameters.
    metric : id of the metric on the y axis, where `x` is not `Metrics`.
    page, paper, live : how much is run by the command, how much the paper ran, and how much runs while a person waits
    (less than 30 seconds in all). Without `paper` the page's size is the paper's.
    drawn : function from x and y (seeds, points) to what is drawn, such as regret divided by √t.
    stands_for : the paper's data, where the panel has others. own : how a person's file takes their place.
    lab : the page on which it is watched, if it is not that of the learners' family. comparison : settings of a
    comparison by interleaving. computed : function that gives the curves where no simulation does; `series` then names
    them, and their learners are those that the page links. timed : whether it gives times, which differ from one
    computation to the next. assumed : whether the text does not print how much the paper ran, so that `paper` is what
    its size is taken to be.
    """

    id: str
    title: str
    series: tuple[Series, ...]
    page: Size
    dataset: str = ""
    data: Params = field(default_factory=dict)
    user: str = ""
    asks: Params = field(default_factory=dict)
    metric: str = ""
    x: Steps | Over | Metrics | Groups = field(default_factory=Steps)
    x_title: str = ""
    y_title: str = ""
    log_y: bool = False
    y_range: tuple[float, float] | None = None
    paper: Size | None = None
    live: Size | None = None
    drawn: Callable[[Array, Array], Array] | None = None
    stands_for: str = ""
    own: Own | None = None
    lab: str = ""
    comparison: Params | None = None
    computed: Computed | None = None
    timed: bool = False
    assumed: bool = False

    def size(self, scale: str) -> Size:
        """Return how much is run at a scale: "paper", "page" or "live"."""
        if scale == "paper":
            return self.paper or self.page
        if scale == "page":
            return self.page
        if scale != "live":
            raise ValueError(f"scale must be paper, page or live, got {scale}")
        small = Size(max(1, self.page.steps // 5), self.page.data, min(2, self.page.seeds), 1)
        return self.live or small


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure or table of a paper, or what one of its sections says in words.

    id : such as "C-fig2", in links, files and the command. paper : key of SHEETS. order : its place in
    the paper, the line of its caption in the text. where : "Fig. 2", "Table 1", "§6.2.5". title : what it shows, in a
    few words. caption : what one sees, in a few sentences. statements : what the paper prints, and the rule by which it
    is compared with what came out. why : what differs, and the cause as far as it is known. chosen : what was chosen
    after looking, or "". table : drawn as a table.
    """

    id: str
    paper: str
    order: int
    where: str
    title: str
    caption: str
    panels: tuple[Panel, ...]
    statements: tuple[Statement, ...]
    why: str = ""
    chosen: str = ""
    table: bool = False

    def panel(self, id: str) -> Panel:
        """Return one of the panels.

        Raises
        ------
        KeyError : if there is none with this id.
        """
        return {panel.id: panel for panel in self.panels}[id]

    def verdict(self, result: Result | None) -> str:
        """Return one of VERDICTS: all statements agree, all differ, or some of each; `OPEN` without a result."""
        return OPEN if result is None else of_all([statement.verdict(result) for statement in self.statements])


def of_all(verdicts: Sequence[str]) -> str:
    """Return the verdict of several: theirs if all have the same, else that they agree in part.

    >>> of_all(["differs", "differs"]), of_all(["agrees", "differs"]), of_all([])
    ('differs', 'agrees in part', 'agrees')
    """
    found = set(verdicts)
    return found.pop() if len(found) == 1 else PARTLY if found else AGREES
