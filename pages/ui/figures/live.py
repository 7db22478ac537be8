"""Runs a figure in the background while a person looks at it, smaller than its stored result."""

import time

import streamlit as st

from learners.run.cost import Cost
from learners.wording import listed
from pages.ui.counting import counted
from pages.ui.figures.figure import Figure
from pages.ui.figures.needs import here, missing
from pages.ui.figures.plan import plan
from pages.ui.figures.result import Result
from pages.ui.figures.view.words import unit
from pages.ui.jobs.queue import QUEUE
from pages.ui.jobs.works import Works
from pages.ui.plain import Markdown, plain
from pages.ui.server.sessions import connected
from pages.ui.sweep.setup import WORKERS

SECONDS = {"live": 30.0, "page": 600.0}  # of one core that a run may take; those of `live` are chosen for it
TICK = 0.5  # seconds between two looks at a run
AWAY = {"live": 20.0, "page": 90.0}  # seconds without a look after which nobody seems to wait; hidden tabs look seldom
KEPT = 8  # runs of a person that stay on the page, the latest


class FigureRun(Works):
    """A figure that runs for one person, as long as the person's browser looks at it; until it begins, as long as that
    is connected. figure, scale : what runs."""

    keep = 0.0
    stays = False

    def __init__(self, figure: Figure, scale: str = "live", workers: int = 1) -> None:
        self.plan = plan(figure, scale)
        super().__init__(self.plan.works, workers, cost=Cost(SECONDS.get(scale, SECONDS["page"])))
        self.figure, self.scale, self.away = figure, scale, AWAY.get(scale, AWAY["page"])
        self._found: tuple[int, Result | None] = (0, None)

    @property
    def wanted(self) -> bool:
        waits = not (self.begun or self.cancelled)
        return super().wanted or (waits and any(connected(str(who)) for who in list(self.sessions)))

    def work(self) -> None:
        self.sessions = dict.fromkeys(self.sessions, time.monotonic())
        super().work()

    @property
    def whole(self) -> bool:
        """Whether all has been computed."""
        return len(self.parts) == len(self.plan.works)

    @property
    def found(self) -> Result | None:
        """The result so far, None before the first value."""
        parts = list(self.parts)
        if len(parts) != self._found[0]:
            self._found = len(parts), self.plan.gather({work.number: part for work, part in parts})
        return self._found[1]


# ---- what was run, in words ----------------------------------------------------------------------------------


def words(figure: Figure, scale: str = "live") -> Markdown:
    """Return how much of the stored result's size runs at a scale, in words.

    >>> from pages.ui.figures.figure import Panel, Series, Size
    >>> panel = Panel("a", "", (Series("3PR", "perturbed-perceptron"),), Size(1000, replicates=5), dataset="web-search")
    >>> words(Figure("C-fig0", "C", 0, "", "", "", (panel,), ()))
    '2 of 10 data seeds, 200 of 1,000 steps and 1 of 5 runs with each seed'
    """
    run = [panel for panel in figure.panels if panel.computed is None]  # a function knows what its steps are
    parts = [
        _compared([(p.size(scale).seeds, p.page.seeds) for p in figure.panels], "data seeds"),
        _compared([(p.size(scale).steps, p.page.steps) for p in run], f"{unit(figure.panels)}s"),
        _compared([(p.size(scale).replicates, p.page.replicates) for p in run], "runs with each seed"),
    ]
    said = [part for part in parts if part]
    smaller = [p for p in figure.panels if dict(p.size(scale).data) != dict(p.page.data)]
    if any(p.computed is not None and p.size(scale).steps != p.page.steps for p in figure.panels) and not parts[1]:
        said.append("less of what is computed without a simulation")
    if smaller:
        said.append("smaller data")
    if not said:
        return Markdown("as much as in the stored result")
    return plain(listed(said))


def _compared(pairs: list[tuple[int, int]], noun: str) -> str:
    """Return the sizes of all panels in words, "" if nothing is smaller."""
    smaller = [pair for pair in dict.fromkeys(pairs) if pair[0] != pair[1]]
    if not smaller:
        return ""
    if len(set(pairs)) == 1:
        return f"{smaller[0][0]:,} of {smaller[0][1]:,} {noun}"
    least = min(100 * live // page for live, page in pairs)
    more = len({live / page for live, page in pairs}) > 1
    return f"{least} %{' or more' * more} of the {noun}"


# ---- what is drawn -------------------------------------------------------------------------------------------


def runs() -> dict[str, FigureRun]:
    """Return the runs of this person, by name, the latest last."""
    kept: dict[str, FigureRun] = st.session_state.setdefault("figures:runs", {})
    return kept


def start(name: str, figure: Figure, scale: str = "live") -> None:
    """Start a run; the one that this person has under way is cancelled."""
    kept = runs()
    for run in kept.values():
        QUEUE.leave(run.key)
    kept.pop(name, None)
    # a small run would wait longer for processes to start than it takes
    kept[name] = FigureRun(figure, scale, 1 if scale == "live" else min(2, WORKERS))
    QUEUE.enter(kept[name])
    while len(kept) > KEPT:
        del kept[next(iter(kept))]


def forget(name: str) -> None:
    """Take a run of this person away, with what it found."""
    run = runs().pop(name, None)
    if run is not None:
        QUEUE.leave(run.key)


def tick(name: str) -> float | None:
    """Return the seconds between two looks while a run is under way, else None; `settle` tells when that changes."""
    under_way = st.session_state[f"figures:under way:{name}"] = _look(name)
    return TICK if under_way else None


def settle(name: str) -> None:
    """Have the page drawn again, at the end of the fragment, once a run has begun or ended."""
    if _look(name) != st.session_state.get(f"figures:under way:{name}", False):
        st.rerun()


def _look(name: str) -> bool:
    run = runs().get(name)
    under_way = run is not None and not run.complete
    if run is not None and under_way:
        QUEUE.enter(run)
    return under_way


def found(name: str) -> Result | None:
    """Return what has come so far of a run, None if nothing has."""
    run = runs().get(name)
    return None if run is None else run.found


def controls(figure: Figure) -> None:
    """Draw the button that runs the figure now, its progress, and what was run."""
    run = runs().get(figure.id)
    under_way = run is not None and not run.complete
    able, lacking = here(figure), plain(missing(figure))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Run it again, smaller" if run else "Run it now, smaller",
            icon=":material/play_arrow:",
            key=f"live-start:{figure.id}",
            on_click=start,
            args=(figure.id, able),
            disabled=under_way or not able.panels,
            help=f"Computes the figure here, within half a minute: {words(able)}. Its curves are drawn over the stored "
            "ones as they come.",
        )
        if run is not None and not under_way:
            st.button(
                "Remove these curves",
                icon=":material/layers_clear:",
                key=f"live-away:{figure.id}",
                on_click=forget,
                args=(figure.id,),
            )
        elif run is not None:
            cancel_button(run, f"live-cancel:{figure.id}")
    if lacking:
        st.caption(f"The other panels can be run. {lacking}" if able.panels else lacking)
    if run is not None:
        show_progress(run, f"Run now: {words(run.figure)}")


def cancel_button(run: FigureRun, key: str) -> None:
    """Draw the button that cancels a run."""
    st.button("Cancel", icon=":material/stop:", key=key, on_click=_cancel, args=(run,), disabled=run.cancelled)


def _cancel(run: FigureRun) -> None:
    QUEUE.leave(run.key)


def show_progress(run: FigureRun, what: Markdown) -> None:
    """Draw how far a run is, or how it ended. what : what was run, a sentence without its full stop."""
    now = run.progress
    if not (run.begun or run.ended):
        st.progress(0.0, run.waiting())
    elif run.running:
        left = "" if now.left is None else f", about {now.left:.0f} s left"
        st.progress(min(1.0, now.share), "Stopping …" if run.cancelled else f"{now.share:.0%}{left}")
    elif run.failed:
        st.error(plain(run.failed), icon=":material/block:")
    elif not run.whole:
        st.caption(f"Stopped after {now.finished} of {now.batches} runs. {what}.")
    else:
        st.caption(f"{what}, in {max(1.0, now.seconds):.0f} s. {_caution(run)}")


def _caution(run: FigureRun) -> Markdown:
    seeds = run.found.seeds if run.found is not None else 0
    if run.scale == "page":
        return Markdown("This is the size of the stored result.")
    if seeds < 3:
        said = f"With {counted(seeds, 'data seed')}, chance moves a curve a good deal; the stored one is surer."
        return Markdown(said)
    return Markdown("Fewer seeds and shorter runs are less sure than the stored curves.")
