"""The lists of a search in the browser: what each ranker shows, what is clicked, and what moved."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from datasets.functions.index import Hit, Index
from learners.base import Array
from learners.interleaving.live import SLOTS, TaughtSearch
from pages.ui.component import component
from pages.ui.race.words import count
from pages.ui.search import words
from pages.ui.search.person import LEARNERS, Searcher

ASIDE = (
    "The two rankers take turns. Each adds its best result that is not on the list yet, and a coin decides who begins. "
    "You cannot tell whose result is whose, so you favour neither.",
    "Your lowest click says how far you read. The ranker that has more of your clicks among its own results that far "
    "wins the search.",
)
_PLACE = {id: slot for slot, id in enumerate(LEARNERS)}  # which gives each learner its colour


def show(key: str, data: dict[str, Any], sent: Callable[[], None]) -> None:
    """Draw lists. sent : called when the browser sends something, which `heard` then returns."""
    _component(key=key, data=data, on_sent_change=sent)


def heard(key: str) -> dict[str, Any]:
    """Return what the browser has sent, or an empty dictionary for anything else.

    do : "marked" or "done", with the documents in `marked`; or "search", with `query`. id : of the lists it is about.
    """
    found = getattr(st.session_state.get(key), "sent", None)
    if not isinstance(found, dict):
        return {}
    marked = found.get("marked")
    whole = [i for i in marked if isinstance(i, int)] if isinstance(marked, list) else []
    return {"do": found.get("do"), "id": found.get("id"), "query": str(found.get("query") or ""), "marked": whole}


def name(person: Searcher) -> str:
    """Return what tells the lists on the page from those before and after."""
    return f"{person.number}-{person.kind}-{'ended' if person.ended else 'open'}"


def payload(person: Searcher, large: bool = False) -> dict[str, Any]:
    """Return the search that is on the page, for the browser."""
    assert person.found is not None
    if person.kind == "teach":
        columns = [_taught(id, lesson) for id, lesson in person.live.lessons.items()]
    else:
        columns = _compared(person)
    n = len(person.found.rows)
    drawn = {i for column in columns for stage in column["stages"] for i in stage}
    return {
        "id": name(person), "open": not person.ended, "large": large, "columns": columns,
        "marked": sorted(person.marked),
        "rows": {str(i): face(person.index, person.found, i) for i in range(n) if i in drawn},
        "button": _button(person.kind), "hint": _hint(person), "verdict": _verdict(person), "next": _next(person),
    }  # fmt: skip


def side_by_side(index: Index, found: Hit, rankings: Mapping[str, Array], large: bool = False) -> dict[str, Any]:
    """Return how the rankers, by name, rank the same documents; what stands elsewhere than in the first is marked."""
    first = next(iter(rankings))
    slots = {title: _PLACE[id] for id, title in LEARNERS.items()}
    columns = []
    for title, ranking in rankings.items():
        changes = {} if title == first else _changes(rankings[first], ranking, f"than in {first.lower()}")
        columns.append(
            {"title": title, "note": "", "slot": slots.get(title, ""), "stages": [_top(ranking)], "changes": changes}
        )
    drawn = sorted({i for ranking in rankings.values() for i in _top(ranking)})
    return {
        "id": f"{found.query}-{hash(str(columns))}", "open": False, "large": large, "columns": columns, "marked": [],
        "rows": {str(i): face(index, found, i) for i in drawn}, "hint": "", "verdict": "", "next": [],
    }  # fmt: skip


def face(index: Index, found: Hit, document: int) -> dict[str, Any]:
    """Return how a function looks in a list: its name, where it is, and its first sentence with the matches marked."""
    row = int(found.rows[document])
    function = index.functions[row]
    return {
        "name": function.name, "where": f"{function.module} · {function.kind}", "text": index.snippet(row, found.query),
    }  # fmt: skip


def _top(ranking: Array) -> list[int]:
    found: list[int] = ranking[:SLOTS].tolist()
    return found


def _taught(id: str, lesson: TaughtSearch) -> dict[str, Any]:
    """Return the list of a learner that is taught: as it was shown, as the learner believed, and as it believes now."""
    column: dict[str, Any] = {"title": LEARNERS[id], "slot": _PLACE[id]}
    if lesson.after is None:
        pairs = [(a, b, bool(lesson.swapped[a])) for a, b in words.pairs(lesson)]
        return column | {"stages": [_top(lesson.shown)], "pairs": pairs, "said": words.shows(lesson)}
    stages = [_top(lesson.shown), _top(lesson.before), _top(lesson.after)]
    stages = [stage for i, stage in enumerate(stages) if i == 0 or stage != stages[i - 1]]
    return column | {
        "stages": stages, "said": words.learned(lesson),
        "changes": _changes(lesson.before, lesson.after, "than before your clicks"),
    }  # fmt: skip


def _changes(old: Array, new: Array, than: str) -> dict[str, tuple[str, str, str]]:
    """Return for each document in the top of a list that stands elsewhere: a class, a sign and a sentence."""
    was = {int(document): place for place, document in enumerate(old, start=1)}
    found = {}
    for place, document in enumerate(_top(new), start=1):
        by = was[document] - place
        if by:
            found[str(document)] = (
                "new" if was[document] > SLOTS else "up" if by > 0 else "down",
                f"{'▲' if by > 0 else '▼'} {abs(by)}",
                f"{count(abs(by), 'place')} {'higher' if by > 0 else 'lower'} {than}",
            )
    return found


def _compared(person: Searcher) -> list[dict[str, Any]]:
    trial = person.live.trial
    assert trial is not None
    mixed = {"title": "One list, mixed from two rankers", "slot": "", "stages": [_top(trial.mixed.ranking[0])]}
    if trial.outcome is None:
        return [mixed | {"note": "Which result comes from which stays hidden until you have clicked.", "aside": ASIDE}]
    k, mine, fixed = words.credit(trial)
    until = min(k, SLOTS)

    def list_of(title: str, slot: int | str, ranking: Array, hits: int) -> dict[str, Any]:
        note = f"{count(hits, 'click')} among the first {k}" if k > 1 else f"{count(hits, 'click')} on top"
        return {"title": title, "slot": slot, "stages": [_top(ranking)], "note": note, "until": until}

    return [
        list_of(f"{LEARNERS[trial.name]}’s list", _PLACE[trial.name], trial.mixed.first[0], mine),
        mixed | {"title": "What you saw", "note": "mixed from both"},
        list_of("Hand-tuned list", "", trial.mixed.second[0], fixed),
    ]


def _button(kind: str) -> dict[str, str]:
    if kind == "teach":
        return {"one": "Learn from my click", "more": "Learn from my # clicks", "none": "Click what helps you"}
    return {"one": "Count my click", "more": "Count my # clicks", "none": "Click what helps you"}


def _hint(person: Searcher) -> str:
    if person.ended:
        return "Next, one of them is compared." if person.next == "compare" else "Next, both learn again."
    if person.kind == "teach":
        return "Mark as many as you like, in either list. Both learners hear the same clicks."
    return "Mark as many as you like. Nobody learns from this search."


def _verdict(person: Searcher) -> str:
    trial = person.live.trial
    return words.decided(trial) if person.kind == "compare" and trial is not None and person.ended else ""


def _next(person: Searcher) -> list[tuple[str, str]]:
    """Return queries to go on with, and what stands on their buttons."""
    assert person.found is not None
    if not person.ended:
        return []
    return [(idea, f"Next search: {idea}") for idea in person.ideas(1)] + [(person.found.query, "The same query again")]


FOLDER = Path(__file__).parent / "js"

_component = component("search", FOLDER / "results.js", FOLDER / "results.css")
