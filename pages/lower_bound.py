"""The lower bound as a game against an adversary that beats every coactive learner."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from datasets.parameters import Parameter
from learners.adversary import Adversary, metrics
from learners.base import Array
from learners.catalogue import create, families, learner_classes, learners_of
from pages.ui.choice import Choice
from pages.ui.draw import still_charts
from pages.ui.draw.charts import Axis, Curve, line_chart, rgba, rows_to_draw
from pages.ui.draw.still_charts import Chart, Entry
from pages.ui.draw.theme import look, title
from pages.ui.entry import through_app
from pages.ui.race.setup import SEED
from pages.ui.settings import Settings, choice_of, chosen_id, plain
from pages.ui.share import dialog, quiet

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


def schema(query: Mapping[str, str]) -> dict[str, Parameter]:
    """Return the parameters that may stand in the link."""
    cls = learner_classes()[chosen_id(query, LEARNER)]
    return {p.name: p for p in (LEARNER, HORIZON, SEES, SEED)} | {f"{p.name}-1": p for p in cls.parameters()}


@st.cache_data(show_spinner="Playing …", max_entries=32)
def play(learner: Choice, horizon: int, sees: str, seed: int) -> tuple[Array, Array, Array, Array]:
    """Return (points,) horizons, (points, R) regret and lower bound by horizon, and (R,) mistakes at the end."""
    game = Adversary(create(learner.id, **learner.dict), horizon, replicates=10, seed=seed, sees=sees, megabytes=0)
    game.advance()
    rows = rows_to_draw(game.t, horizon, log=True)
    h = game.history
    regret, bound = (h[metric.id][rows] for metric in (metrics.REGRET_BY_HORIZON, metrics.LOWER_BOUND_BY_HORIZON))
    return rows + 1, regret, bound, h[metrics.MISTAKES.id][-1]


through_app()
place = title(
    "Lower bound",
    "In general no coactive learner can do better than 1/√T. The reason is this **adversary**. At every step it asks "
    "about a new direction, on which earlier steps say nothing, and it prefers the object that was not shown. Yet all "
    "its answers together are those of a single honest user (Shivaswamy and Joachims 2015, Lemma 3).",
)
settings = Settings("lower-bound", schema)
with settings.sidebar():
    settings.section("", "race")
    titles = {id: cls.title for id, cls in learner_classes().items()}
    id = settings.widget(LEARNER, label="Learner", titles=titles.__getitem__)
    learner = settings.declared(learner_classes()[id], "-1")
    settings.section("", "run")
    horizon = settings.widget(HORIZON)
    sees = settings.widget(SEES, label="What the adversary sees")
    seed = settings.widget(SEED)
settings.write()
quiet.frame(settings, place)
settings.show_problems()
try:
    steps, regret, bound, mistakes = play(learner, horizon, sees, seed)
except ValueError as error:
    st.error(plain(str(error)), icon=":material/block:")
    st.stop()
now = look()
curves = [Curve("average regret", 0, steps, regret), Curve("lower bound", 1, steps, bound, bound=1)]
figure = line_chart(curves, Axis("Average regret", True, True, horizon), "10–90 %", now, height=380)
for trace in figure["data"]:
    if trace.get("meta", {}).get("bound"):  # it lies under the curve, which follows it
        trace["line"] |= {"dash": "solid", "width": 7}
        trace["opacity"] = 0.45
figure["data"].sort(key=lambda trace: not trace.get("meta", {}).get("bound"))
with st.container(horizontal=True):
    st.metric("Average regret at T", f"{regret[-1].mean():.4f}")
    st.metric("Lower bound", f"{bound[-1].mean():.4f}")
    st.metric("Wrong objects shown", f"{np.mean(mistakes):,.0f} of {horizon:,}")
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
    [Entry(titles[id], now.colors[0]), Entry("lower bound", rgba(now.colors[1], 0.45), width=7)],
    "lower-bound",
    now.text,
)
st.caption(
    "On logarithmic axes both curves are straight lines of slope −½, one on the other. Every learner is wrong "
    "wherever the adversary wants it to be. Regret falls only because each of the T directions contributes 1/√T to "
    "utility."
)
dialog.offer(settings, place, "Lower bound")
