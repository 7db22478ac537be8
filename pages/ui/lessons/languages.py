"""Lessons in other languages: a file such as flip.de.toml holds the texts of flip.toml, and nothing that is played."""

from collections.abc import Mapping
from typing import Any

from pages.ui.lessons.table import TomlTable

NAMES = {"en": "English", "de": "Deutsch", "es": "Español"}  # each as those who speak it call it
COMMA = {"de", "es"}  # write 1.000,5
LEVELS = {  # how the shelf calls them
    "en": {"first steps": "first steps", "further": "further", "for researchers": "for researchers"},
    "de": {"first steps": "Einstieg", "further": "Vertiefung", "for researchers": "Forschung"},
    "es": {"first steps": "primeros pasos", "further": "profundización", "for researchers": "investigación"},
}
SAYS = {  # what the page around the cards says
    "en": {
        "all": "All lessons", "lesson": "Lesson", "handout": "Handout", "between": "{low} to {high} {unit}",
        "expects": "What the class {code} expects on “{title}” ({people} so far)",
        "later": "The counts of the class appear here when a card asks.", "csv": "Predictions of the class as CSV",
    },
    "de": {
        "all": "Alle Lektionen", "lesson": "Lektion", "handout": "Arbeitsblatt", "between": "{low} bis {high} {unit}",
        "expects": "Was die Klasse {code} bei „{title}“ erwartet (bisher {people})",
        "later": "Sobald eine Karte fragt, steht hier, was die Klasse erwartet.",
        "csv": "Vorhersagen der Klasse als CSV",
    },
    "es": {
        "all": "Todas las lecciones", "lesson": "Lección", "handout": "Hoja de trabajo",
        "between": "{low} a {high} {unit}",
        "expects": "Lo que la clase {code} espera en «{title}» ({people} hasta ahora)",
        "later": "Cuando una tarjeta pregunte, aquí estará lo que la clase espera.",
        "csv": "Predicciones de la clase en CSV",
    },
}  # fmt: skip


def number(value: float, language: str) -> str:
    """Return a number with three digits.

    >>> number(0.25, "en"), number(0.25, "de")
    ('0.25', '0,25')
    """
    return f"{value:.3g}".replace(".", "," if language in COMMA else ".")


def translated(values: Mapping[str, Any], words: TomlTable) -> dict[str, Any]:
    """Return the values of a lesson with the texts of another language in their places; `words` says what is missing.

    >>> problems = []
    >>> words = TomlTable("lesson mine.de", {"title": "Titel", "lead": "…", "card": {"a": {"title": "Eins"}}}, problems)
    >>> made = translated({"title": "A title", "cards": [{"id": "a", "title": "One", "t": 3}]}, words)
    >>> made["title"], made["cards"], problems
    ('Titel', [{'id': 'a', 'title': 'Eins', 't': 3}], [])
    """
    made: dict[str, Any] = dict(values) | {name: words.text(name) for name in ("title", "lead")}
    cards = words.table("card") or TomlTable(words.where, {}, words.problems)
    made["cards"] = []
    for card in values.get("cards", ()):
        own = cards.table(card["id"], f"card {card['id']} of {words.where}")
        if own is None:
            words.say(f"card {card['id']} has no texts")
        made["cards"].append(card if own is None else _card(card, own))
    cards.end()
    if following := values.get("next"):
        texts = words.texts("next", len(following), len(following))
        made["next"] = [one | {"text": text} for one, text in zip(following, texts, strict=False)]
    if "teacher" in values:
        if (teacher := words.table("teacher")) is None:
            words.say("the teacher's note, [teacher], is missing")
        else:
            made["teacher"] = teacher.values
    words.end()
    return made


def _card(card: Mapping[str, Any], own: TomlTable) -> dict[str, Any]:
    made = dict(card) | _texts(card, own, "title", "text")
    if "ask" in card:
        ask = made["ask"] = dict(card["ask"]) | _texts(card["ask"], own, "question", "after", "unit")
        if options := card["ask"].get("options"):
            ask["options"] = [*own.texts("options", len(options), len(options))]
        if wrong := card["ask"].get("wrong"):
            told = own.table("wrong")
            ask["wrong"] = _texts(wrong, told or TomlTable(f"wrong of {own.where}", {}, own.problems), *wrong)
            if told is not None:
                told.end()
    if "found" in card:
        made["found"] = card["found"] | {"text": own.text("found")}
    own.end()
    return made


def _texts(values: Mapping[str, Any], own: TomlTable, *names: str) -> dict[str, str]:
    return {name: own.text(name) for name in names if name in values}
