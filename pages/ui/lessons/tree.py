"""The searches of a card by hand where nothing computes: a small tree through which clicks lead (js/tree.js).

For each list three ways to click are recorded: everything that one looks for, as many others, and nothing. A person's
clicks count as the first if at least half of them are what one looks for, else as the second. The card says so.

A tree has `of`, `more`, `wanted` and `counts` as `Searches` of js/document.js, `faces` (all documents), `lists` (rows
of `faces` by the path of branches, such as "02"), `chart` (the curve's `title`, `layout`, `trace` and points
`x`) and `ends` (by the whole path: `after` and `later`, the first list as it is ordered after the person's searches and
at the end; the curve's `y`; and `map`).
"""

from itertools import product
from typing import Any

from pages.ui.draw.charts import Look
from pages.ui.families import labs
from pages.ui.form.form import Form
from pages.ui.lessons.facts import Runs
from pages.ui.lessons.hand import faces, state
from pages.ui.lessons.lesson import Card
from pages.ui.lessons.searches import LessonSearches

BRANCHES = 3
POINTS = 60  # of a curve


def grow(card: Card, depth: int | None = None) -> dict[str, Any]:
    """Return the tree of a card. depth : how many lists the person answers, without it as many as the card says."""
    hand = card.hand
    assert hand is not None
    filled = labs()[card.lab].ask(Form(card.settings))
    data = Runs().data(filled.run)
    specs = filled.lab.drawn(filled.charts, filled.run, data)
    of = depth or hand.searches
    made: dict[str, Any] = {"of": of, "more": hand.then, "counts": True, "lists": {}, "ends": {}}
    pool: dict[tuple[Any, ...], int] = {}

    def rows(found: list[dict[str, Any]]) -> list[int]:
        return [pool.setdefault(tuple(sorted(face.items())), len(pool)) for face in found]

    for path in product(range(BRANCHES), repeat=of):
        person = LessonSearches(filled.run, hand.learner, data)
        for number, branch in enumerate(path):
            shown = faces(person, person.shown())
            made["lists"]["".join(map(str, path[:number]))] = rows(shown)
            person.choose(places(shown, branch))
        made["wanted"] = state(person, hand, specs, filled.view, Look())["wanted"]
        end: dict[str, Any] = {"after": rows(faces(person, person.first_now()))}
        person.go_on(hand.then)
        now = state(person, hand, specs, filled.view, Look())
        if (chart := now["chart"]) is not None:
            trace = next(t for t in chart.pop("data") if t.get("name") == person.setup.labels()[0])
            every = max(1, len(trace["x"]) // POINTS)
            made["chart"] = chart | {
                "x": trace.pop("x")[::every],
                "trace": {k: v for k, v in trace.items() if k in ("type", "mode", "line", "name")},
            }
            end |= {"y": [None if y is None or y != y else float(f"{y:.4g}") for y in trace["y"][::every]]}
        made["ends"]["".join(map(str, path))] = end | {
            "later": rows(faces(person, person.first_now())),
            "map": now["map"],
        }
    made["faces"] = [dict(key) for key in pool]
    return made


def places(shown: list[dict[str, Any]], branch: int) -> list[int]:
    """Return the places, from 1, that a branch clicks in a list."""
    wanted = [place for place, face in enumerate(shown, 1) if face["grade"] > 0]
    others = [place for place, face in enumerate(shown, 1) if face["grade"] == 0]
    return [wanted, others[: max(1, len(wanted))], []][branch]
