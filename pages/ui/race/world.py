"""The parts of a form that labs and the sweep share: a learner, the data, the user, the answers of a person."""

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import streamlit as st

import datasets
from datasets.parameters import Declared, Parameter
from datasets.spec import Spec
from learners.catalogue import learner_classes, user_classes
from learners.family import Family
from learners.wording import listed
from pages.ui.counting import counted
from pages.ui.files import choose as files
from pages.ui.form.form import Form
from pages.ui.form.settings import Settings
from pages.ui.glossary import says
from pages.ui.plain import NOTHING, Markdown, Ours, plain
from pages.ui.race.answers import ANSWERS, Answers

NONE = "none"  # in the place of a learner
REPLICATES = Parameter(
    "replicates", "integer", 20, 1, 100,
    help=f"{says('replicate')} Curves show their mean. Choose 1 to follow a single run.",
)  # fmt: skip
STEPS = Parameter(
    "steps", "integer", 1000, 10, 100_000, step=10,
    help="Length of the run. The papers use 1,000 (toy) to 50,000.",
)  # fmt: skip
SEED = Parameter(
    "seed", "integer", 0, 0, 2**31 - 1,
    help="Determines all random numbers. The same seed gives the same curves on every machine; "
    "of a few data sets the last digits of utilities may differ.",
)  # fmt: skip


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
    the data are not offered, but for one that a link names. suffix : of the keys of its parameters. of : how the box
    with these calls it.
    """
    data, mine = (form.now(parameter, owner) for parameter in (dataset, place))
    place = replace(place, choices=tuple(id for id in place.choices if data is None or id == mine or _fits(id, data)))
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
    _tell_unfit(form, learners, kind.id)
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


def ask_answers(form: Form, family: Family) -> Answers:
    """Return what a person answered, nothing where learners of the family cannot be answered.

    The setting has no field: a line on the page says that somebody answered, with a button that forgets it.
    """
    if not family.answerable:
        return ()
    answers: Answers = form.get(ANSWERS)
    if answers and isinstance(form, Settings) and form.prepare(ANSWERS.name, "Answers"):
        with st.container(horizontal=True, vertical_alignment="center", key=f"{form.page}-answered"):
            st.caption(
                f":material/person: A person answered {counted(len(answers), family.asks)}.", width="stretch",
                help="In these steps a person answered replicate 1, in place of the simulated user or of the truth. "
                "They are marked on the timeline, and the link holds the answers.",
            )  # fmt: skip
            st.button(
                "Forget", key=f"{form.page}:forget-answers", type="tertiary", icon=":material/close:",
                on_click=form.set, args=(ANSWERS, ()), disabled=form.locks(ANSWERS.name),
                help="Let the simulated user, or the truth, answer all steps again",
            )  # fmt: skip
    return answers


def _tell_unfit(form: Form, ids: Iterable[str], dataset: str) -> None:
    """List below the data set the learners that it rules out, and why."""
    without = [learner_classes()[id].title for id in ids if not _fits(id, dataset)]
    if without:
        needs = "needs" if len(without) == 1 else "need"
        form.caption(
            f"Not offered here: {plain(listed(without))}, which {needs} one fixed list of candidates.", "dataset"
        )


def _fits(id: str, dataset: str) -> bool:
    """Return whether a learner, or none, can be offered with a data set: one fixed list of candidates may be needed."""
    cls = learner_classes().get(id)
    return cls is None or not cls.fixed_list or getattr(datasets.classes()[dataset], "fixed_candidates", False)
