"""The view of a teacher's page, as the teacher's browser reports it, and the code of a class."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without 0 and O, 1, I and L, which look alike on a wall
LENGTH = 6  # of a code
ROUNDS = 20_000  # of hashing, about 10 ms, so that nobody finds a secret by trying
FORM = re.compile(f"[{SIGNS}]{{{LENGTH}}}")
PAGE, LINK, SPEED = re.compile(r"[a-z][a-z_]{0,39}|"), 4000, re.compile(r"[1-9]\d{0,4}|max")
STEPS, REPLICATES = 10**7, 10**6


def new_secret() -> str:
    """Return a secret, from which the code of a new class follows."""
    return secrets.token_urlsafe(24)


@lru_cache(512)
def code_of(secret: str) -> str:
    """Return the code that belongs to a secret.

    The secret cannot be had from the code. So a server that has just started, and knows nothing of the class, can tell
    who made the code from everybody who has read it.

    >>> code_of("a secret"), code_of("another secret")
    ('HHQFWB', 'XJU726')
    """
    number = int.from_bytes(hashlib.pbkdf2_hmac("sha256", secret.encode(), b"the code of a class", ROUNDS))
    return "".join(SIGNS[number // len(SIGNS) ** place % len(SIGNS)] for place in range(LENGTH))


def tidied(code: str) -> str:
    """Return a code as somebody typed it in the form in which it is made.

    >>> tidied(" w58m-2x ")
    'W58M2X'
    """
    return re.sub(r"[\s-]", "", code[:60]).upper()


def problem(code: str) -> str:
    """Return a sentence on what is wrong with the code of a class, "" if nothing is.

    >>> problem("W58M2X"), problem("ROOM10")
    ('', 'The code of a class has 6 letters or digits, without 0, O, 1, I and L, got ROOM10.')
    """
    if FORM.fullmatch(code):
        return ""
    return (
        f"The code of a class has {LENGTH} letters or digits, without 0, O, 1, I and L, got {code[:20] or 'nothing'}."
    )


@dataclass(frozen=True)
class TeacherView:
    """The view of a teacher's page at a moment.

    page : the last part of its address, "" for the first page. link : its settings, as in the address. t : the step of
    the playhead. playing : whether it moves. speed : steps a second, or "max". slow : whether it slows down at events.
    single : the replicate whose curves are drawn alone, from 0, or None for the mean of all.
    """

    page: str = ""
    link: str = ""
    t: float = 0.0
    playing: bool = False
    speed: str = "max"
    slow: bool = False
    single: int | None = None

    @classmethod
    def read(cls, sent: Any) -> TeacherView:
        """Return what a browser has sent as a view. Raise a ValueError that names what is wrong with it."""
        if not isinstance(sent, dict):
            raise ValueError("view must be an object")
        fits = {
            "page": _matches(sent.get("page"), PAGE),
            "link": isinstance(sent.get("link"), str) and len(sent["link"]) <= LINK and sent["link"].isprintable(),
            "t": _within(sent.get("t"), STEPS),
            "playing": isinstance(sent.get("playing"), bool),
            "speed": _matches(sent.get("speed"), SPEED),
            "slow": isinstance(sent.get("slow"), bool),
            "single": sent.get("single") is None or _whole(sent["single"], REPLICATES),
        }
        if wrong := [name for name, fit in fits.items() if not fit]:
            raise ValueError(f"view must have a page, a link and where the playhead is; wrong: {', '.join(wrong)}")
        return cls(**{name: sent[name] for name in fits})

    def dict(self) -> dict[str, Any]:
        """Return it as a browser gets it."""
        return asdict(self)


def _matches(value: Any, form: re.Pattern[str]) -> bool:
    return isinstance(value, str) and form.fullmatch(value) is not None


def _within(value: Any, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def _whole(value: Any, most: int) -> bool:
    return isinstance(value, int) and _within(value, most)
