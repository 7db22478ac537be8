"""The link that runs a recording again in its lab, or the reason why there is none."""

from dataclasses import replace

import streamlit as st

import datasets
from datasets.own_code import is_reference
from datasets.spec import Spec
from learners.catalogue import learner_classes, user_classes
from learners.spec import RunSpec
from pages.ui.families import labs
from pages.ui.kept.run import kept_of
from pages.ui.plain import plain
from pages.ui.race import limits
from pages.ui.recordings.document import Document


def offer(document: Document) -> None:
    """Draw the link to the lab that runs a recording again, or say why there is none."""
    try:
        lab, query = again(document)
        st.page_link(lab, label="Run it again in the lab", icon=":material/replay:", query_params=query)
    except ValueError as error:
        st.caption(f"It cannot be run again here: {plain(str(error)).rstrip('.')}.")


def again(document: Document) -> tuple[str, dict[str, str]]:
    """Return the page of the lab that runs a recording again, and its query. The recording may come from anywhere.

    Raises
    ------
    ValueError : where no lab here can, with a clause that says why.
    """
    spec = document.spec
    if spec is None or not spec.learners:
        raise ValueError("it names no learner and no data set")
    for part, known in (
        *((learner, learner_classes()) for learner in spec.learners), (spec.dataset, datasets.classes()),
        *([(spec.user, user_classes())] if spec.user else []),
    ):  # fmt: skip
        if is_reference(part.id) or part.id not in known:  # a file that a stranger names is never looked for
            raise ValueError(f"there is no {part.id} here")
    if "path" in spec.dataset.values:
        raise ValueError("its data are in a file of their own")
    limits.check(spec)
    lab = labs().get(document.payload["page"].replace("-", "_"))
    if lab is None or lab.family != spec.family.id:
        lab = labs()[spec.family.page]
    declared = {parameter.name for _, parameter in lab.showing(spec)[1].comparison}
    if {name for name, _ in spec.comparison or ()} <= declared:
        query = lab.query(spec)
        read_back = kept_of(query, lab.ask_run).run
        if _whole(read_back) == _whole(spec):  # a link is offered only if it opens the very same run
            return lab.page, query
    raise ValueError(f"the {lab.title} has no such settings")


def _whole(spec: RunSpec) -> RunSpec:
    """Return a run with the values of all parameters, those that have no effect included."""
    data, user = datasets.create(spec.dataset.id, **spec.dataset.values), spec.made_user()
    return replace(
        spec,
        learners=tuple(map(Spec.of, spec.made())),
        dataset=Spec.of(data),
        user=Spec.of(user) if user else None,
        comparison=spec.comparison and tuple(sorted(spec.comparison)),
    )
