"""The setup of a lab, independent of any widget: its limits, its simulations, and its Python script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import datasets
from datasets.parameters import Parameter
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.catalogue import families, learner_classes, user_classes
from learners.family import Family, Work
from learners.interleaving import Comparison
from learners.random import Seeds
from learners.ranking.users.base import User
from pages.ui.choice import Choice, check_size
from pages.ui.counting import counted
from pages.ui.race.afford import check_cost
from pages.ui.race.answers import Answers, check_items
from pages.ui.race.fits import check_fits
from pages.ui.race.script import lab_script

MEGABYTES = 48.0  # of the states of all learners, from which the page looks back at earlier steps
RECORDED = 400_000  # steps × replicates that the history of a lab holds before it is thinned

REPLICATES = Parameter(
    "replicates", "integer", 20, 1, 100,
    help="Number of runs side by side, each with its own order of the data and its own noise. "
    "Curves show their mean. Choose 1 to follow a single run.",
)  # fmt: skip
STEPS = Parameter(
    "steps", "integer", 1000, 10, 100_000, step=10,
    help="Length of the run. The papers use 1,000 (toy) to 50,000.",
)  # fmt: skip
SEED = Parameter(
    "seed", "integer", 0, 0, 2**31 - 1,
    help="Determines all random numbers. The same seed gives the same curves on every machine; "
    "of a few data sets the last digits of utilities may differ.",
)  # fmt: skip


@dataclass(frozen=True)
class Setup:
    """Everything that determines the numbers of a lab.

    answers : pairs of a step, from 1, and the documents or labels, from 0, that a person approved of in it, in rising
    order.
    """

    learners: tuple[Choice, ...]
    dataset: Choice
    user: Choice | None
    replicates: int
    steps: int
    seed: int
    comparison: tuple[tuple[str, Any], ...] | None = None  # settings of a comparison by interleaving
    answers: Answers = ()  # of a person, to some steps of the first replicate

    @property
    def ids(self) -> list[str]:
        """The ids of the learners, which tell their colours."""
        return [choice.id for choice in self.learners]

    @property
    def family(self) -> Family:
        """The family of the learners. It needs at least one learner."""
        return families()[learner_classes()[self.learners[0].id].family]

    def check(self) -> None:
        """Check that the setup does not ask for more than a shared server should give.

        Raises
        ------
        ValueError : with a sentence that says what to change.
        """
        if not self.learners:
            raise ValueError("Choose at least one learner to watch.")
        family, steps = self.family, len(self.learners) * self.steps * self.replicates
        if steps > family.budget.steps:
            raise ValueError(
                f"{counted(len(self.learners), 'learner')} × {self.steps:,} {family.unit}s × {self.replicates} "
                f"replicates are {steps:,} {family.unit}s in all; a lab allows {family.budget.steps:,}. Lower the "
                f"{family.unit}s or the replicates."
            )
        check_fits(self.learners, self.dataset, self.user)
        check_size(self.dataset)
        if family.budget.planned is not None and "path" not in self.dataset.dict:
            self._check_work(family.budget.planned(datasets.create(self.dataset.id, **self.dataset.dict).size()))

    def _check_work(self, work: Work) -> None:
        """Raise a ValueError for more work of a step than a lab allows."""
        family, total = self.family, self.replicates * work.amount
        if total > family.budget.most_work:
            raise ValueError(
                f"{self.replicates} replicates × {work.words} are {total:,} {work.unit} a {family.unit}; a lab allows "
                f"{family.budget.most_work:,}. Lower the replicates or the {work.lower}."
            )

    def check_step(self, data: Any) -> None:
        """Check that one step on these data takes neither too much work nor too much memory, and has what was answered.

        Raises
        ------
        ValueError : with a sentence that says what to lower, why the user cannot judge these data, or
            which answer does not belong to them.
        """
        family = self.family
        budget, shape = family.budget, family.shape(data)
        user = create_user(self.user.id, **self.user.dict) if self.user else None
        if isinstance(user, User) and (reason := user.unfit(data)):
            raise ValueError(f"{reason}.")
        check_items(self.answers, family, data, Seeds(self.seed, self.replicates))
        if budget.work is not None:
            self._check_work(budget.work(data))
        held = sum(create(c.id, **c.dict).memory(shape, self.replicates) for c in self.learners)
        if held > budget.megabytes * 1e6:
            full = any(c.dict.get("matrices") == "full" for c in self.learners)
            documents = max(shape.documents, shape.examples)
            size = f"{shape.classes:,} labels" if shape.classes else f"{documents:,} documents"
            raise ValueError(
                f"{counted(len(self.learners), 'learner')} × {self.replicates} replicates would hold "
                f"{held / 1e6:,.0f} MB for {shape.features:,} features and {size}; a lab allows "
                f"{budget.megabytes:,} MB. Lower the replicates{', or choose diagonal matrices' * full}."
            )
        check_cost(self, data)

    again: ClassVar[int] = 1  # copies of the learners' states that are kept or made while it runs
    lower: ClassVar[str] = "the replicates or the size of the data"  # where a run asks for too much

    def shape(self, data: Any) -> Shape:
        """Return what the learners may know about data loaded from `self.dataset`."""
        return self.family.shape(data)

    @property
    def recorded(self) -> int:
        """Steps that the history holds before it is thinned."""
        return max(2000, RECORDED // self.replicates)

    def simulation(self, learner: Choice, data: Any) -> Simulation:
        """Return the simulation of one of the learners on data loaded from `self.dataset`."""
        user = create_user(self.user.id, **self.user.dict) if self.user else None
        made = create(learner.id, **learner.dict)
        given: dict[str, Any] = {"replicates": self.replicates, "seed": self.seed, "recorded": self.recorded}
        given["megabytes"] = MEGABYTES / len(self.learners)
        given["answers"] = dict(self.answers)
        if self.comparison is not None:
            return Comparison(made, data, user, **given, **dict(self.comparison))
        return Simulation(made, data, user, **given)

    @property
    def about(self) -> str:
        """The data set, the user and the seed in words."""
        parts = [datasets.classes()[self.dataset.id].title]
        if self.user is not None:
            parts.append(user_classes()[self.user.id].title)
        return " · ".join([*parts, f"seed {self.seed}"])

    def labels(self) -> list[str]:
        """Return a name for each learner that is unique in the race."""
        made = [create(choice.id, **choice.dict) for choice in self.learners]
        names = [", ".join(filter(None, (x.title, x.describe()))) for x in made]
        return [n if names.count(n) == 1 else f"{n} ({names[: i + 1].count(n)})" for i, n in enumerate(names)]

    def shorts(self) -> list[str]:
        """Return a short name for each learner, for the end of its curve, which is unique in the race.

        Parameters are named only where they tell two learners of one kind apart.
        """
        made = [create(choice.id, **choice.dict) for choice in self.learners]
        kinds = [x.short or x.title for x in made]
        several = [", ".join(filter(None, (kind, x.describe()))) for kind, x in zip(kinds, made, strict=True)]
        names = [kind if kinds.count(kind) == 1 else more for kind, more in zip(kinds, several, strict=True)]
        return [n if names.count(n) == 1 else f"{n} ({names[: i + 1].count(n)})" for i, n in enumerate(names)]

    def script(self, link: str = "", window: int = 1) -> str:
        """Return a Python script that needs only the library and gives the same numbers.

        window : steps over which the page draws means of values of single steps.
        """
        learners = dict(zip(self.labels(), self.learners, strict=True))
        return lab_script(
            learners, self.dataset, self.user, self.comparison, self.replicates, self.steps, self.seed, link,
            dict(self.answers), window,
        )  # fmt: skip


def raced(family: Family, learner: str) -> dict[str, str]:
    """Return the query that opens the family's lab with this learner and a rival."""
    rival = next(id for id in family.rivals if id != learner)
    return {"learner-1": learner, "learner-2": rival, "learner-3": "none", "learner-4": "none"}
