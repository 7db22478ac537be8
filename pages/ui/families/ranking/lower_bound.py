"""The lower bound: a game against an adversary that beats every coactive learner, as a mode of the coactive lab.

It is computed in the background, as the runs of labs are.
"""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.parameters import Parameter
from learners.catalogue import families, learner_classes, learners_of
from pages.ui.draw import still_charts
from pages.ui.draw.charts import Axis, Curve, line_chart, rgba
from pages.ui.draw.legend import Entry
from pages.ui.draw.still_charts import Chart
from pages.ui.draw.theme import look
from pages.ui.families.ranking.adversary_game import BoundGame, GameResult, Played, opened
from pages.ui.form.form import Form
from pages.ui.form.links import choice_of
from pages.ui.form.settings import Settings
from pages.ui.jobs.estimate import RaceEstimate
from pages.ui.jobs.queue import QUEUE
from pages.ui.lab.lab import Lab
from pages.ui.plain import Markdown, plain
from pages.ui.race.world import SEED
from pages.ui.share import dialog
from pages.ui.ticking import TICK

ID = "lower-bound"
SOON = 0.5  # seconds for which the page waits for a game before it draws how far it is
STOPPED = f"{ID}:stopped"  # in the session: the game that the person has stopped
LEARNER = choice_of(
    "learner",
    "preference-perceptron",
    [id for id in learners_of(families()["ranking"]) if not learner_classes()[id].fixed_list],
    "The learner that plays against the adversary.",
)
HORIZON = Parameter(
    "horizon",
    "integer",
    1000,
    10,
    5000,
    symbol="T",
    step=100,
    help="The number of steps, and of the features that the adversary uses.",
)
SEES = choice_of(
    "sees", "shown", ["shown", "nothing"],
    "If it sees what is shown, it wants the other object. If it sees nothing, it has tossed fair coins beforehand.",
)  # fmt: skip


class LowerBound:
    """The game against the adversary, on the page of a lab."""

    lead = Markdown("An **adversary** asks about something new at every step. Nobody does better against it than 1/√T.")

    def fill(self, form: Form) -> BoundGame:
        """Ask for every setting."""
        classes = learner_classes()
        form.section(plain(classes[form.now(LEARNER) or LEARNER.default].title), "race")
        cls = form.choose(LEARNER, classes, "Learner", suffix="-1")
        assert cls is not None
        learner = form.declared(cls, "-1")
        form.section("Game", "run")
        horizon = form.widget(HORIZON)
        sees = form.widget(SEES, label="What the adversary sees")
        return BoundGame(learner, horizon, sees, form.widget(SEED))

    def show(self, page: Lab, settings: Settings, filled: BoundGame, head: DeltaGenerator) -> None:
        """Draw how far the game is, and what came of it."""
        settings.write()
        beside = page.introduce(settings, head, self.lead, [filled.learner.id])
        try:
            estimate = filled.checked()
        except ValueError as error:
            st.error(plain(str(error)), icon=":material/block:")
            return
        played = _played(filled, estimate)
        if played.failed:
            st.error(plain(played.failed), icon=":material/block:")
        if played.result is not None and (played.complete or st.session_state.get(STOPPED) == filled):
            _show(played.result, filled)
        dialog.offer(settings, beside, page.title)


def _played(game: BoundGame, estimate: RaceEstimate | None) -> Played:
    """Return the game, complete or with a line on how far it is. A stopped game still shows its end later."""
    before = st.session_state.get(f"{ID}:run")
    if before != game:
        QUEUE.leave(before)
        st.session_state.pop(STOPPED, None)
    st.session_state[f"{ID}:run"] = game
    if st.session_state.get(STOPPED) == game:
        known = QUEUE.get(game)
        played = known if isinstance(known, Played) else Played(game)
        if not played.complete:
            st.caption(f"Stopped after {played.t:,} of {game.steps:,} steps.")
            st.button("Play on", icon=":material/play_arrow:", key=f"{ID}:on", on_click=_go_on)
        return played
    played = opened(game, estimate=estimate)
    played.wait(SOON)
    if not played.complete:
        st.fragment(_progress, run_every=TICK)(game)
    return played


def _progress(game: BoundGame) -> None:
    """Draw how far the game is, and have the page drawn anew once it has ended."""
    played = opened(game)
    if played.complete:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        said = plain(played.waiting()) or f"Step {played.t:,} of {game.steps:,}"
        st.progress(played.t / game.steps, said)
        st.button("Stop", icon=":material/stop:", key=f"{ID}:stop", on_click=_stop, args=(game,))


def _stop(game: BoundGame) -> None:
    """Let the game rest, unless others wait for it as well."""
    played = QUEUE.get(game)
    if isinstance(played, Played) and played.long:
        played.give_up()
    QUEUE.leave(game)
    st.session_state[STOPPED] = game
    st.session_state[f"{ID}:run"] = game


def _go_on() -> None:
    st.session_state.pop(STOPPED, None)


def _show(found: GameResult, game: BoundGame) -> None:
    """Draw the curves and what stands at their end."""
    now, horizon, name = look().raced([game.learner.id]), game.steps, learner_classes()[game.learner.id].title
    curves = [
        Curve("average regret", 0, found.steps, found.regret),
        Curve("lower bound", 1, found.steps, found.bound, bound=1),
    ]
    figure = line_chart(curves, Axis("Average regret", True, True, horizon), "10–90 %", now, height=330)
    for trace in figure["data"]:
        if trace.get("meta", {}).get("bound"):  # it lies under the curve, which follows it
            trace["line"] |= {"dash": "solid", "width": 7}
            trace["opacity"] = 0.45
    figure["data"].sort(key=lambda trace: not trace.get("meta", {}).get("bound"))
    played = int(found.steps[-1])
    with st.container(horizontal=True):
        st.metric("Average regret at T" if played == horizon else f"Average regret at {played:,}",
                  f"{found.regret[-1].mean():.4f}")  # fmt: skip
        st.metric("Lower bound", f"{found.bound[-1].mean():.4f}")
        st.metric("Wrong objects shown", f"{np.mean(found.mistakes):,.0f} of {played:,}")
    still_charts.show(
        [
            Chart(
                "regret",
                "Average regret against the horizon",
                "Each point ends a game of that length.",
                figure,
                str(horizon),
            )
        ],
        [Entry(name, now.colors[0]), Entry("lower bound", rgba(now.colors[1], 0.45), width=7)],
        ID,
        now.text,
    )
    st.caption(
        "The adversary asks about a direction on which earlier steps say nothing, and prefers the object that was not "
        "shown. Yet all its answers together are those of a single honest user (Shivaswamy and Joachims 2015, "
        "Lemma 3). On logarithmic axes both curves are straight lines of slope −½, one on the other. Every learner is "
        "wrong wherever the adversary wants it to be. Regret falls only because each of the T directions contributes "
        "1/√T to utility."
    )
