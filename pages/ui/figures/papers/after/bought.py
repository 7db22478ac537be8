"""The gains over the years: a table for each family."""

from pages.ui.figures.computed.bought import COST, NEEDED, REACHED, choosers, classifiers, rankers
from pages.ui.figures.figure import Computed, Figure, Panel, Series, Size
from pages.ui.figures.statement import Above, Between, Expected, Value, at

_ROWS = tuple(Series(name, "") for name in (REACHED, NEEDED, COST))


def _panel(id: str, title: str, dataset: str, steps: int, computed: Computed, lab: str, user: str = "") -> Panel:
    return Panel(
        id, title, _ROWS, Size(steps), dataset=dataset, user=user, x_title="learner", y_title="value", log_y=True,
        computed=computed, timed=True, live=Size(steps // 5, seeds=1), lab=lab,
    )  # fmt: skip


def _ratio(panel: str, row: str, first: str, second: str) -> Value:
    words = f"{first} divided by {second}, {row}"
    return (at(panel, row, first) / at(panel, row, second)).named(words)


TABLE = Figure(
    "L-bought", "L", 21, "What it bought", "Twenty years in a table",
    "For each learner: the value at the end of the run (NDCG@10 on test queries after 10,000 informational searches; "
    "the error rate after 3,594 digits; the loss after 3,000 sets of labels), the step from which on it is never worse "
    "again than the first learner is at its end (all steps if that never comes), and the processor time of a step of "
    "one run with every metric.",
    (
        _panel("clicks", "Ranking from clicks", "web-search", 10_000, rankers, "stability", "dependent-click"),
        _panel("wrong", "Right or wrong", "digits", 3_594, classifiers, "bandit"),
        _panel("sets", "Sets of labels", "multilabel-synthetic", 3_000, choosers, "multilabel"),
    ),
    (
        Expected(
            "PDGD is where DBGD ends in less than a tenth of the searches, and so is 3PR.",
            "DBGD ends at {d:.3f} after 10,000 searches. 3PR is there for good after {s:,.0f} and PDGD after {p:,.0f}, "
            "and they end at {se:.3f} and {pe:.3f}.",
            Between("s", 1, 1_000), Between("p", 1, 1_000), d=at("clicks", REACHED, "DBGD 2009"),
            s=at("clicks", NEEDED, "3PR 2013"), p=at("clicks", NEEDED, "PDGD 2018"),
            se=at("clicks", REACHED, "3PR 2013"), pe=at("clicks", REACHED, "PDGD 2018"),
        ),
        Expected(
            "A step of PDGD costs less than twice one of 3PR, and one of TD-MGD more than twice.",
            "A step takes {s:.0f} µs with 3PR, {p:.0f} with PDGD, {d:.0f} with DBGD and {m:.0f} with TD-MGD.",
            Between(_ratio("clicks", COST, "PDGD 2018", "3PR 2013"), 0, 2),
            Above(_ratio("clicks", COST, "TD-MGD 2016", "3PR 2013"), 2.0), s=at("clicks", COST, "3PR 2013"),
            p=at("clicks", COST, "PDGD 2018"), d=at("clicks", COST, "DBGD 2009"), m=at("clicks", COST, "TD-MGD 2016"),
            why="Every metric is part of these times, so that they lie closer together than the learners alone.",
        ),
        Expected(
            "On digits SquareCB and ε-greedy need less than half the steps of the Banditron.",
            "The Banditron ends with an error rate of {b:.3f}. SquareCB is there after {s:,.0f} steps, ε-greedy after "
            "{g:,.0f} and SOBA after {o:,.0f}. A step takes {bc:.0f}, {sc:.0f}, {gc:.0f} and {oc:.0f} µs.",
            Between("s", 1, 1_797), Between("g", 1, 1_797), b=at("wrong", REACHED, "Banditron 2008"),
            s=at("wrong", NEEDED, "SquareCB 2020"), g=at("wrong", NEEDED, "ε-greedy"),
            o=at("wrong", NEEDED, "SOBA 2017"),
            bc=at("wrong", COST, "Banditron 2008"), sc=at("wrong", COST, "SquareCB 2020"),
            gc=at("wrong", COST, "ε-greedy"), oc=at("wrong", COST, "SOBA 2017"),
        ),
        Expected(
            "In choosing sets of labels the years bought nothing, since [G] is a linear bandit already.",
            "[G] ends with a loss of {g:.3f}, C2UCB with {c:.3f} and Thompson sampling with {t:.3f}.",
            Between(_ratio("sets", REACHED, "C2UCB 2014", "[G] 2012"), 0.95, 1.05),
            Between(_ratio("sets", REACHED, "Thompson 2013", "[G] 2012"), 0.95, 1.05),
            g=at("sets", REACHED, "[G] 2012"), c=at("sets", REACHED, "C2UCB 2014"),
            t=at("sets", REACHED, "Thompson 2013"),
        ),
    ),
    "",
    "The losses of sets of labels had been seen before. The Banditron's γ of 0.1 is the best of five on digits with "
    "these seeds.",
    table=True,
)  # fmt: skip

FIGURES = (TABLE,)
