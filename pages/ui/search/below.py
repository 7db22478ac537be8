"""The sections below the lists: who wins, a crowd, what the clicks have changed, the study, and the file."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from datasets.functions.corpus import versions
from datasets.parameters import Parameter
from datasets.spec import Spec
from learners.interleaving import metrics
from learners.interleaving.crowd import crowding
from learners.interleaving.verdict import Verdict
from learners.ranking.users.position_biased import PositionBiased
from pages.ui.draw import still_charts
from pages.ui.draw.charts import Look, axis_of, base_layout, line, ribbon
from pages.ui.draw.legend import legend
from pages.ui.draw.still_charts import Chart
from pages.ui.draw.theme import look
from pages.ui.files.sharing import load_data
from pages.ui.form.settings import Settings
from pages.ui.jobs.once import once
from pages.ui.plain import Plotly, plain
from pages.ui.race.words import count
from pages.ui.search import figures, learned, results, study, transfer, words
from pages.ui.search.person import LEARNERS, Searcher

ID = "search"  # of the page, in keys
FILE, SAID, SEEN, CROWD = f"{ID}:file", f"{ID}:said", f"{ID}:seen", f"{ID}:crowd"
BARS = 10  # weights that are shown
PEOPLE = Parameter("people", "integer", 4000, 100, 5000, step=100, help="How many people search. Half of them teach.")
"""By default as many as the sign test needs to tell of both learners whether they are preferred (`power`, ≥ .9)."""
NOISE = replace(PositionBiased.parameter("noise"), default=study.NOISE)
BIAS = replace(PositionBiased.parameter("bias"), default=study.BIAS)
CROWD_DATA = Spec("function-search", (("queries", 500), ("documents", 20), ("data_seed", 0)))
WHY = (
    "A click says that a result looked good, and also that it stood where you saw it. Some clicks are plain "
    "mistakes.\n\n"
    "**The perceptron** takes every click as praise and puts the result on top. Once good results stand on top, right "
    "clicks change nothing any more. Only clicks further down do, and more and more of these are mistakes. So it "
    "unlearns what it had learned, again and again.\n\n"
    "**3PR** compares two neighbours only. A coin has decided which of them stands above, so the place favours "
    "neither. Right clicks go on counting, because they confirm 3PR wherever a coin has put the better result below. "
    "They outweigh mistakes, and what was learned stays. The price is a slightly worse list and slower learning."
)


def changes(person: Searcher) -> None:
    """Show the weights that have moved."""
    if person.changed:
        st.subheader("What they have learned")
        _weights(person)


def now(person: Searcher, large: bool) -> None:
    """Show how the three rankers would rank a query now."""
    if not person.changed:
        return
    st.subheader("One query, three rankers")
    st.caption("How each ranks a query now, and how far a result stands from its place in the list tuned by hand.")
    queries = list(dict.fromkeys([*(search.query for search in person.log), *person.ideas(5)]))
    chosen = st.selectbox("Your query", queries, key=f"{ID}:again", label_visibility="collapsed")
    found, rankings = person.rankings(chosen)
    if rankings:
        results.show(f"{ID}:now", results.side_by_side(person.index, found, rankings, large), lambda: None)
    with st.expander("Why do they differ?", icon=":material/help:"):
        st.markdown(WHY)


def _weights(person: Searcher) -> None:
    gains = {id: person.gained(id) for id in LEARNERS}
    rows = [
        (person.index.feature_names[i], [float(gain[i]) for gain in gains.values()]) for i in person.top_changes(BARS)
    ]
    st.caption(
        "The weights that have moved most since the start. A bar to the right says that a feature now counts more in "
        f"favour of a result. {words.far({LEARNERS[id]: gain for id, gain in gains.items()})}"
    )
    st.html(learned.weights(rows, list(LEARNERS.values()), look().colors))


# ---- who wins, and a crowd -------------------------------------------------------------------------------


def sides(person: Searcher) -> dict[str, list[Verdict]]:
    """Return the verdicts on the learners, in their order, by whose searches they come from: yours, and the crowd's."""
    ended = st.session_state.get(CROWD)
    found = {"You": [person.live.verdict(id) for id in LEARNERS]}
    return found | ({"The crowd": ended["verdicts"]} if ended is not None else {})


def who_wins(settings: Settings, person: Searcher) -> None:
    """Show the wins of the person and of the crowd side by side, and let a crowd go on."""
    crowd = not settings.hides("crowd")
    if not crowd and not person.changed:
        return
    st.subheader("Who wins")
    names = list(LEARNERS.values())
    st.html(learned.scoreboard(names, sides(person), look().colors))
    st.caption(
        "Every other search mixes one learner’s list with that of a ranker tuned by hand (balanced interleaving). "
        "The bar is Wilson’s 95 % interval for the share of wins, and the verdict is that of a sign test."
    )
    if crowd:
        _crowd_goes_on(settings, person)


def _crowd_goes_on(settings: Settings, person: Searcher) -> None:
    """Let simulated people go on where the person is, and show what became of the learners."""
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{ID}-crowd"):
        people = int(settings.widget(PEOPLE, label="People"))
        noise, bias = float(settings.widget(NOISE)), float(settings.widget(BIAS, label="Position bias b"))
    st.caption(
        "Simulated people search for functions by parts of their names and descriptions. They look at the first "
        "results more often than at later ones, and some of their clicks are wrong. Half of them teach, half compare."
    )
    ended: dict[str, Any] | None = st.session_state.get(CROWD)
    with st.container(horizontal=True):
        if st.button(f"Let {people:,} people search", icon=":material/groups:", type="primary", key=f"{ID}:crowd:go"):
            with st.spinner("They are searching. The first crowd takes a little longer."):
                _crowd(person, people, noise, bias)
            st.rerun()
        if person.before_crowd is not None:
            st.button("Undo the crowd", icon=":material/undo:", on_click=_undo, args=(person,), key=f"{ID}:crowd:undo")
    if ended is None:
        return
    if person.before_crowd is not None:
        st.caption("Your learners now have the weights that the crowd has taught them. Search, and see.")
    drawn = look()
    help = "Wins among the decided comparisons so far, with Wilson's 95 % interval."
    chart = Chart("crowd", "Share of wins against the ranker tuned by hand", help, _shares(ended, drawn), wide=True)
    still_charts.show([chart], legend(list(LEARNERS.values()), drawn, ()), f"{ID}:crowd:chart", drawn.text)


def _crowd(person: Searcher, people: int, noise: float, bias: float) -> None:
    """Let people search, half of them teaching, from the weights that the learners have now."""
    weights = {id: person.live.weights(id) for id in LEARNERS}
    seed = person.live.seed + person.live.taught + person.live.compared + 1
    data = load_data(CROWD_DATA)
    found = once(crowding(data, weights, people, noise, bias, seed, study.RELEVANT_FROM))
    curves = {}
    for id, run in found.items():
        shares = [run.history[m.id][:, 0] for m in (metrics.WIN_SHARE, metrics.WIN_SHARE_LOW, metrics.WIN_SHARE_HIGH)]
        curves[id] = (np.asarray(run.history.at), *shares)
    verdicts: list[Verdict] = [run.verdict() for run in found.values()]
    st.session_state[CROWD] = {"curves": curves, "verdicts": verdicts}
    person.crowd_goes_on({id: run.learner.w[0] for id, run in found.items()})


def _undo(person: Searcher) -> None:
    person.undo_crowd()
    st.session_state.pop(CROWD, None)


def _shares(ended: dict[str, Any], drawn: Look) -> dict[str, Any]:
    """Return the chart of the shares of wins, on a logarithmic axis."""
    traces, last = [], 2
    for slot, (at, share, low, high) in enumerate(ended["curves"].values()):
        color, last = drawn.colors[slot], int(at[-1])
        traces.append(ribbon(at, 100 * low, 100 * high, color, y_log=False))
        name = list(LEARNERS.values())[slot]
        traces.append(line(at, 100 * share, name, color, drawn.dashes[slot], hover=Plotly("%{y:.0f} %")))
    x = {
        "title": {"text": "comparisons", "standoff": 4},
        "type": "log",
        "range": [0, float(np.log10(last))],
        "dtick": 1,
    }
    half = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 50, "y1": 50, "layer": "below"}
    return {
        "data": traces,
        "layout": base_layout(
            drawn, 260, hovermode="x unified", xaxis=axis_of(drawn, x),
            yaxis=axis_of(drawn, {"range": [0, 100], "ticksuffix": " %", "nticks": 5}),
            shapes=[half | {"line": {"color": drawn.text, "width": 1.2, "dash": "dash"}}],
        ),
    }  # fmt: skip


# ---- the study -------------------------------------------------------------------------------------------


def show_study() -> None:
    """Show the study of the paper beside what simulated people give, if it has been run."""
    done, drawn = study.read(), look()
    if done is None:
        return
    st.subheader("The study of Raman et al., repeated")
    first, second, *more = figures.verdict(done).split("\n\n")
    st.markdown(f"{first}\n\n{second}")
    st.caption(
        "Raman and others let the visitors of arXiv’s full-text search do what you do here. We have simulated people "
        "in place of visitors, and functions in place of papers, so only the shape of the curves can be compared."
    )
    still_charts.show(figures.figures(done, drawn), legend(figures.names(), drawn, ()), f"{ID}:study", drawn.text)
    st.markdown("\n\n".join(more))
    with st.expander("All noises as a table", icon=":material/table:"):
        st.dataframe(figures.table(done), hide_index=True)


# ---- elsewhere -------------------------------------------------------------------------------------------


def elsewhere(person: Searcher, anew: Callable[[], None]) -> None:
    """Let the engine be taken away as a file, and brought back."""
    st.subheader("Take your engine with you")
    if said := st.session_state.pop(SAID, None):
        (st.error if said[0] == "wrong" else st.success)(plain(said[1]), icon=":material/upload_file:")
    with st.container(horizontal=True):
        st.download_button(
            "Save your engine as a file", lambda: transfer.export(person, versions()), "search-engine.json",
            "application/json", icon=":material/download:", on_click="ignore", key=f"{ID}:save",
        )  # fmt: skip
        st.button(
            "Begin anew", icon=":material/restart_alt:", key=f"{ID}:anew", on_click=anew,
            disabled=not person.log and person.before_crowd is None,
            help="Forget all clicks. Coins fall differently then.",
        )  # fmt: skip
    file = st.file_uploader("Go on with a saved engine", type="json", key=FILE, max_upload_size=2)
    if file is None:
        st.session_state.pop(SEEN, None)
    elif st.session_state.get(SEEN) != file.file_id:
        st.session_state[SEEN] = file.file_id
        try:
            differs = transfer.take_over(person, file.getvalue(), versions())
        except ValueError as error:
            st.session_state[SAID] = "wrong", str(error)
        else:
            st.session_state[SAID] = "right", f"You go on after {count(len(person.log), 'search')}. {differs}"
        st.rerun()
