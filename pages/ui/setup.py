"""A lab's setup apart from any widget: what is raced on what, as numbers, a link, or a Python script."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import datasets
from datasets.parameters import Parameter
from learners import Simulation, create, create_user

MAX_CELLS = 2_000_000  # learners × steps × replicates that one lab may record
MAX_STEP = 10_000_000  # replicates × documents × features that one step may touch
MAX_DATA_MB = int(os.environ.get("FEEDBACK_LAB_DATA_MB", "500"))

REPLICATES = Parameter(
    "replicates", "integer", 20, 1, 100,
    help="How many runs are made side by side, each with its own order of queries and its own noise. "
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

    def check(self) -> None:
        """ValueError, in one sentence, if this asks for more than a shared server should give."""
        if not self.learners:
            raise ValueError("Choose at least one learner to watch.")
        cells = len(self.learners) * self.steps * self.replicates
        if cells > MAX_CELLS:
            raise ValueError(
                f"{len(self.learners)} learner(s) × {self.steps:,} steps × {self.replicates} replicates are "
                f"{cells:,} recorded steps; a lab allows {MAX_CELLS:,}. Lower the steps or the replicates."
            )
        if self.dataset.id != "letor-file":  # its loader has limits of its own
            self._check_size(datasets.create(self.dataset.id, **self.dataset.dict).size())

    def _check_size(self, size: datasets.Size) -> None:
        if size.bytes > MAX_DATA_MB * 1e6:
            raise ValueError(
                f"This data set needs {size.bytes / 1e6:,.0f} MB of memory; a lab allows {MAX_DATA_MB:,} MB. Lower "
                "the queries, documents or features, or run it as a script."
            )

    def check_step(self, documents: int, features: int) -> None:
        """ValueError if one step on queries of this size would be too much."""
        numbers = self.replicates * documents * features
        if numbers > MAX_STEP:
            raise ValueError(
                f"{self.replicates} replicates × {documents} documents × {features} features are {numbers:,} numbers "
                f"a step; a lab allows {MAX_STEP:,}. Lower one of the three."
            )

    def simulation(self, learner: Choice, data: Any) -> Simulation:
        """The simulation of one of the learners on data loaded from `self.dataset`."""
        user = create_user(self.user.id, **self.user.dict) if self.user else None
        return Simulation(create(learner.id, **learner.dict), data, user, replicates=self.replicates, seed=self.seed)

    def labels(self) -> list[str]:
        """A name for each learner that tells it from the others in the race."""
        made = [create(choice.id, **choice.dict) for choice in self.learners]
        names = [", ".join(filter(None, (x.title, x.describe()))) for x in made]
        return [n if names.count(n) == 1 else f"{n} ({names[: i + 1].count(n)})" for i, n in enumerate(names)]

    def script(self, link: str = "") -> str:
        """A Python script that gives the same numbers with the library alone."""
        made = "\n".join(
            f"    {label!r}: {_call('create', choice)},"
            for label, choice in zip(self.labels(), self.learners, strict=True)
        )
        user = _call("create_user", self.user) if self.user else "None"
        note = f"\n\nThe same in the browser: {link}\n" if link else ""
        return f'''"""A run of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there.{note}"""

from datasets import load
from learners import Simulation, create, create_user

dataset = {_call("load", self.dataset)}
learners = {{
{made}
}}

for name, learner in learners.items():
    user = {user}
    simulation = Simulation(learner, dataset, user, replicates={self.replicates}, seed={self.seed})
    simulation.advance(steps={self.steps})
    print(name)
    for metric, values in simulation.history.items():
        print(f"  {{metric:26}} {{values[-1].mean():.6g}}")
    # simulation.history.frame().to_csv(f"{{name}}.csv", index=False)
'''


def _call(function: str, choice: Choice) -> str:
    # an uploaded file is known by its name: the script looks for it where it is run, or in FEEDBACK_LAB_DATA
    named = {name: value.rsplit("/", 1)[-1] if name == "path" else value for name, value in choice.params}
    params = "".join(f", {name}={value!r}" for name, value in named.items())
    return f"{function}({choice.id!r}{params})"
