"""Which learners fit the data: a learner with numbers of each document needs one fixed list of candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import datasets
from datasets.parameters import Parameter
from datasets.spec import Spec
from learners.catalogue import create_user, learner_classes
from learners.spec import learner_of
from learners.wording import listed
from pages.ui.form.form import Form
from pages.ui.plain import plain


def check_fits(learners: Iterable[Spec], dataset: Spec, user: Spec | None) -> None:
    """Check that the learners can learn on these data and from this user, before the data are built.

    Raises
    ------
    ValueError : with the learner's sentence.
    """
    for learner in learners:
        made = learner_of(learner)
        if not made.fixed_list:
            continue
        kind = datasets.classes()[dataset.id]
        data = kind if "path" in dataset.values else datasets.create(dataset.id, **dataset.values)
        if reason := made.unfit(data, create_user(user.id, **user.values) if user else None):
            raise ValueError(f"{reason}.")


def offered(form: Form, ids: Sequence[str], place: Parameter, dataset: Parameter, owner: str = "") -> list[str]:
    """Return the ids that a widget for a learner offers: those that fit the data, and the one that is chosen already.

    A link may name every learner. place, dataset : the settings of the
    learner and of the data, whose widgets have this owner.
    """
    data, mine = (form.now(parameter, owner) for parameter in (dataset, place))
    return [id for id in ids if data is None or id == mine or _fits(id, data)]


def tell(form: Form, ids: Iterable[str], dataset: str) -> None:
    """List below the data set the learners that it rules out, and why."""
    without = [learner_classes()[id].title for id in ids if not _fits(id, dataset)]
    if without:
        needs = "needs" if len(without) == 1 else "need"
        form.caption(
            f"Not offered here: {plain(listed(without))}, which {needs} one fixed list of candidates.", "dataset"
        )


def _fits(id: str, dataset: str) -> bool:
    cls = learner_classes().get(id)
    return cls is None or not cls.fixed_list or getattr(datasets.classes()[dataset], "fixed_candidates", False)
