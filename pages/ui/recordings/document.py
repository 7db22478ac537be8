"""A run as a document: the file `.flab`, packed JSON with a version, whose parts schema.json declares.

The app, the HTML file that is taken away and a notebook play such a document, all with one player. `read` reads those
from elsewhere and refuses all that schema.json and `texts.py` do not allow.
"""

from __future__ import annotations

import platform
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import orjson

from datasets.spec import Spec
from learners.run import display
from learners.spec import RunSpec
from pages.ui.recordings import folding, schema, texts

FORMAT = "feedback-lab recording"
VERSION = 2  # 1 had arrays within the JSON
SUFFIX = ".flab"
MOST_LEARNERS = 4  # that have a colour of their own
MOST_BYTES = 20_000_000  # of a file
MOST_PLAIN = 80_000_000  # of what is in it
PART = 1_000_000  # bytes that are unpacked at once


@dataclass(frozen=True)
class Document:
    """A run that has been recorded.

    Parameters
    ----------
    title : its heading. payload : what the player is given, complete (`pages/ui/play/protocol.py`), as plain JSON.
    stories : the inspector at marked steps, each with `t`, `slot`, `replicate`, `title` (a text) and `html`.
    words : the setup in a sentence, "" to have learners, replicates and steps named. link : where the run can be opened
    again, "" for nowhere. spec : what determines its numbers, None where no `RunSpec` does. source : the program that
    wrote it.
    """

    title: str
    payload: dict[str, Any]
    stories: list[dict[str, Any]] = field(default_factory=list)
    words: str = ""
    link: str = ""
    spec: RunSpec | None = None
    source: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, title: str, payload: Mapping[str, Any], stories: list[dict[str, Any]], words: str = "", link: str = "",
        spec: RunSpec | None = None,
    ) -> Document:  # fmt: skip
        """Return the document of a payload that may hold arrays, written by this program."""
        made = orjson.loads(orjson.dumps({**payload, "script": ""}, option=orjson.OPT_SERIALIZE_NUMPY))
        ordered = sorted(stories, key=lambda story: (story["t"], story["slot"]))
        return cls(title, made, ordered, words, link, spec, _program())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> display.Bundle:
        return display.bundle(self)

    def packed(self) -> bytes:
        """Return the file. The same document gives the same bytes."""
        parts = {
            "format": FORMAT, "version": VERSION, "title": self.title, "words": self.words, "link": self.link,
            "source": self.source, "spec": None if self.spec is None else written(self.spec),
            "payload": self.payload, "stories": self.stories,
        }  # fmt: skip
        return folding.packed(parts)

    @property
    def setup(self) -> str:
        """The learners and the length of the run, in words.

        >>> learners = [{"label": "Perceptron"}, {"label": "Banditron, γ = 0.1"}]
        >>> Document("A run", {"learners": learners, "replicates": 20, "steps": 1000, "unit": "step"}).setup
        'Perceptron · Banditron, γ = 0.1. 20 replicates of 1,000 steps.'
        """
        if self.words:
            return self.words
        payload = self.payload
        names = " · ".join(learner["label"] for learner in payload["learners"])
        runs = "One run" if payload["replicates"] == 1 else f"{payload['replicates']:,} replicates"
        return f"{names}. {runs} of {payload['steps']:,} {payload['unit']}s."


@cache
def _program() -> dict[str, str]:
    try:
        own = version("feedback-lab")
    except PackageNotFoundError:  # a checkout
        own = ""
    return {"program": "Feedback Lab", "version": own, "python": platform.python_version()}


# ---- the setup ---------------------------------------------------------------------------------------------


def written(spec: RunSpec) -> dict[str, Any]:
    """Return what determines a run as JSON can hold it, which `spec_of` reads.

    >>> spec = RunSpec((Spec("banditron", (("gamma", 0.1),)),), Spec("digits"), steps=50)
    >>> spec_of(written(spec)) == spec
    True
    """

    def one(part: Spec | None) -> dict[str, Any] | None:
        return None if part is None else {"id": part.id, "params": part.values}

    made = {
        "learners": [one(learner) for learner in spec.learners], "dataset": one(spec.dataset), "user": one(spec.user),
        "replicates": spec.replicates, "steps": spec.steps, "seed": spec.seed,
        "comparison": None if spec.comparison is None else dict(spec.comparison),
        "answers": [{"t": t, "items": list(items)} for t, items in spec.answers],
    }  # fmt: skip
    found: dict[str, Any] = orjson.loads(orjson.dumps(made, option=orjson.OPT_SERIALIZE_NUMPY))
    return found


def spec_of(made: Mapping[str, Any]) -> RunSpec:
    """Return what `written` wrote. Nothing of it is looked up, so that a learner may be one that is not here."""

    def one(part: Any) -> Spec:
        return Spec(part["id"], tuple((name, _frozen(value)) for name, value in part["params"].items()))

    compared = made["comparison"]
    return RunSpec(
        tuple(one(learner) for learner in made["learners"]), one(made["dataset"]),
        None if made["user"] is None else one(made["user"]), made["replicates"], made["steps"], made["seed"],
        None if compared is None else tuple(compared.items()),
        tuple((answer["t"], tuple(answer["items"])) for answer in made["answers"]),
    )  # fmt: skip


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


# ---- reading -----------------------------------------------------------------------------------------------


def read(file: bytes) -> Document:
    """Return the document in a file, which may come from anywhere.

    Raises
    ------
    ValueError : for a file that is no recording, is damaged, too large, of a later version, or holds what no recording
        does, with one sentence that says what and where.
    """
    plain = _unpacked(file)
    try:
        made = folding.unfolded(plain, MOST_PLAIN)
    except ValueError as error:
        raise ValueError(f"This file is damaged: {error}.") from None
    if not isinstance(made, dict) or made.get("format") != FORMAT:
        raise ValueError("This file is no recording of Feedback Lab.")
    number = made.get("version")
    if type(number) is not int or number < 1:
        raise ValueError("The recording does not say of which version it is.")
    if number > VERSION:
        raise ValueError(f"The recording has version {number}, and this program reads versions up to {VERSION}.")
    if wrong := schema.problem(made, _schema()) or texts.problem(made):
        raise ValueError(f"This file is no valid recording: {wrong}.")
    spec = None if made["spec"] is None else spec_of(made["spec"])
    return Document(made["title"], made["payload"], made["stories"], made["words"], made["link"], spec, made["source"])


@cache
def _schema() -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(Path(__file__).with_name("schema.json").read_bytes())
    return found


def _unpacked(file: bytes) -> bytes:
    """Return what a gzip file holds, and never unpack more than a recording may hold."""
    if len(file) > MOST_BYTES:
        raise ValueError(f"A recording may have {MOST_BYTES / 1e6:.0f} MB, and this file has {len(file) / 1e6:,.0f}.")
    if file[:2] != b"\x1f\x8b":
        raise ValueError("This file is no recording, which would be packed by gzip.")
    unpacker, parts, size = zlib.decompressobj(wbits=31), [], 0
    try:
        rest = file
        while rest and not unpacker.eof:
            parts.append(unpacker.decompress(rest, PART))
            size += len(parts[-1])
            if size > MOST_PLAIN:
                raise ValueError(f"Unpacked, a recording may have {MOST_PLAIN / 1e6:.0f} MB, and this file has more.")
            rest = unpacker.unconsumed_tail
    except zlib.error:
        raise ValueError("This file is damaged: it cannot be unpacked.") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError(
            "This file is damaged: " + ("something follows" if unpacker.eof else "its end is missing") + "."
        )
    return b"".join(parts)
