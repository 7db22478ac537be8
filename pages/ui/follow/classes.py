"""The classes that are led on this server: in its memory, without names, and only while their teachers are there."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.ui.follow.view import TeacherView, code_of

CODES, OWN, PEOPLE = 200, 40, 500  # classes at once, those that one network leads, students in one
GRACE = 60.0  # seconds without the teacher's browser after which a class ends; the browser begins it again
NOTES, LONGEST_KEY = 16, 80  # what a page may say of the teacher's widgets: how many, and how long their keys

# A function that is called with each message, a dictionary, and must return at once
Hear = Callable[[dict[str, Any]], None]


@dataclass
class _LedClass:
    """One class. notes : what the teacher chose in widgets that stand in no link, by their keys in the session.

    network : from which it is led. seen : when the view came. left : when the teacher's browser was last there.
    people : who follows, each with the network.
    """

    network: str
    left: float
    view: TeacherView | None = None
    seen: float = 0.0
    notes: dict[str, int] = field(default_factory=dict)
    leader: Hear | None = None
    people: dict[Hear, str] = field(default_factory=dict)

    def tell(self, message: dict[str, Any]) -> None:
        for hear in self.people:
            hear(message)

    def count(self) -> None:
        if self.leader is not None:
            self.leader({"people": len(self.people)})


class Classes:
    """All classes of a server. clock : function that returns the time in seconds.

    A leader or follower hands in a function that hears the messages: `{"view", "age", "notes"}` what the teacher's page
    shows, and how many seconds ago; `{"away"}` whether the teacher's browser is gone; `{"ended"}`; for the teacher
    `{"people"}`, how many follow, and `{"taken"}`, that another window leads the class now.

    >>> classes, heard = Classes(), []
    >>> code = classes.lead("a secret", lambda message: None)
    >>> classes.join(code, heard.append)
    ''
    >>> classes.show(code, TeacherView("stability", "noise=0.1", t=36))
    >>> heard[-1]["view"]["t"]
    36
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._classes: dict[str, _LedClass] = {}
        self._lock = threading.RLock()

    def open(self, secret: str, network: str = "") -> str:
        """Begin the class of a secret, or find it again, and return its code.

        network : from which it is led. Raise a ValueError, with a sentence, if there are too many.
        """
        code, now = code_of(secret), self._clock()
        with self._lock:
            self._end_deserted(but=code)
            if code not in self._classes:
                own = {code: each for code, each in self._classes.items() if each.network == network}
                if len(own) >= OWN and not self._make_room(own):
                    raise ValueError(f"{OWN} classes are led from your network already. Try again later.")
                if len(self._classes) >= CODES and not self._make_room(self._classes):
                    raise ValueError(f"{CODES} classes are led on this server already. Try again later.")
                self._classes[code] = _LedClass(network, now)
            self._classes[code].left = now
        return code

    def _end_deserted(self, but: str = "") -> None:
        """End the classes whose teachers have been away for long. but : code of one that stays."""
        now = self._clock()
        for code, each in list(self._classes.items()):
            if each.leader is None and now - each.left > GRACE and code != but:
                del self._classes[code]
                each.tell({"refused": nobody(code)})  # so that they ask again

    def _make_room(self, among: Mapping[str, _LedClass]) -> bool:
        """End the class that was left first of those without a teacher and students. Return whether there is one."""
        empty = [code for code, each in among.items() if each.leader is None and not each.people]
        first = min(empty, key=lambda code: among[code].left, default=None)
        if first is not None:
            del self._classes[first]
        return first is not None

    def lead(self, secret: str, hear: Hear, network: str = "") -> str:
        """Let a browser lead the class of its secret, also one of which this server knows nothing. Return the code."""
        with self._lock:
            code = self.open(secret, network)
            found = self._classes[code]
            if found.leader is not None and found.leader is not hear:
                found.leader({"taken": True})
            found.leader = hear
            found.tell({"away": False})
            found.count()
        return code

    def show(self, code: str, view: TeacherView) -> None:
        """Show a class what its teacher's page shows. Only for who leads it."""
        now = self._clock()
        with self._lock:
            if found := self._classes.get(code):
                found.view, found.seen = view, now
                found.tell({"view": view.dict(), "age": 0.0})

    def note(self, secret: str, notes: Mapping[str, int]) -> None:
        """Tell a class what its teacher chose in widgets, by their keys in the session."""
        with self._lock:
            found = self._classes.get(code_of(secret))
            if found is None or notes.items() <= found.notes.items():
                return
            kept = {key: value for key, value in notes.items() if len(key) <= LONGEST_KEY}
            found.notes = dict(list((found.notes | kept).items())[-NOTES:])
            found.tell({"notes": dict(found.notes)})

    def join(self, code: str, hear: Hear, network: str = "") -> str:
        """Let a student follow a class, who then hears where it is. Return why not, "" if it may be."""
        with self._lock:
            self._end_deserted()
            found = self._classes.get(code)
            if found is None:
                return nobody(code)
            if len(found.people) >= PEOPLE:
                return f"The class {code} is full: {PEOPLE} people follow it."
            found.people[hear] = network
            hear({"away": found.leader is None, "notes": dict(found.notes)})
            if found.view is not None:
                hear({"view": found.view.dict(), "age": self._clock() - found.seen})
            found.count()
        return ""

    def knows(self, code: str, network: str) -> bool:
        """Return whether somebody in a network leads or follows a class."""
        with self._lock:
            found = self._classes.get(code)
            return found is not None and (network == found.network or network in found.people.values())

    def leave(self, code: str, hear: Hear) -> None:
        """Let somebody go, a student or the teacher, whose class then waits."""
        with self._lock:
            found = self._classes.get(code)
            if found is None:
                return
            if found.people.pop(hear, None) is not None:
                found.count()
            if found.leader is hear:
                found.leader, found.left = None, self._clock()
                found.tell({"away": True})

    def end(self, secret: str) -> None:
        """End the class of a secret at once, and tell who follows."""
        with self._lock:
            self._end(code_of(secret))

    def _end(self, code: str) -> None:
        if found := self._classes.pop(code, None):
            found.tell({"ended": True})
            if found.leader is not None:
                found.leader({"ended": True})

    def now(self, code: str) -> tuple[TeacherView, dict[str, int]] | None:
        """Return what a class sees now, and the notes; None where there is no such class, or nothing to see yet."""
        with self._lock:
            found = self._classes.get(code)
            return None if found is None or found.view is None else (found.view, dict(found.notes))

    def people(self, code: str) -> int:
        """Return how many follow."""
        with self._lock:
            return len(self._classes[code].people) if code in self._classes else 0

    def __contains__(self, code: str) -> bool:
        return code in self._classes

    def __len__(self) -> int:
        return len(self._classes)


def nobody(code: str) -> str:
    """Return the sentence for a code of no class."""
    return f"Nobody leads a class {code} on this server."


CLASSES = Classes()
