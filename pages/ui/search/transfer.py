"""A person's search engine as a file, to go on with elsewhere: a JSON text, checked strictly when it is read."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NoReturn

from learners.base import Array
from pages.ui.recordings import schema
from pages.ui.search.person import LEARNERS, Search, Searcher

FORMAT, VERSION = "feedback-lab-search", 1
MOST_BYTES = 2_000_000
_TEXT = {"type": "string", "maxLength": 400}
_FILE = {  # a JSON Schema of what the engine does not check by itself
    "type": "object", "required": ["packages", "searches"],
    "properties": {
        "packages": {"type": "object", "additionalProperties": {"type": "string"}},
        "searches": {"type": "array", "maxItems": 10_000, "items": {
            "type": "object", "required": ["query", "kind", "clicked", "learner", "outcome"],
            "properties": {
                "query": _TEXT, "kind": {"enum": ["teach", "compare"]},
                "clicked": {"type": "array", "maxItems": 100, "items": _TEXT},
                "learner": {"enum": ["", *LEARNERS]}, "outcome": {"type": "integer", "minimum": -1, "maximum": 1},
            },
        }},
    },
}  # fmt: skip


def export(person: Searcher, versions: Mapping[str, str]) -> str:
    """Return the engine of a person as a text. versions : of the packages whose functions it searches."""
    log = [
        {"query": s.query, "kind": s.kind, "clicked": list(s.clicked), "learner": s.learner, "outcome": s.outcome}
        for s in person.log
    ]
    content = {
        "format": FORMAT, "version": VERSION, "packages": dict(versions),
        "features": {"number": len(person.live.fixed), "hash": fingerprint(person.index.feature_names)},
        "fixed": digest(person.live.fixed), "engine": person.live.state(), "searches": log,
    }  # fmt: skip
    return json.dumps(content, indent=1, allow_nan=False)


def take_over(person: Searcher, content: bytes, versions: Mapping[str, str]) -> str:
    """Let a person go on from an exported text. Return a sentence on what differs here, or "".

    Raises
    ------
    ValueError : with a sentence, for anything that is no such text; then nothing has changed.
    """
    if len(content) > MOST_BYTES:
        raise ValueError(f"The file has {len(content) / 1e6:.1f} MB; an engine has at most {MOST_BYTES / 1e6:g} MB.")
    try:
        found = json.loads(content.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise ValueError("The file is not a search engine saved here: it is no JSON text.") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"The file is not a search engine saved here: its format is not “{FORMAT}”.")
    if found.get("version") != VERSION or isinstance(found["version"], bool):
        raise ValueError(f"The file has version {str(found.get('version'))[:20]}; this page reads version {VERSION}.")
    features = found.get("features")
    if features != {"number": len(person.live.fixed), "hash": fingerprint(person.index.feature_names)}:
        raise ValueError(
            "The engine in the file ranks by other features than this one, so its weights mean nothing here."
        )
    if wrong := schema.problem(found, _FILE):
        raise ValueError(f"The file is damaged: {wrong}.")
    packages, log = found["packages"], [_search(number, each) for number, each in enumerate(found["searches"])]
    try:
        person.restored(found.get("engine"), log)
    except ValueError as error:
        raise ValueError(f"The engine in the file is damaged: {error}.") from None
    return _differences(packages, versions, found.get("fixed") == digest(person.live.fixed))


def _search(number: int, found: Mapping[str, Any]) -> Search:
    """Return one search of the log, which names a learner if it compares."""
    if bool(found["learner"]) != (found["kind"] == "compare"):
        raise ValueError(f"The file is damaged: searches[{number}].learner must be named where the search compares.")
    return Search(found["query"], found["kind"], tuple(found["clicked"]), found["learner"], found["outcome"])


def _differences(theirs: Mapping[str, str], here: Mapping[str, str], same_fixed: bool) -> str:
    said = [
        f"{name} was {theirs.get(name, 'missing')[:20]} and is {here.get(name, 'missing')} here"
        for name in [*here, *(n for n in theirs if n not in here)][:8]
        if theirs.get(name) != here.get(name)
    ]
    words = f"{'; '.join(said)}. Some functions and their order may therefore differ." if said else ""
    if not same_fixed:
        words += " The hand-tuned ranker here has other weights than the one that the engine was compared with."
    return words.strip()


def fingerprint(names: tuple[str, ...]) -> str:
    """Return a short hash of the names of the features."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]


def digest(weights: Array) -> str:
    """Return a short hash of weights."""
    return hashlib.sha256(weights.astype("<f8").tobytes()).hexdigest()[:16]


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")
