"""Check the data and the user that a simulation is given, by their ids or built, against the learner."""

from __future__ import annotations

from typing import Any

import datasets
from datasets.parameters import shown
from learners.base import Learner
from learners.catalogue import create_user, families
from learners.family import Family


def user_of(user: Any, learner: Learner) -> Any:
    """Return the user of a learner, given as an id, an instance, or None for the default of the family.

    Raises
    ------
    ValueError : if the user does not fit the learner.
    """
    users = families()[learner.family].users
    if users is None:
        if user is not None:
            raise ValueError(f"{learner.id} has no simulated user; user must be None, got {shown(user)}")
        return None
    user = users.default if user is None else user
    user = create_user(user) if isinstance(user, str | type) else user
    every = tuple(family.users.base for family in families().values() if family.users)
    check_made("user", user, every, "create_user")
    if user.family != learner.family:
        raise ValueError(f"{learner.id} needs a {learner.family} user, got {user.id}, which is for {user.family}")
    return user


def check_made(name: str, item: Any, base: type | tuple[type, ...], maker: str) -> None:
    """Raise a ValueError unless the item is an instance of `base`."""
    if not isinstance(item, base):
        raise ValueError(f"{name} must be an id or what {maker}() makes, got {shown(item)}")


def data_of(dataset: Any, learner: Learner, family: Family) -> Any:
    """Return the data, built if given as an id. Raise a ValueError if they are not for this family."""
    if isinstance(dataset, str | type):
        found = datasets.create(dataset)  # its family is known before it is built
        if found.family == family.data_family:
            return found.build()
        dataset, other = found.id, found.family
    elif isinstance(dataset, family.data):
        return dataset
    else:
        other = family_of(dataset)
        if other is None:
            raise ValueError(f"dataset must be an id or what datasets.load() makes, got {shown(dataset)}")
        dataset = dataset.id
    raise ValueError(f"{learner.id} needs a {family.data_family} data set, got {dataset}, which is for {other}")


def family_of(data: Any) -> str | None:
    """Return the id of the family that runs on these built data, or None for anything else."""
    return next((name for name, family in families().items() if isinstance(data, family.data)), None)
