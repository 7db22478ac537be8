"""A kept run: a run of a lab, or a sweep, that stays with its final values, to be found, compared and taken away.

It holds the settings that determine numbers and differ from their defaults, so that it means the same run whatever the
present settings are. The browser stores it, as `entry` writes and `read_entry` reads it. In the link of a lab,
`vs=noise~0.4~seed~3~~defaults` names two kept runs that are shown behind the present one, the second with every setting
at its default.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import datasets
from datasets.parameters import Parameter
from learners.catalogue import user_classes
from learners.grid import GridSpec
from learners.spec import RunSpec
from pages.ui.form.form import Asked, Form
from pages.ui.plain import visible
from pages.ui.race import limits

MOST_BEHIND = 4  # kept runs that are shown behind another
VS = Parameter("vs", "text", "", help="Kept runs that are shown as pale curves behind the present one.")
_DEFAULTS = "defaults"
_ESCAPED, _EMPTY = (("%", "%25"), ("~", "%7E")), "%00"

# Function that reads from a link what determines the numbers of a run or a sweep
Ask = Callable[[Form], RunSpec | GridSpec]


@dataclass(frozen=True)
class Final:
    """The value of a metric at the end of a run, as a sweep takes it: the mean over the replicates.

    half : half width of the 95 % interval of the mean, None for one replicate. at : of a sweep, where the best lies.
    """

    learner: str
    metric: str
    title: str
    value: float
    half: float | None = None
    at: str = ""


@dataclass(frozen=True)
class KeptRun:
    """A run of a lab, or a sweep, that was kept. Two that have the same settings are the same.

    link : key and text of each setting that determines numbers and differs from its default. spec : what these say.
    finals : final values, of a sweep the best ones. curve : of a sweep, by metric the values (points ×
    replicates). reached : the step to which it was computed when it was kept, None for its end. tags, kept :
    what a person wrote to it, and when it was kept, in milliseconds.
    """

    link: tuple[tuple[str, str], ...]
    spec: RunSpec | GridSpec
    finals: tuple[Final, ...] = field(default=(), compare=False)
    curve: Mapping[str, list[list[float | None]]] = field(default_factory=dict, compare=False)
    reached: int | None = field(default=None, compare=False)
    tags: tuple[str, ...] = field(default=(), compare=False)
    kept: float = field(default=0.0, compare=False)

    @property
    def text(self) -> str:
        """The run as it stands in a link, which also tells it from others."""
        return _text(self.link)

    @property
    def run(self) -> RunSpec:
        """The run, of a sweep the one that is made at each point."""
        return self.spec.run if isinstance(self.spec, GridSpec) else self.spec

    def entry(self, page: str, title: str, asked: Asked, query: str = "") -> dict[str, Any]:
        """Return the run as the browser stores it.

        page, title : of the lab. asked : its settings. query : link that opens the run as it is drawn now.
        """
        run = self.run
        return {
            "page": page, "title": title, "query": query, "run": self.text, "unit": run.family.unit, "steps": run.steps,
            "replicates": run.replicates, "seed": run.seed, "learners": run.labels(),
            "finals": [*map(vars, self.finals)],
            "data": visible(datasets.classes()[run.dataset.id].title),
            "user": user_classes()[run.user.id].title if run.user else "", "settings": dict(self.link),
            "names": {key: asked[key][1] for key, _ in self.link}, "curve": self.curve, "reached": self.reached,
            "over": [f"{g.parameter.label} {g.low:g} to {g.high:g}" for g in getattr(self.spec, "grids", ())],
        }  # fmt: skip


def kept_of(query: Mapping[str, str], ask: Ask) -> KeptRun:
    """Return the run that a link opens, without the settings that only change what is drawn.

    Wrong values count as their defaults.
    """
    form = Form(query)
    return _kept(form, ask(form), query)


def _kept(form: Form, spec: RunSpec | GridSpec, query: Mapping[str, str]) -> KeptRun:
    """Return the run that was read from the link of a form. query : the part of the link that counts."""
    values = {key: (p, form.value(p, key)) for key, p in form.known.items() if key in query}
    return KeptRun(tuple((key, p.format(value)) for key, (p, value) in values.items() if value != p.default), spec)


def read_entry(raw: Any, ask: Ask) -> tuple[KeptRun | None, list[str]]:
    """Return the kept run that a browser has stored, if it is one, and a sentence for each setting that is wrong."""
    stored = raw if isinstance(raw, dict) else {}
    settings = stored.get("settings")
    pairs = [(words_of(k), words_of(v)) for k, v in settings.items()] if isinstance(settings, dict) else []
    problems: list[str] = []
    found = _read_one(_text(pairs), f"The kept run “{str(stored.get('title', ''))[:60]}”", ask, problems)
    if found is None:
        return None, problems
    finals = (_final(each) for each in _list(stored.get("finals")))
    curve, reached, kept = stored.get("curve"), stored.get("reached"), stored.get("last")
    return replace(
        found,
        finals=tuple(final for final in finals if final is not None),
        curve=dict(_curves(curve, found.run.family.by_id))
        if isinstance(curve, dict) and isinstance(found.spec, GridSpec) else {},
        reached=reached if type(reached) is int else None,
        tags=tuple(map(words_of, _list(stored.get("tags")))),
        kept=_number(kept) or 0.0,
    ), problems  # fmt: skip


def words_of(raw: Any) -> str:
    """Return what a browser has stored as a text, in which half a sign has become a question mark."""
    return str(raw).encode(errors="replace").decode()


def _curves(raw: Mapping[str, Any], known: Container[str]) -> Iterator[tuple[str, list[list[float | None]]]]:
    """Yield the curves of metrics that are known, of which each point has as many replicates, or none."""
    for metric, points in raw.items():
        values = [[*map(_number, _list(point))] for point in _list(points)]
        if metric in known and len({len(point) for point in values if point}) == 1:
            yield metric, values


def _final(raw: Any) -> Final | None:
    value = _number(raw.get("value")) if isinstance(raw, dict) else None
    if value is None:
        return None
    learner, metric, title, at, chart = (
        words_of(raw.get(k, "")) for k in ("learner", "metric", "title", "at", "chart")
    )
    return Final(learner, metric or chart, title, value, _number(raw.get("half")), at)


def _list(raw: Any) -> list[Any]:
    return raw if isinstance(raw, list) else []


def _number(raw: Any) -> float | None:
    return float(raw) if type(raw) in (int, float) and abs(raw) < 1e300 else None


def titles_of(asked: Asked) -> dict[str, tuple[str, str]]:
    """Return title and default, as texts, of each setting, by its key."""
    return {key: (title, p.format(p.default)) for key, (p, title) in asked.items()}


def write(runs: Sequence[KeptRun]) -> str:
    """Return the text that names kept runs in a link."""
    return "~~".join(run.text for run in runs)


def read(text: str, ask: Ask, known: Mapping[str, KeptRun] = {}) -> tuple[list[KeptRun], list[str]]:
    """Return the kept runs that a link names, at most `MOST_BEHIND`, and a sentence for each part that is wrong.

    known : runs that were read before, by their texts.
    """
    runs: list[KeptRun] = []
    problems: list[str] = []
    parts = text.split("~~") if text else []
    if len(parts) > MOST_BEHIND:
        problems.append(
            f"vs must hold at most {MOST_BEHIND} kept runs, got {len(parts)}; the first {MOST_BEHIND} are shown."
        )
    for number, part in enumerate(parts[:MOST_BEHIND], 1):
        run = known.get(part) or _read_one(part, f"Kept run {number} in vs", ask, problems)
        if run is not None and run not in runs:
            runs.append(run)
    return runs, problems


def _read_one(text: str, name: str, ask: Ask, problems: list[str]) -> KeptRun | None:
    """Return the kept run that a text stands for, or None if nothing of it is right. Problems are added to the list."""
    if text == _DEFAULTS:
        return kept_of({}, ask)
    parts = [_unescape(part) for part in text.split("~")]
    wrong: list[tuple[str, str]] = []  # a sentence, and what becomes of this part if other parts are right
    if len(parts) % 2:
        words = f"must be settings with their values, such as noise~0.4~seed~3, or {_DEFAULTS}"
        wrong.append((f"{name} {words}; {parts.pop()[:60]!r} has no value", "this part is left out"))
    query = dict(zip(parts[::2], parts[1::2], strict=True))
    form = Form(query)
    try:
        setup, known, faults = ask(form), form.known, form.faults()
    except ValueError as error:
        problems.append(f"{name} is left out. {error}")
        return None
    if unknown := [key for key, words in faults.items() if not words]:
        shown = ", ".join(repr(key[:30]) for key in unknown[:3]) + f" and {len(unknown) - 3} more" * (len(unknown) > 3)
        wrong.append((f"{name} can hold {', '.join(known)}, got {shown}", "this part is left out"))
    right = {key: value for key, value in query.items() if key not in faults}
    for key in (key for key, words in faults.items() if words):
        default = known[key].format(known[key].default) or "empty"
        wrong.append((f"{name}: {faults[key]}", f"the default {default} is used"))
    problems += [f"{sentence}; {end if right else 'the run is left out'}." for sentence, end in wrong]
    if not right:
        return None
    try:
        if isinstance(setup, RunSpec):
            limits.check(setup)
    except ValueError as error:
        problems.append(f"{name} is left out. {error}")
        return None
    return _kept(form, setup, right)


def _text(pairs: Iterable[tuple[str, str]]) -> str:
    return "~".join(_escape(part) for pair in pairs for part in pair) or _DEFAULTS


def _escape(text: str) -> str:
    for sign, code in _ESCAPED:
        text = text.replace(sign, code)
    return text or _EMPTY


def _unescape(text: str) -> str:
    if text == _EMPTY:
        return ""
    for sign, code in reversed(_ESCAPED):
        text = text.replace(code, sign)
    return text
