"""A cause that is tried: a figure's run with named values changed, and a statement asked again.

>>> from pages.ui.figures.figure import Panel, Series, Size
>>> web = Panel("web", "", (Series("3PR", "perturbed-perceptron"),), Size(100), dataset="web-search", user="cascade")
>>> longer = Altered(steps=1_000, asks={"noise": 0.0}).of(web)
>>> longer.page.steps, dict(longer.asks)
(1000, {'noise': 0.0})
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from datasets.packaged import Packaged, carrier
from learners.catalogue import learner_classes
from learners.wording import listed
from pages.ui.figures.catalogue import figures
from pages.ui.figures.digest import setup_digest
from pages.ui.figures.figure import Computed, Figure, Group, Groups, Metrics, Over, Panel, Params, Series, Steps
from pages.ui.figures.result import Drawn, Result
from pages.ui.figures.statement import AGREES, Rule, Statement, Value, moved

KINDS = SIZE, DATA, TUNING, READING, MISPRINT, NEVER = (
    "size", "data", "tuning not printed", "reading of an unclear rule", "misprint", "not reproducible",
)  # fmt: skip
UNKNOWN, UNTRIED = "unknown", "not tried"
CAUSES = (*KINDS, UNKNOWN, UNTRIED)


@dataclass(frozen=True)
class Altered:
    """Named values of panels that take the place of those of the page; all else stays.

    panels : ids, all without. steps, seeds, replicates : of the size, 0 for those of the page. dataset : another data
    set, which takes nothing but `data`. data, asks : parameters of the data set and the user. user : another user, who
    takes nothing but `asks`. tuned : parameters of the learners that have them, or of the `series` named.
    more : parameters of the size's data, for panels whose curves a function makes. computed : another such function.
    metric, x : another metric, other places on the x axis. groups : the worlds to change, where several stand there.
    """

    panels: tuple[str, ...] = ()
    steps: int = 0
    seeds: int = 0
    replicates: int = 0
    dataset: str = ""
    data: Params = field(default_factory=dict)
    user: str = ""
    asks: Params = field(default_factory=dict)
    tuned: Params = field(default_factory=dict)
    series: tuple[str, ...] = ()
    more: Params = field(default_factory=dict)
    computed: Computed | None = None
    metric: str = ""
    x: Steps | Over | Metrics | Groups | None = None
    groups: tuple[str, ...] = ()

    def of(self, panel: Panel) -> Panel:
        """Return the panel with these values."""
        if self.panels and panel.id not in self.panels:
            return panel
        page = panel.page
        sized = {name: value for name in ("steps", "seeds", "replicates") if (value := getattr(self, name))}
        given = {**({} if self.dataset else page.data), **self.more}  # it wins over the panel's data
        page = replace(page, **sized, data={name: value for name, value in given.items() if name not in self.data})
        return replace(
            panel, page=page, dataset=self.dataset or panel.dataset, metric=self.metric or panel.metric,
            data={**({} if self.dataset else panel.data), **self.data}, user=self.user or panel.user,
            asks={**({} if self.user else panel.asks), **self.asks}, computed=self.computed or panel.computed,
            series=tuple(self._series(one) for one in panel.series), x=self._x(self.x or panel.x),
        )  # fmt: skip

    def _series(self, one: Any) -> Any:
        if not self.tuned or (self.series and one.name not in self.series):
            return one
        known = {p.name for p in learner_classes()[one.learner].parameters()}
        taken = self.tuned if self.series else {k: v for k, v in self.tuned.items() if k in known}
        return replace(one, params={**one.params, **taken})

    def _x(self, x: Steps | Over | Metrics | Groups) -> Steps | Over | Metrics | Groups:
        if not isinstance(x, Groups):
            return x
        return replace(x, groups=tuple(self._group(g) if g.name in self.groups else g for g in x.groups))

    def _group(self, group: Group) -> Group:
        return replace(
            group, dataset=self.dataset or group.dataset, data={**({} if self.dataset else group.data), **self.data},
            asks={**group.asks, **self.asks},
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Ablation:
    """A cause to be tried.

    figure, statements : of which figure, and which of its statements, from 0. name : in files. kind : one of KINDS,
    what the cause is if rules that fail on the page hold then.
    words : what is changed, in words. changes : what is run otherwise; without any, the page's result is asked again.
    reads : a statement that takes the place of one of the figure's, by its number, such as one without a misprint.
    last : whether with it all that the text leaves open has been tried, so that the statement is not reproducible if
    nothing mends it.
    """

    figure: str
    name: str
    kind: str
    words: str
    statements: tuple[int, ...]
    changes: tuple[Altered, ...] = ()
    reads: Mapping[int, Statement] = field(default_factory=dict)
    last: bool = False

    @property
    def id(self) -> str:
        """Its name among the results."""
        return f"{self.figure}.{self.name}"

    @property
    def real(self) -> Packaged | None:
        """The real data of a package that are used, None if there are none."""
        return next((found for c in self.changes if (found := carrier(str(c.data.get("path", ""))))), None)

    def asked(self, figure: Figure, number: int) -> Statement:
        """Return the statement that is asked in place of one of the figure's."""
        return self.reads.get(number, figure.statements[number])

    def figure_of(self, figure: Figure, result: Result) -> Figure:
        """Return the figure to run: the panels and series that are changed and of which the statements tell.

        result : of the page, which tells what a statement reads.
        """
        read: dict[str, set[str]] = {}
        for number in self.statements:
            for panel, series in reads(self.asked(figure, number), result):
                read.setdefault(panel, set()).add(series)
        return replace(figure, id=self.id, panels=tuple(self._panels(figure, read)), statements=())

    def _panels(self, figure: Figure, read: Mapping[str, set[str]]) -> Iterator[Panel]:
        def digest(panel: Panel, *series: Series) -> str:
            return setup_digest(replace(figure, panels=(replace(panel, series=series),)))

        for old in figure.panels:
            new = old
            for change in self.changes:
                new = change.of(new)
            wanted = read.get(old.id, set())
            pairs = [(one, two) for one, two in zip(old.series, new.series, strict=True) if two.name in wanted]
            kept = tuple(two for one, two in pairs if digest(old, one) != digest(new, two))
            if kept:
                yield new if new.computed is not None else replace(new, series=kept)


class _Reading(Result):
    """A result that notes which series are asked for."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.panels)
        object.__setattr__(self, "noted", dict[tuple[str, str], None]())

    def drawn(self, panel: str, series: str) -> Drawn:
        self.noted[panel, series] = None  # type: ignore[attr-defined]
        return super().drawn(panel, series)


def reads(statement: Statement, result: Result) -> list[tuple[str, str]]:
    """Return the panels and series of which a statement tells."""
    reading = _Reading(result)
    statement.here(reading)
    statement.outcomes(reading)
    return list(reading.noted)  # type: ignore[attr-defined]


def joined(page: Result, other: Result) -> Result:
    """Return the page's result with what another has of it in its place."""
    return replace(page, panels={id: {**series, **other.panels.get(id, {})} for id, series in page.panels.items()})


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome of a cause that was tried.

    mended : numbers of the rules that fail on the page and hold now, and not by chance: their number moved by more than
    two standard errors, or a larger run made it sure. broken : of those that hold on the page and fail now.
    verdict, here : of the statement as it was asked.
    """

    ablation: Ablation
    mended: frozenset[int]
    broken: frozenset[int]
    verdict: str
    here: str


def outcome(ablation: Ablation, figure: Figure, number: int, page: Result, found: Result | None) -> Outcome:
    """Return what came of a cause for one of the figure's statements. found : what was run, None where nothing is."""
    asked = ablation.asked(figure, number)
    result = page if found is None else joined(page, found)
    failing = failures(figure.statements[number], page)
    verdict, broken = asked.verdict(result), frozenset[int]()
    if number in ablation.reads:
        mended = failing if verdict == AGREES else frozenset()
    else:
        fails = failures(asked, result)
        larger = ablation.kind == SIZE
        mended = frozenset(i for i in failing - fails if larger or moved(asked.rules[i], page, result))
        broken = fails - failing
    return Outcome(ablation, mended, broken, verdict, asked.here(result))


def failures(statement: Statement, result: Result) -> frozenset[int]:
    """Return the numbers of the rules that do not hold."""
    return frozenset(i for i, (_, holds) in enumerate(statement.outcomes(result)) if not holds)


@dataclass(frozen=True)
class Cause:
    """The cause of a statement. kinds : those that mend more rules than they break, the one that mends most first, or
    `UNKNOWN` or `UNTRIED` alone. whole : whether with one of them alone the statement agrees."""

    kinds: tuple[str, ...]
    whole: bool

    @property
    def words(self) -> str:
        """The cause in words."""
        return listed(self.kinds) + ("" if self.whole else ", in part")


def cause(tried: Sequence[Outcome], failing: frozenset[int]) -> Cause:
    """Return the cause that the outcomes decide.

    >>> cause((), frozenset({0})).words
    'not tried'
    """
    order = sorted(tried, key=lambda o: (-len(o.mended), not o.ablation.changes))
    if helped := [o for o in order if len(o.mended & failing) > len(o.broken)]:
        whole = any(o.verdict == AGREES and failing <= o.mended for o in helped)
        return Cause(tuple(dict.fromkeys(o.ablation.kind for o in helped)), whole)
    never = any(o.ablation.last for o in tried)
    return Cause((NEVER if never else UNKNOWN if tried else UNTRIED,), True)


def again(
    figure: str, number: int, *rules: Rule, here: str = "", values: Mapping[str, Value] | Iterable[Value] = (),
    **named: Value,
) -> dict[int, Statement]:  # fmt: skip
    """Return a figure's statement with other rules, by its number, as `Ablation.reads` takes it.

    here, values, named : another template of what came out, and its values, as a statement takes them. Without them the
    rules may name the old values.
    """
    old = figures()[figure].statements[number]
    given: Any = {"values": values, **named} if here else {"values": old.values}
    return {number: Statement(old.printed, here or old.template, *rules, **given, where=old.where, said=old.said)}
