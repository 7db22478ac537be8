"""The documents on the page, of which a person who answers sees all."""

import numpy as np

from learners.base import Array
from learners.ranking.users.base import User


def on_page(user: User, replicates: int, longest: int, person: bool) -> Array:
    """Return how many results stand on the page of each replicate, (R,).

    longest : documents of the longest query. person : whether a person answers for the first replicate, who sees all.

    >>> from learners import create_user
    >>> on_page(create_user("scan"), 2, 24, person=True).tolist()
    [24, 10]
    """
    found = np.array(np.broadcast_to(longest if user.page is None else user.page, replicates), dtype=np.int64)
    if person:
        found[0] = longest
    return found
