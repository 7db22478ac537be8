"""The gallery of demos, each a link into a lab with everything set; `demos.toml` holds them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from datasets.parameters import Parameter
from learners.catalogue import families
from pages.ui.form.form import Form
from pages.ui.form.links import choice_of

LEVELS = ("first steps", "further", "for researchers")  # as lessons have them
NAME = "demo"  # of the setting that says which demo a link is
_GROUPS = {
    "stability": "Rankings", "coactive": "Rankings", "bandit": "Right or wrong", "multilabel": "Sets of labels",
    "semi_supervised": "Boosting", "learning_to_rank": "Boosting", "refinement": "Boosting", "sweep": "Sweeps",
}  # fmt: skip


@dataclass(frozen=True)
class Demo:
    """A card on the home page.

    The link names the demo, and so does the address that the lab writes, so that who is sent it reads the text as well.

    group : the topic by which the gallery is filtered. level : one of `LEVELS`. minutes : to read, play and look.
    turn : key of the knob that it is about, whose response curve is there at once. picture : id of the chart on the
    card, or "" for the first one. stands_for : settings of the picture that differ from the demo's, such as a simulated
    user where the demo waits for a person.
    """

    id: str
    title: str
    text: str
    page: str
    settings: dict[str, str]
    group: str
    level: str
    minutes: int
    turn: str = ""
    picture: str = ""
    stands_for: Mapping[str, str] = field(default_factory=dict)

    @property
    def link(self) -> dict[str, str]:
        """Return the query of the link into the lab."""
        return {NAME: self.id} | self.settings


def _demo(id: str, text: str, page: str, link: str, **given: Any) -> Demo:
    settings = dict(parse_qsl(link, strict_parsing=True))
    group = _GROUPS.get(page) or next(family.title for family in families().values() if family.page == page)
    return Demo(id, text=" ".join(text.split()), page=f"pages/{page}.py", settings=settings, group=group, **given)


DEMOS = tuple(
    _demo(id, **given) for id, given in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
)


def ask(form: Form, page: str) -> Demo | None:
    """Ask which demo the link of a page names, and return it, if any."""
    id = form.get(parameter(page))
    return next((demo for demo in DEMOS if demo.id == id), None)


def parameter(page: str) -> Parameter:
    """Return the setting that names the demo of a link to a page, such as pages/bandit.py."""
    return choice_of(NAME, "", [demo.id for demo in DEMOS if demo.page == page])
