"""Whose runs are computed when more people wait for runs than the server computes for at a time."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

TURN = 20.0  # seconds for which a person's runs are computed while others wait; then the next comes
GRACE = 10.0  # seconds for which somebody who waits and is not there keeps the place


class Admission:
    """A line of people. Those in front are computed for; the others wait, in the order in which they came.

    Up to `places` people nobody ever waits. Above that, who has been computed for during a turn goes to the end of the
    line, so that a long run does not keep the others from theirs.

    >>> line = Admission(places=1)
    >>> line.update(["ada"], now=0), line.update(["bob", "ada"], now=1)
    ({'ada': 0}, {'ada': 0, 'bob': 1})
    >>> line.update(["bob", "ada"], now=TURN)
    {'bob': 0, 'ada': 1}
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self._line: dict[Hashable, float | None] = {}  # by person, in their order, when the turn began
        self._seen: dict[Hashable, float] = {}

    def update(self, people: Iterable[Hashable], now: float) -> dict[Hashable, int]:
        """Return the place of each person who waits for a run now: 0 if it is computed, else n for the n-th in line.

        Who waits and is not there for a moment, because the settings have changed, does not lose the place.
        """
        present = dict.fromkeys(people)
        self._seen |= dict.fromkeys(present, now)
        line = {
            person: begun
            for person, begun in self._line.items()
            if person in present or (begun is None and now - self._seen[person] < GRACE)
        }
        line |= {person: None for person in present if person not in line}
        waiting = len(present) - self.places
        if waiting > 0:  # as many as wait have their turn ended, if it was long enough; the longest first
            ended = sorted((begun, n, who) for n, (who, begun) in enumerate(line.items()) if _over(begun, now))
            for _, _, who in ended[:waiting]:
                del line[who]
                line[who] = None
        places = {person: max(0, n - self.places + 1) for n, person in enumerate(who for who in line if who in present)}
        for person, place in places.items():
            begun = line[person]
            line[person] = None if place else now if begun is None else begun
        self._line, self._seen = line, {person: self._seen[person] for person in line}
        return places


def _over(begun: float | None, now: float) -> bool:
    return begun is not None and now - begun >= TURN
