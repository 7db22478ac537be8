"""The line of long runs, such as sweeps: a few are computed at a time, the others wait, each with a place.

Nobody's run is ended for another's. A run ends early only when all who asked for it have left or closed their page.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from datasets.variables import Variable
from pages.ui.counting import counted
from pages.ui.server import events
from pages.ui.server.cost import Cost
from pages.ui.server.sessions import connected

JOBS = Variable(
    "FEEDBACK_LAB_JOBS", "integer", 3, 1, 1000,
    help="Sweeps and figures of all people that are computed at a time; the others wait in a line. Of several places, "
    "one is kept for runs of at most a minute.",
)  # fmt: skip
JOBS_MB = Variable(
    "FEEDBACK_LAB_JOBS_MB", "integer", 4000, 1, 10_000_000,
    help="Memory in MB that the sweeps and figures computed at a time may take together.",
)  # fmt: skip
MOST_WAITING = Variable(
    "FEEDBACK_LAB_JOBS_WAITING", "integer", 100, 0, 100_000, help="Sweeps and figures that may wait in the line."
)
PERSON_JOBS = Variable(
    "FEEDBACK_LAB_PERSON_JOBS", "integer", 4, 1, 1000,
    help="Sweeps and figures of one person that may wait or be computed at a time.",
)  # fmt: skip
PERSON_MINUTES = Variable(
    "FEEDBACK_LAB_PERSON_MINUTES", "real", 120.0, 0.01, 1e6,
    help="Minutes of one core that the sweeps and figures of one person may take together before they have ended.",
)  # fmt: skip
AWAY_SECONDS = Variable(
    "FEEDBACK_LAB_AWAY_SECONDS", "real", 120.0, 0.1, 1e6,
    help="Seconds after which a sweep or figure ends if all pages that show it have been closed.",
)  # fmt: skip

SHORT = 60.0  # seconds of a run that need not wait for long ones, for which one place is kept
TICK = 0.2  # seconds between two looks at the line
KEPT = 1000  # sessions of which it is known when they were last here

_seen: dict[str, float] = {}


def wanted(owner: str) -> bool:
    """Return whether a session is here, or was within AWAY_SECONDS. Ask at least every few seconds."""
    now = time.monotonic()
    if connected(owner):
        _seen.pop(owner, None)  # so that the latest stand last
        _seen[owner] = now
        while len(_seen) > KEPT:
            _seen.pop(next(iter(_seen)), None)
        return True
    return bool(now - _seen.setdefault(owner, now) < AWAY_SECONDS.value)


def ordinal(n: int) -> str:
    """Return a place in words.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21, 113, 1002)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '113th', '1,002nd']
    """
    end = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{end}"


@dataclass(eq=False)
class _Run:
    """A run that waits, or is computed once it has `begun`."""

    key: Hashable
    cost: Cost
    start: Callable[[], object]
    running: Callable[[], bool]
    owners: set[str]
    begun: float = 0.0
    starting: bool = False
    failed: str = ""
    entered: float = field(default_factory=time.monotonic)


class Turn:
    """The turn of one person in the line."""

    def __init__(self, line: Line, owner: str, run: _Run | None, refused: str = "") -> None:
        self._line, self._owner, self._run, self._refused = line, owner, run, refused

    @property
    def refused(self) -> str:
        """The sentence if nothing was entered, or if the run could not be started, else ""."""
        return self._refused or (self._run.failed if self._run else "")

    @property
    def place(self) -> int:
        """The place among those who wait, from 1; 0 if it does not wait (any more)."""
        return self._line.place(self._run.key) if self._run else 0

    @property
    def words(self) -> str:
        """The sentence for a page that waits, "" if there is nothing to wait for."""
        place = self.place
        if not place:
            return ""
        which = "next" if place == 1 else f"{ordinal(place)} in line"
        return f"Waiting for a place on this server. Your run is {which} and begins by itself."

    def leave(self) -> None:
        """Give the turn up. A run that has begun ends if nobody else wants it."""
        if self._run:
            self._line.leave(self._run.key, self._owner)


class Line:
    """Runs in the order in which they came, except that a person who has one goes behind those who have none.

    jobs : how many are computed at a time, as JOBS says if it is None.

    >>> line, busy = Line(jobs=1), [True, True]
    >>> first, second = (
    ...     line.enter(i, f"person {i}", Cost(1), lambda: None, lambda i=i: busy[i]) for i in range(2))
    >>> first.place, second.place, second.words
    (0, 1, 'Waiting for a place on this server. Your run is next and begins by itself.')
    >>> busy[0] = False
    >>> line.look()
    >>> second.place, second.words
    (0, '')
    >>> busy[1] = False
    """

    def __init__(self, jobs: int | None = None) -> None:
        self._jobs = jobs
        self._runs: dict[Hashable, _Run] = {}
        self._changed = threading.Condition()  # guards the runs
        self._thread: threading.Thread | None = None

    def enter(
        self, key: Hashable, owner: str, cost: Cost, start: Callable[[], object], running: Callable[[], bool]
    ) -> Turn:
        """Have a run computed when it is its turn, which may be at once.

        Parameters
        ----------
        key : whoever enters with the same key shares the run. owner : the session that wants it. cost : what it asks
        for. start : begins it, in any thread, without waiting for its end. running : asked until it says False; then
        the next begins.
        """
        with self._changed:
            if (found := self._runs.get(key)) is not None:
                found.owners.add(owner)
                return Turn(self, owner, found)
            refused = self._refuse(owner, cost)
            if refused:
                events.note("job-refused", seconds=cost.seconds, megabytes=cost.bytes / 1e6)
                return Turn(self, owner, None, refused)
            self._runs[key] = run = _Run(key, cost, start, running, {owner})
        wanted(owner)
        self.look()
        with self._changed:
            if self._runs and self._thread is None:
                self._thread = threading.Thread(target=self._keep, daemon=True, name="feedback-lab-line")
                self._thread.start()
        return Turn(self, owner, run)

    def leave(self, key: Hashable, owner: str) -> None:
        """Note that a person does not want a run any more."""
        with self._changed:
            if (run := self._runs.get(key)) is not None:
                run.owners.discard(owner)
        self.look()

    def wanted(self, key: Hashable) -> bool:
        """Return whether anybody still wants a run. Ask while it is computed, and end it on False."""
        run = self._runs.get(key)
        return run is not None and any([wanted(owner) for owner in list(run.owners)])

    def place(self, key: Hashable) -> int:
        """Return the place of a run among those that wait, from 1; 0 if it does not wait."""
        with self._changed:
            return next((n for n, run in enumerate(self._waiting(), 1) if run.key == key), 0)

    def look(self) -> None:
        """Take out what has ended or is not wanted any more, and begin what comes next."""
        with self._changed:
            for run in list(self._runs.values()):
                if run.begun and not run.starting and not _running(run):
                    events.note("job-ended", seconds=time.monotonic() - run.begun)
                    del self._runs[run.key]
                elif not run.begun and not any([wanted(owner) for owner in run.owners]):
                    events.note("job-left", waited=time.monotonic() - run.entered)
                    del self._runs[run.key]
            chosen = self._choose()
        for run in chosen:
            try:
                run.start()
            except Exception as error:  # the next must come all the same
                events.fault(error)
                run.failed = f"This run could not be started ({type(error).__name__}); try again later."
                run.running = lambda: False
            finally:
                run.starting = False

    def told(self) -> dict[str, Any]:
        """Return what the one who runs the server may know: numbers only."""
        with self._changed:
            begun = [run for run in self._runs.values() if run.begun]
            return {
                "computed": len(begun),
                "waiting": len(self._runs) - len(begun),
                "people": len({owner for run in self._runs.values() for owner in run.owners}),
                "estimated_minutes": round(sum(run.cost.seconds for run in self._runs.values()) / 60, 1),
                "estimated_mb": round(sum(run.cost.bytes for run in begun) / 1e6),
            }

    def _choose(self) -> list[_Run]:
        begun, chosen, jobs = [run for run in self._runs.values() if run.begun], [], self._jobs or JOBS.value
        for run in self._waiting():
            if len(begun) >= jobs:
                break
            if run.cost.seconds > SHORT and sum(other.cost.seconds > SHORT for other in begun) >= max(1, jobs - 1):
                continue  # it waits for a long one to end
            if begun and sum(other.cost.bytes for other in begun) + run.cost.bytes > 1e6 * JOBS_MB.value:
                break  # a smaller one that comes later does not overtake it
            run.begun, run.starting = time.monotonic(), True
            events.note("job-started", waited=run.begun - run.entered, seconds=run.cost.seconds)
            begun.append(run)
            chosen.append(run)
        return chosen

    def _waiting(self) -> list[_Run]:
        """Return the runs that wait, in their order."""
        has = Counter(owner for run in self._runs.values() if run.begun for owner in run.owners)
        ranked = []
        for number, run in enumerate(run for run in self._runs.values() if not run.begun):
            ranked.append((min((has[owner] for owner in run.owners), default=0), number, run))
            has.update(run.owners)
        return [run for _, _, run in sorted(ranked, key=lambda entry: entry[:2])]

    def _refuse(self, owner: str, cost: Cost) -> str:
        """Return a sentence if a person may not enter, else ""."""
        mine = [run for run in self._runs.values() if owner in run.owners]
        waiting = sum(not run.begun for run in self._runs.values())
        minutes = (cost.seconds + sum(run.cost.seconds for run in mine)) / 60
        if cost.bytes > 1e6 * JOBS_MB.value:
            return (
                f"This run needs about {cost.bytes / 1e6:,.0f} MB of memory, and this server has {JOBS_MB.value:,} MB "
                "for all runs in its line; choose smaller data or fewer replicates."
            )
        if len(mine) >= PERSON_JOBS.value:
            have = "has" if len(mine) == 1 else "have"
            return f"You have {counted(len(mine), 'run')} here that {have} not ended; cancel one or wait."
        if minutes > PERSON_MINUTES.value:
            more = " with your others" if mine else ""
            return (
                f"This run would take{more} about {minutes:,.3g} minutes of one core, and one person may have "
                f"{PERSON_MINUTES.value:,g} on this server; lower the steps, the replicates or the number of values."
            )
        if self._runs and waiting >= MOST_WAITING.value and not self._free():
            return f"The line of this server is full ({counted(waiting, 'run')}); try again later."
        return ""

    def _free(self) -> bool:
        return sum(bool(run.begun) for run in self._runs.values()) < (self._jobs or JOBS.value)

    def _keep(self) -> None:
        """Look again and again until nothing is left."""
        while True:
            with self._changed:
                if not self._runs:
                    self._thread = None
                    return
                self._changed.wait(TICK)
            self.look()


def _running(run: _Run) -> bool:
    try:
        return run.running()
    except Exception as error:  # the line goes on for the others
        events.fault(error)
        return False


LINE = Line()
