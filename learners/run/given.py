"""Check the data and the user that a simulation is given, by their ids or built, against the learner."""

from typing import Any

import datasets
from datasets.parameters import shown
from learners.catalogue import create_user, families
from learners.family import Family


def user_of(user: Any, family: Family, learner: str) -> Any:
    """Return the user of a learner, which its id names; the user is an id, an instance, or None for the default.

    Raises
    ------
    ValueError : if the user does not fit the learner.
    """
    if family.users is None:
        if user is not None:
            raise ValueError(f"{learner} has no simulated user; user must be None, got {shown(user)}")
        return None
    user = family.users.default if user is None else user
    user = create_user(user) if isinstance(user, str | type) else user
    every = tuple(family.users.base for family in families().values() if family.users)
    if not isinstance(user, every):
        raise ValueError(f"user must be an id or what create_user() makes, got {shown(user)}")
    if user.family != family.id:
        raise ValueError(f"{learner} needs a {family.id} user, got {user.id}, which is for {user.family}")
    return user


def data_of(dataset: Any, family: Family, learner: str) -> Any:
    """Return the data, built if given as an id. Raise a ValueError if they are not for the family of the learner."""
    if isinstance(dataset, str | type):
        found = datasets.create(dataset)
        check_family(found, found.family, family, learner)  # before it is built
        return found.build()
    check_family(dataset, family_of(dataset), family, learner)
    return dataset


def check_family(dataset: Any, of: str | None, family: Family, learner: str) -> None:
    """Raise a ValueError unless data are of the family that the learner needs. of : theirs, None for anything else."""
    if of is None:
        raise ValueError(f"dataset must be an id or what datasets.load() makes, got {shown(dataset)}")
    if of != family.data_family:
        raise ValueError(f"{learner} needs a {family.data_family} data set, got {dataset.id}, which is for {of}")


def family_of(data: Any) -> str | None:
    """Return the id of the family that runs on these built data, or None for anything else."""
    return next((name for name, family in families().items() if isinstance(data, family.data)), None)
