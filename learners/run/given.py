"""Check the learner, the data and the user that a run is given, by their ids or made, against one another."""

from typing import Any

import datasets
from datasets.base import Dataset
from datasets.parameters import shown
from learners.base import Learner
from learners.catalogue import create, create_user, families


def made_parts(learner: Any, dataset: Any, user: Any) -> tuple[Any, Any, Any]:
    """Return a learner, its data and its user, each made if it is given as an id; the data are then not built yet.

    dataset : an id, a data set, or built data. user : None for the default, and for a family without users.

    Raises
    ------
    ValueError : if they are not for the same family.
    """
    made = create(learner) if isinstance(learner, str | type) else learner
    if not isinstance(made, Learner):
        raise ValueError(f"learner must be an id or what create() makes, got {shown(made)}")
    id, family, every = made.id, families()[made.family], families().values()
    data = datasets.create(dataset) if isinstance(dataset, str | type) else dataset
    runs_on_it = (other.id for other in every if isinstance(data, other.data))
    of = data.family if isinstance(data, Dataset) else next(runs_on_it, None)
    if of is None:
        raise ValueError(f"dataset must be an id or what datasets.load() makes, got {shown(data)}")
    if of != family.data_family:
        raise ValueError(f"{id} needs a {family.data_family} data set, got {data.id}, which is for {of}")
    if family.users is None:
        if user is not None:
            raise ValueError(f"{id} has no simulated user; user must be None, got {shown(user)}")
        return made, data, None
    answers = family.users.default if user is None else user
    person = create_user(answers) if isinstance(answers, str | type) else answers
    if not any(isinstance(person, other.users.base) for other in every if other.users):
        raise ValueError(f"user must be an id or what create_user() makes, got {shown(person)}")
    if person.family != family.id:
        raise ValueError(f"{id} needs a {family.id} user, got {person.id}, which is for {person.family}")
    return made, data, person
