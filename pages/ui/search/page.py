"""The page of the search engine: the field, the lists, and what stands below them."""

import streamlit as st

from datasets.functions.index import Index, index
from datasets.parameters import Parameter
from learners.interleaving.live import prepare
from pages.ui.draw.theme import look, title
from pages.ui.form.form import each
from pages.ui.form.settings import Settings
from pages.ui.plain import plain
from pages.ui.search import below, learned, results
from pages.ui.search.person import IDEAS, LEARNERS, Searcher
from pages.ui.share import dialog, presentation

ID = below.ID
QUERY = Parameter("q", "text", "", help="What is searched for.")
FIELD, LISTS, PERSON = f"{ID}:field", f"{ID}:lists", f"{ID}:person"
LEAD = (
    "Look for a function of NumPy, pandas, scikit-learn or SciPy, and click what helps you. **Two learners hear the "
    "same clicks**, and rank what you find next. Which of them can you trust?"
)


def run() -> None:
    """Draw the page."""
    settings = Settings(ID, each(QUERY, below.PEOPLE, below.NOISE, below.BIAS))
    beside = title("Search").container(horizontal=True, vertical_alignment="center")
    presentation.frame(settings, beside)
    settings.show_problems()
    person = _person()
    if person is None:
        settings.write()
        return
    wanted = str(settings.get(QUERY))
    if settings.by_link and wanted:
        _search(settings, person, wanted)
    if person.found is None and not person.log:
        st.markdown(LEAD)
    with beside:
        _steps(person)
    _field(settings, person)
    if person.problem:
        st.info(plain(person.problem), icon=":material/search_off:")
    if person.found is not None:
        results.show(LISTS, results.payload(person, settings.present), lambda: _heard(settings, person))
    elif not person.log:
        st.html(learned.introduction(look().colors))
    below.who_wins(settings, person)
    below.changes(person)
    below.now(person, settings.present)
    if not settings.hides("study"):
        below.show_study()
    if not settings.hides("take-away"):
        below.elsewhere(person, lambda: _anew(settings))
    settings.get(QUERY)
    settings.write()
    dialog.offer(settings, beside, "Search")


def _person() -> Searcher | None:
    """Return the person of this session, once the index is built, or None with a sentence where there is none."""
    person: Searcher | None = st.session_state.get(PERSON)
    if person is None:
        try:
            with st.spinner("Reading the functions of NumPy, pandas, scikit-learn and SciPy. This happens once."):
                found = _index()
        except ValueError as error:
            st.error(plain(str(error)), icon=":material/search_off:")
            return None
        person = st.session_state[PERSON] = Searcher(found)
    return person


def _index() -> Index:
    prepare()
    return index()


def _search(settings: Settings, person: Searcher, query: str) -> None:
    """Begin a search, and put it into the field and the address."""
    person.search(query)
    settings.set(QUERY, person.found.query if person.found is not None else query[:200])
    st.session_state[FIELD] = query


def _field(settings: Settings, person: Searcher) -> None:
    """Draw the field for the query, and before the first search some queries to begin with."""
    if FIELD not in st.session_state:  # also after another page
        st.session_state[FIELD] = settings.get(QUERY)

    def asked() -> None:
        _search(settings, person, str(st.session_state[FIELD]))

    # a form, since Enter then searches also for what stands in the field already
    with st.form(f"{ID}-form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "What do you look for?", key=FIELD, placeholder="such as: merge two tables", label_visibility="collapsed",
            icon=":material/search:",
        )  # fmt: skip
        st.form_submit_button("Search", type="primary", on_click=asked, key=f"{ID}:go")
    if person.found is None:
        with st.container(horizontal=True, key=f"{ID}-ideas"):
            for idea in person.ideas(6):
                st.button(plain(idea), key=f"{ID}:idea:{idea}", on_click=_search, args=(settings, person, idea))


def _heard(settings: Settings, person: Searcher) -> None:
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


def _steps(person: Searcher) -> None:
    """Say which search this is, what it is for, and how the learners stand."""
    kind, ended = (person.next, False) if person.found is None else (person.kind, person.ended)
    what, purpose = {
        ("teach", False): ("both learn", "They learn from the same clicks."),
        ("teach", True): ("both have learned", "The lists show how they rank the same query now."),
        ("compare", False): ("a blind test", "One learner against a ranker tuned by hand."),
        ("compare", True): ("tested", "Nobody has learned from this search."),
    }[kind, ended]
    score = learned.score(list(LEARNERS.values()), below.sides(person), look().colors)
    st.html(learned.steps(f"Search {person.number}: {what}.", purpose, score))


def _anew(settings: Settings) -> None:
    """Forget all clicks."""
    person: Searcher = st.session_state[PERSON]
    st.session_state[PERSON] = Searcher(person.index, person.live.seed + 1)
    st.session_state[FIELD] = ""
    st.session_state.pop(below.CROWD, None)
    settings.set(QUERY, "")
