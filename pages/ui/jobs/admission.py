"""Round-robin admission when more people wait than the server can serve."""

from collections.abc import Hashable, Iterable

TURN = 20.0  # seconds for which a session's jobs are computed while others wait; then the next comes
GRACE = 10.0  # seconds for which a session that waits and does not ask keeps its place


class Admission:
    """A queue of sessions. Those in front are computed for; the others wait, in the order in which they came.

    Up to `places` sessions nobody ever waits. Above that, a session that has been computed for during a turn goes to
    the end of the queue, so that a long run does not keep the others from theirs.

    >>> queue = Admission(places=1)
    >>> queue.update(["ada"], now=0), queue.update(["bob", "ada"], now=1)
    ({'ada': 0}, {'ada': 0, 'bob': 1})
    >>> queue.update(["bob", "ada"], now=TURN)
    {'bob': 0, 'ada': 1}
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self._queue: dict[Hashable, float | None] = {}  # by session, in their order, when the turn began
        self._seen: dict[Hashable, float] = {}

    def update(self, sessions: Iterable[Hashable], now: float) -> dict[Hashable, int]:
        """Return the place of each session that waits for a job now: 0 if it is computed, n for the n-th in the queue.

        A session that waits and does not ask for a moment, because its settings have changed, does not lose its place.
        """
        present = dict.fromkeys(sessions)
        self._seen |= dict.fromkeys(present, now)
        queue = {
            who: begun
            for who, begun in self._queue.items()
            if who in present or (begun is None and now - self._seen[who] < GRACE)
        }
        queue |= {who: None for who in present if who not in queue}
        waiting = len(present) - self.places
        if waiting > 0:  # as many as wait have their turn ended, if it was long enough; the longest first
            ended = sorted((begun, n, who) for n, (who, begun) in enumerate(queue.items()) if _over(begun, now))
            for _, _, who in ended[:waiting]:
                del queue[who]
                queue[who] = None
        places = {who: max(0, n - self.places + 1) for n, who in enumerate(who for who in queue if who in present)}
        for who, place in places.items():
            begun = queue[who]
            queue[who] = None if place else now if begun is None else begun
        self._queue, self._seen = queue, {who: self._seen[who] for who in queue}
        return places


def _over(begun: float | None, now: float) -> bool:
    return begun is not None and now - begun >= TURN
