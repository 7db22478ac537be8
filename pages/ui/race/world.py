"""The parts of a form that labs and the sweep share: a learner, the data, and the user, each with its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import datasets
from datasets.parameters import Declared, Parameter
from datasets.spec import Spec
from learners.catalogue import learner_classes, user_classes
from pages.ui.files import choose as files
from pages.ui.form.form import Form
from pages.ui.plain import NOTHING, Markdown, Ours
from pages.ui.race import fits

NONE = "none"  # in the place of a learner


def written(kind: type[Declared], spec: Spec, suffix: str = "") -> dict[str, str]:
    """Return the parameters that a spec names as they stand in a link, where `Form.declared` reads them."""
    return {f"{name}{suffix}": kind.parameter(name).format(value) for name, value in spec.params}


THE_LEARNER = Ours("the learner")


def ask_learner(
    form: Form,
    place: Parameter,
    dataset: Parameter,
    label: Markdown,
    suffix: str,
    of: Ours = THE_LEARNER,
    owner: str = "",
) -> Spec | None:
    """Ask for a learner and its parameters; return None where none is chosen.

    place, dataset : the choices of the learner and of the data, whose widgets have this owner. Learners that do not fit
    the data are not offered. suffix : of the keys of its parameters. of : how the box with these calls it.
    """
    place = replace(place, choices=tuple(fits.offered(form, place.choices, place, dataset, owner)))
    cls = form.choose(place, learner_classes(), label, owner, suffix)
    if cls is None:
        return None
    keys = [p.name + suffix for p in cls.parameters()]
    with form.expander(f"Settings of {of}", keys) if keys else nullcontext():
        return form.declared(cls, suffix, of=of)


def ask_data(
    form: Form, offered: Parameter, learners: Iterable[str], family: str, box: Markdown = NOTHING, owner: str = "",
    defaults: Mapping[str, Mapping[str, Any]] = {},
) -> Spec:  # fmt: skip
    """Ask for a data set and its parameters, and say which of the learners do not fit it.

    family : id of the learners' family. box : title of the box that holds the parameters; without it a summary stands
    above them. defaults : for each data set id, by name, where they differ from the declared ones.
    """
    kind: type[datasets.Dataset] | None = form.choose(offered, datasets.classes(), "Data set", owner)
    assert kind is not None
    if not box:
        form.caption(kind.summary, offered.name)
    fits.tell(form, learners, kind.id)
    with form.expander(box, [p.name for p in kind.parameters()]) if box else nullcontext():
        if files.is_file(kind):
            return files.choose(form, kind, family=family)
        return form.declared(kind, family=family, defaults=defaults.get(kind.id, {}))


def ask_user(form: Form, offered: Parameter, box: Markdown = NOTHING) -> Spec:
    """Ask for a simulated user and its parameters; `box` as in `ask_data`."""
    kind: type[Declared] | None = form.choose(offered, user_classes(), "Simulated user")
    assert kind is not None
    if not box:
        form.caption(kind.summary, offered.name)
    with form.expander(box, [p.name for p in kind.parameters()]) if box else nullcontext():
        return form.declared(kind)
