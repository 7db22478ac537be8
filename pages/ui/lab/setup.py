"""A lab's setup apart from any widget: what is raced on what, as numbers, a link, or a Python script."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import datasets
from datasets.parameters import Parameter
from datasets.ranking import RankingData
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.catalogue import learner_classes
from learners.interleaving import Comparison

MAX_STEPS = {
    "ranking": 2_000_000, "classification": 50_000_000, "multilabel": 5_000_000,
    "semi-supervised": 20_000, "learning-to-rank": 20_000, "refinement": 50_000,
}  # fmt: skip
# learners × steps × replicates that one lab may take, by family: some seconds to some minutes of work
MAX_STEP = 10_000_000  # replicates × documents × features that one step may touch
MAX_ROUND = {"semi-supervised": 150_000_000, "learning-to-rank": 20_000_000, "refinement": 50_000_000}
# replicates × pairs (of training examples, or of documents within queries) that one round of boosting may touch
MAX_STATE_MB = 400  # what the learners of a lab may hold
MAX_BOOSTED_MB = 1000  # the same of boosting learners, most of it for the length of a round
RECORDED = 400_000  # steps × replicates that a lab's history holds one by one before it is thinned
MAX_DATA_MB = int(os.environ.get("FEEDBACK_LAB_DATA_MB", "500"))

REPLICATES = Parameter(
    "replicates", "integer", 20, 1, 100,
    help="How many runs are made side by side, each with its own order of the data and its own noise. "
    "Curves show their mean; choose 1 to follow a single run.",
)  # fmt: skip
STEPS = Parameter(
    "steps", "integer", 1000, 10, 100_000, step=10,
    help="Where the run ends. The papers use 1,000 (toy) to 50,000.",
)  # fmt: skip
SEED = Parameter(
    "seed", "integer", 0, 0, 2**31 - 1,
    help="Makes all random numbers: the same seed gives the same curves, on every machine.",
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """An id with parameters that differ from nothing: all of them, in order, so that it can be a key."""

    id: str
    params: tuple[tuple[str, Any], ...] = ()

    @property
    def dict(self) -> dict[str, Any]:
        """The parameters by name."""
        return dict(self.params)


@dataclass(frozen=True)
class Setup:
    """Everything that decides the numbers of a lab."""

    learners: tuple[Choice, ...]
    dataset: Choice
    user: Choice | None
    replicates: int
    steps: int
    seed: int
    comparison: tuple[tuple[str, Any], ...] | None = None  # how learners are compared by interleaving, if they are

    @property
    def family(self) -> str:
        """The family of the learners."""
        return learner_classes()[self.learners[0].id].family if self.learners else ""

    def check(self) -> None:
        """ValueError, in one sentence, if this asks for more than a shared server should give."""
        if not self.learners:
            raise ValueError("Choose at least one learner to watch.")
        family = self.family
        steps = len(self.learners) * self.steps * self.replicates
        if steps > MAX_STEPS[family]:
            unit = unit_of(family) + "s"
            raise ValueError(
                f"{len(self.learners)} learner(s) × {self.steps:,} {unit} × {self.replicates} replicates are "
                f"{steps:,} {unit} in all; a lab allows {MAX_STEPS[family]:,}. Lower the {unit} or the replicates."
            )
        check_size(self.dataset)

    def check_step(self, data: Any) -> None:
        """ValueError if one step on these data, or what the learners would hold, were too much."""
        family = self.family
        if unit_of(family) == "round":
            check_round(family, data, self.replicates)
        elif isinstance(data, RankingData):
            numbers = self.replicates * data.longest * data.dimension
            if numbers > MAX_STEP:
                raise ValueError(
                    f"{self.replicates} replicates × {data.longest} documents × {data.dimension} features are "
                    f"{numbers:,} numbers a step; a lab allows {MAX_STEP:,}. Lower one of the three."
                )
        shape = shape_of(family, data)
        held = sum(create(c.id, **c.dict).memory(shape, self.replicates) for c in self.learners)
        most = MAX_BOOSTED_MB if unit_of(family) == "round" else MAX_STATE_MB
        if held > most * 1e6:
            full = any(c.dict.get("matrices") == "full" for c in self.learners)
            documents = max(shape.documents, shape.examples)
            what = f"{shape.classes:,} labels" if shape.classes else f"{documents:,} documents"
            raise ValueError(
                f"{len(self.learners)} learner(s) × {self.replicates} replicates would hold {held / 1e6:,.0f} MB for "
                f"{shape.features:,} features and {what}; a lab allows {most:,} MB. Lower the "
                f"replicates{', or choose diagonal matrices' * full}."
            )

    def simulation(self, learner: Choice, data: Any) -> Simulation:
        """The simulation of one of the learners on data loaded from `self.dataset`."""
        user = create_user(self.user.id, **self.user.dict) if self.user else None
        recorded = max(2000, RECORDED // self.replicates)
        made = create(learner.id, **learner.dict)
        given = {"replicates": self.replicates, "seed": self.seed, "recorded": recorded}
        if self.comparison is not None:
            return Comparison(made, data, user, **given, **dict(self.comparison))
        return Simulation(made, data, user, **given)

    def labels(self) -> list[str]:
        """A name for each learner that tells it from the others in the race."""
        made = [create(choice.id, **choice.dict) for choice in self.learners]
        names = [", ".join(filter(None, (x.title, x.describe()))) for x in made]
        return [n if names.count(n) == 1 else f"{n} ({names[: i + 1].count(n)})" for i, n in enumerate(names)]

    def script(self, link: str = "") -> str:
        """A Python script that gives the same numbers with the library alone."""
        made = "\n".join(
            f"    {label!r}: {call('create', choice)},"
            for label, choice in zip(self.labels(), self.learners, strict=True)
        )
        user = call("create_user", self.user) if self.user else "None"
        maker, extra = "Simulation", ""
        if self.comparison is not None:
            maker, extra = "Comparison", "".join(f", {name}={value!r}" for name, value in self.comparison)
        note = f"\n\nThe same in the browser: {link}\n" if link else ""
        return f'''"""A run of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there.{note}"""

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.interleaving import Comparison

dataset = {call("load", self.dataset)}
learners = {{
{made}
}}

for name, learner in learners.items():
    user = {user}
    simulation = {maker}(learner, dataset, user, replicates={self.replicates}, seed={self.seed}{extra})
    simulation.advance(steps={self.steps})
    print(name)
    for metric, values in simulation.history.items():
        print(f"  {{metric:26}} {{values[-1].mean():.6g}}")
    # simulation.history.frame().to_csv(f"{{name}}.csv", index=False)
'''


def unit_of(family: str) -> str:
    """What a step of a family is called."""
    return "round" if family in MAX_ROUND else "step"


def shape_of(family: str, data: Any) -> Shape:
    """What a learner of the family is told of these data."""
    if not isinstance(data, RankingData):
        trained = round(data.params.get("training", 0.2) * data.examples) if family == "semi-supervised" else 0
        return Shape(data.dimension, classes=data.classes, examples=trained)
    rows = {"learning-to-rank": data.features.shape[0], "refinement": data.longest}.get(family, 0)
    return Shape(data.dimension, documents=data.longest, examples=rows)


def check_round(family: str, data: Any, replicates: int) -> None:
    """ValueError, in one sentence, if one round of boosting on these data were too much."""
    if family == "semi-supervised":
        pairs, what, lower = int((data.params.get("training", 0.2) * data.examples) ** 2), "examples", "training share"
    elif family == "learning-to-rank":
        pairs, what, lower = int((data.lengths.astype(float) ** 2).sum()), "documents of a query", "queries"
    else:
        pairs, what, lower = int(data.longest) ** 2, "documents of a query", "documents"
    if replicates * pairs > MAX_ROUND[family]:
        raise ValueError(
            f"{replicates} replicates × {pairs:,} pairs of {what} are {replicates * pairs:,} pairs a round; a lab allows "
            f"{MAX_ROUND[family]:,}. Lower the replicates or the {lower}."
        )


def check_size(dataset: Choice) -> None:
    """ValueError, in one sentence, for a data set that is larger than a shared server should build."""
    if "path" in dataset.dict:  # the loaders of files have limits of their own
        return
    size = datasets.create(dataset.id, **dataset.dict).size()
    if size.bytes > MAX_DATA_MB * 1e6:
        raise ValueError(
            f"This data set needs {size.bytes / 1e6:,.0f} MB of memory; this server allows {MAX_DATA_MB:,} MB. Make it "
            "smaller, or run it as a script."
        )


def call(function: str, choice: Choice) -> str:
    # an uploaded file is known by its name: the script looks for it where it is run, or in FEEDBACK_LAB_DATA
    named = {name: value.rsplit("/", 1)[-1] if name == "path" else value for name, value in choice.params}
    params = "".join(f", {name}={value!r}" for name, value in named.items())
    return f"{function}({choice.id!r}{params})"
