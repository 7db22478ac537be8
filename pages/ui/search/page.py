"""The page of the search engine: the field, the lists, what the clicks have changed, and who wins."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from datasets.functions.corpus import versions
from datasets.functions.index import Index, index
from datasets.parameters import Parameter
from pages.ui.draw.theme import look, title
from pages.ui.lab.lab import PRESENT
from pages.ui.search import learned, results, transfer, words
from pages.ui.search.person import IDEAS, LEARNERS, Person
from pages.ui.settings import Settings, plain

ID = "search"  # of the page, in keys
QUERY = Parameter("q", "text", "", help="What is searched for.")
FIELD, LISTS, FILE, SAID, SEEN = f"{ID}:field", f"{ID}:lists", f"{ID}:file", f"{ID}:said", f"{ID}:seen"
BARS = 10  # weights that are shown
LEAD = (
    "Look for a function of NumPy, pandas, scikit-learn or SciPy, and click what helps you. **Two learners hear the "
    "same clicks**, and rank what you find next. Which of them can you trust?"
)


def schema(query: Mapping[str, str]) -> dict[str, Parameter]:
    """Return the parameters that may stand in the address."""
    return {parameter.name: parameter for parameter in (QUERY, PRESENT)}


def run() -> None:
    """Draw the page."""
    settings = Settings(ID, schema)
    large = bool(settings.get(PRESENT))
    title("Search", LEAD)
    settings.show_problems()
    person = _person()
    if person is None:
        settings.write()
        return
    wanted = str(settings.get(QUERY, noted=False))
    if settings.by_link and wanted:
        _search(settings, person, wanted)
    _field(settings, person)
    settings.get(QUERY)
    settings.write()
    if person.problem:
        st.info(plain(person.problem), icon=":material/search_off:")
    _steps(person)
    if person.found is not None:
        results.show(LISTS, results.payload(person, large), lambda: _heard(settings, person))
    _changes(person, large)
    _elsewhere(person)


def _person() -> Person | None:
    """Return the person of this session, once the index is built, or None with a sentence where there is none."""
    person: Person | None = st.session_state.get(f"{ID}:person")
    if person is None:
        try:
            with st.spinner("Reading the functions of NumPy, pandas, scikit-learn and SciPy. This happens once."):
                found = _index()
        except ValueError as error:
            st.error(plain(str(error)), icon=":material/search_off:")
            return None
        person = st.session_state[f"{ID}:person"] = Person(found)
    return person


def _index() -> Index:
    return index()


# ---- the search ------------------------------------------------------------------------------------------


def _search(settings: Settings, person: Person, query: str) -> None:
    """Begin a search, and put it into the field and the address."""
    person.search(query)
    kept = person.found.query if person.found is not None else query[:200]
    settings.set(QUERY, kept)
    st.session_state[FIELD] = query


def _field(settings: Settings, person: Person) -> None:
    """Draw the field for the query, and before the first search some queries to begin with."""
    if FIELD not in st.session_state:  # also after another page
        st.session_state[FIELD] = settings.get(QUERY)

    def asked() -> None:
        _search(settings, person, str(st.session_state[FIELD]))

    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{ID}-field"):
        st.text_input(
            "What do you look for?", key=FIELD, on_change=asked, placeholder="such as: merge two tables",
            label_visibility="collapsed", icon=":material/search:",
        )  # fmt: skip
        st.button("Search", type="primary", on_click=asked, key=f"{ID}:go")
    if person.found is None:
        with st.container(horizontal=True, key=f"{ID}-ideas"):
            for idea in person.ideas(6):
                st.button(idea, key=f"{ID}:idea:{idea}", on_click=_search, args=(settings, person, idea))


def _heard(settings: Settings, person: Person) -> None:
    """Do what the person has done with the lists, if they are still on the page."""
    sent = results.heard(LISTS)
    if person.found is None or sent.get("id") != results.name(person):
        return
    if sent["do"] == "marked":
        person.marked = set(sent["marked"])
    elif sent["do"] == "done":
        person.done(sent["marked"])
    elif sent["do"] == "search" and sent["query"] in {person.found.query, *IDEAS}:
        _search(settings, person, sent["query"])


def _steps(person: Person) -> None:
    """Say which search this is, what it is for, and how the learners stand."""
    number, kind = (person.number, person.kind) if person.found is not None else (person.number, person.next)
    purpose = {
        "teach": "Both learners hear your clicks.",
        "compare": "A blind test: one list, mixed from a learner and a ranker tuned by hand.",
    }[kind]
    verdicts = [(name, person.live.verdict(id)) for id, name in LEARNERS.items()]
    what = f"Search {number} {'teaches' if kind == 'teach' else 'compares'}."
    st.html(learned.steps(what, purpose, verdicts, look().colors))


# ---- what the clicks have changed ------------------------------------------------------------------------


def _changes(person: Person, large: bool) -> None:
    """Show the weights that have moved, the wins, and how an earlier query would be ranked now."""
    if not person.live.taught:
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader("What they have learned")
        _weights(person)
    with right:
        st.subheader("Who wins")
        _wins(person)
    _now(person, large)


def _weights(person: Person) -> None:
    rows = [
        (person.index.feature_names[i], [float(person.gained(id)[i]) for id in LEARNERS])
        for i in person.top_changes(BARS)
    ]
    if not rows:
        st.caption("No weight has moved yet.")
        return
    st.caption("The weights that have moved most since the start. Bars to the right count in favour of a result.")
    st.html(learned.weights(rows, list(LEARNERS.values()), look().colors))
    st.caption(f"All weights together have moved: {words.apart({n: person.gained(id) for id, n in LEARNERS.items()})}.")


def _wins(person: Person) -> None:
    verdicts = [(name, person.live.verdict(id)) for id, name in LEARNERS.items()]
    st.html(learned.wins(verdicts, look().colors))
    for name, verdict in verdicts:
        st.markdown(plain(words.wins(name, verdict)))
    st.caption(
        "Every other search mixes one learner’s list with that of a ranker tuned by hand, by balanced interleaving. "
        "The bar is Wilson’s 95 % interval for the share of wins. With few searches it is wide."
    )


def _now(person: Person, large: bool) -> None:
    """Show how the three rankers rank one of the person's queries now."""
    queries = list(dict.fromkeys(search.query for search in person.log))
    st.subheader("One query, three rankers")
    st.caption(
        "How they rank one of your queries now. Signs say how far a result stands from its place in the first list."
    )
    chosen = st.selectbox("Your query", queries, key=f"{ID}:again", label_visibility="collapsed")
    found, rankings = person.rankings(chosen)
    if rankings:
        results.show(f"{ID}:now", results.side_by_side(person.index, found, rankings, large), lambda: None)


# ---- elsewhere -------------------------------------------------------------------------------------------


def _elsewhere(person: Person) -> None:
    """Let the engine be taken away as a file, and brought back."""
    st.subheader("Take it with you")
    if said := st.session_state.pop(SAID, None):
        (st.error if said[0] == "wrong" else st.success)(plain(said[1]), icon=":material/upload_file:")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.download_button(
            "Save your engine as a file", lambda: transfer.export(person, versions()), "search-engine.json",
            "application/json", icon=":material/download:", on_click="ignore", key=f"{ID}:save",
        )  # fmt: skip
        st.button(
            "Begin anew", icon=":material/restart_alt:", key=f"{ID}:anew", on_click=_anew, disabled=not person.log,
            help="Forget all clicks. The coins fall otherwise next time.",
        )  # fmt: skip
    file = st.file_uploader("Go on with a saved engine", type="json", key=FILE)
    if file is None:
        st.session_state.pop(SEEN, None)
    elif st.session_state.get(SEEN) != file.file_id:
        st.session_state[SEEN] = file.file_id
        try:
            differs = transfer.take_over(person, file.getvalue(), versions())
        except ValueError as error:
            st.session_state[SAID] = "wrong", str(error)
        else:
            number = len(person.log)
            st.session_state[SAID] = "right", f"You go on after {words.counted(number, 'search')}. {differs}".strip()
        st.rerun()


def _anew() -> None:
    person: Person = st.session_state[f"{ID}:person"]
    st.session_state[f"{ID}:person"] = Person(person.index, person.live.seed + 1)
    st.session_state[FIELD] = ""
    st.session_state.pop(f"settings:{ID}", None)
