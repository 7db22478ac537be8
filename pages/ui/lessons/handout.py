"""A lesson on paper: the cards with room for predictions, and on a page of its own what a teacher wants to know."""

import html
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import streamlit as st

from learners.catalogue import works
from pages.ui.figures.view.component import PRINT, sheet
from pages.ui.lessons.lesson import Card, Lesson
from pages.ui.lessons.words import line_to_html, to_html
from pages.ui.plain import NOTHING, Html

TEXTS = cast(dict[str, dict[str, Html]], tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")))  # ours
STYLE = """
.fl-handout { max-width: 46rem; line-height: 1.5; }
.fl-handout :is(h2, h3) { font-size: 1.1rem; margin: 1.2rem 0 .3rem; padding: 0; }
.fl-handout .fl-h-teacher h2 { font-size: 1.35rem; }
.fl-handout p { margin: 0 0 .5rem; max-width: none; }
.fl-handout ol { list-style: decimal; margin: 0 0 .5rem; padding-left: 1.6rem; max-width: none; }
.fl-handout ul { margin: 0 0 .5rem; }
.fl-handout .fl-h-options { list-style: none; padding: 0; }
.fl-handout .fl-h-options li::before { content: "☐"; margin-right: .5em; }
.fl-handout .fl-h-room { height: 7rem; border: 1px solid currentColor; border-top: 0; border-right: 0; }
.fl-handout .fl-h-line { display: inline-block; min-width: 9rem; border-bottom: 1px solid currentColor; }
.fl-handout dt { font-weight: 600; }
.fl-handout dd { margin: 0 0 .5rem 1.2rem; }
@media print {
  .fl-handout { max-width: none; color: #1B1F24; font-size: 10.5pt; }
  .fl-handout :is(section, li, dd) { break-inside: avoid; }
  .fl-handout :is(h2, h3, dt) { break-after: avoid; }
  .fl-handout .fl-h-teacher { break-before: page; break-inside: auto; }
  .fl-handout .fl-h-print { display: none; }
}
"""


def show(lesson: Lesson) -> None:
    """Draw the handout."""
    st.html(f"<style>{PRINT}{STYLE}</style>")
    sheet(markup(lesson), "lesson-handout")  # which keeps formulas, unlike st.html


def markup(lesson: Lesson) -> Html:
    """Return the handout of a lesson as HTML."""
    says = TEXTS[lesson.language]
    about = [says["minutes"].format(lesson.minutes), *(works()[tag] for tag in lesson.papers)]
    parts = [
        f"<p class=fl-h-print>{says['print']}</p>",
        f"<p>{says['name']} <span class=fl-h-line></span></p>",
        f"<p>{line_to_html(lesson.lead)}</p><p><small>{html.escape(' · '.join(about))}</small></p>",
        *(_card(number, card, says) for number, card in enumerate(lesson.cards, 1)),
        _teacher(lesson, says),
    ]
    return f"<div class=fl-handout lang={lesson.language}>{''.join(parts)}</div>"


def _card(number: int, card: Card, says: Mapping[str, Html]) -> Html:
    made = f"<h2>{number}. {html.escape(card.title)}</h2>{to_html(card.text)}"
    if (ask := card.ask) is None:
        return f"<section>{made}</section>"
    made += f"<p><strong>{line_to_html(ask.question)}</strong></p>"
    if ask.kind == "choice":
        made += f"<ul class=fl-h-options>{''.join(f'<li>{line_to_html(option)}</li>' for option in ask.options)}</ul>"
    elif ask.kind == "number":
        between = says["range"].format(f"{ask.low:g}", f"{ask.high:g}")
        unit = html.escape(f"{ask.unit} ({between})".strip())
        made += f"<p>{says['number']} <span class=fl-h-line></span> {unit}</p>"
    else:
        made += f"<p>{says['draw']}</p><div class=fl-h-room></div>"
    return f"<section>{made}</section>"


def _teacher(lesson: Lesson, says: Mapping[str, Html]) -> Html:
    answers = [
        (card.title, f"<p><strong>{line_to_html(ask.options[ask.right])}</strong></p>" if ask.options else NOTHING)
        for card in lesson.cards
        if (ask := card.ask) is not None
    ]
    told = {card.title: to_html(card.ask.after) for card in lesson.cards if card.ask is not None}
    made = f"<h2>{says['teacher']}</h2>"
    if (note := lesson.teacher) is not None:
        made += f"<h3>{says['aim']}</h3>{to_html(note.aim)}<h3>{says['before']}</h3>{to_html(note.before)}"
        made += f"<h3>{says['wrong']}</h3>" + _listed([(wrong, to_html(reveals)) for wrong, reveals in note.wrong])
        made += f"<h3>{says['exam']}</h3><ol>{''.join(f'<li>{line_to_html(one)}</li>' for one in note.exam)}</ol>"
    made += f"<h3>{says['answers']}</h3>" + _listed([(title, right + told[title]) for title, right in answers])
    return f"<section class=fl-h-teacher>{made}</section>"


def _listed(pairs: list[tuple[str, Html]]) -> Html:
    """Return a list of terms, each with what is said of it in HTML."""
    return f"<dl>{''.join(f'<dt>{line_to_html(term)}</dt><dd>{says}</dd>' for term, says in pairs)}</dl>"
