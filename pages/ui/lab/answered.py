"""The setting that holds what a person answered. It has no field; a line beside the run says so, and can forget it."""

from __future__ import annotations

import streamlit as st

from learners.family import Family
from pages.ui.counting import counted
from pages.ui.form.form import Form
from pages.ui.form.settings import Settings
from pages.ui.race.answers import ANSWERS, Answers


def ask_answers(settings: Form, family: Family) -> Answers:
    """Return what a person answered, nothing where learners of the family cannot be answered.

    Say on the page that somebody did, with a button that forgets it.
    """
    if not family.answerable:
        return ()
    answers: Answers = settings.get(ANSWERS)
    if answers and isinstance(settings, Settings) and settings.prepare(ANSWERS.name, "Answers"):
        with st.container(horizontal=True, vertical_alignment="center", key=f"{settings.page}-answered"):
            st.caption(
                f":material/person: A person answered {counted(len(answers), family.asks)}.", width="stretch",
                help="In these steps a person answered replicate 1, in place of the simulated user or of the truth. "
                "They are marked on the timeline, and the link holds the answers.",
            )  # fmt: skip
            st.button(
                "Forget", key=f"{settings.page}:forget-answers", type="tertiary", icon=":material/close:",
                on_click=settings.set, args=(ANSWERS, ()), disabled=settings.locks(ANSWERS.name),
                help="Let the simulated user, or the truth, answer all steps again",
            )  # fmt: skip
    return answers
