"""Running the run of a recording again: the link of a lab, or a sentence that says why there is none."""

from dataclasses import replace

import pytest

from datasets.spec import Spec
from learners.spec import RunSpec
from pages.ui.families import labs
from pages.ui.kept.run import kept_of
from pages.ui.recordings.document import Document
from pages.ui.runs.run_again import again, offer

RUN = RunSpec(
    (Spec("banditron", (("gamma", 0.2),)), Spec("perceptron")),
    Spec("digits", (("unit_length", False),)),
    None,
    3,
    500,
    7,
)


def recorded(spec, page="bandit"):
    learners = [{"label": "a learner"}]
    return Document(
        "A run", {"page": page, "learners": learners, "replicates": 3, "steps": 500, "unit": "step"}, spec=spec
    )


@pytest.mark.parametrize("page", ["bandit", "recording", "stability"])
def test_the_link_opens_the_same_run_in_the_lab_of_its_family(page):
    lab, query = again(recorded(RUN, page))
    found = kept_of(query, labs()["bandit"].ask_run).run
    assert (
        lab == "pages/bandit.py"
        and query["unit_length"] == "false"
        and found.learners == tuple(map(Spec.of, RUN.made()))
    )
    assert (found.seed, found.steps, found.replicates, found.dataset.id) == (7, 500, 3, "digits")


def test_a_page_is_known_by_its_file_and_by_the_name_of_its_lab():
    boosted = replace(RUN, learners=(Spec("mcssb"),), dataset=Spec("moons"), steps=20)
    assert {again(recorded(boosted, page))[0] for page in ("semi_supervised", "semi-supervised")} == {
        "pages/semi_supervised.py"
    }
    compared = RunSpec(
        (Spec("perturbed-perceptron"),), Spec("web-search"), Spec("noisy-grades"), 2, 50, 3,
        (("method", "balanced"), ("fixed", "linear-sample"), ("sample", 5), ("warm_start", False)),
    )  # fmt: skip
    assert again(recorded(compared, "stability"))[1]["mode"] == "interleaved"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (None, "it names no learner and no data set"),
        (replace(RUN, learners=()), "it names no learner and no data set"),
        (replace(RUN, learners=(Spec("decay"),)), "there is no decay here"),
        (replace(RUN, learners=(Spec("os:system"),)), "there is no os:system here"),
        (replace(RUN, dataset=Spec("mine.py:Data")), "there is no mine.py:Data here"),
        (replace(RUN, user=Spec("nobody")), "there is no nobody here"),
        (replace(RUN, dataset=Spec("classification-file", (("path", "a.csv"),))), "a file of their own"),
        (replace(RUN, dataset=Spec("web-search")), "has no such settings"),
        (replace(RUN, learners=(Spec("banditron", (("gamma", 7),)),)), "gamma"),
        (replace(RUN, learners=(Spec("banditron", (("nothing", 7),)),)), "nothing"),
        (replace(RUN, steps=10**9), "a lab allows"),
        (replace(RUN, comparison=(("method", "balanced"),)), "has no such settings"),
        (replace(RUN, user=Spec("noisy-grades")), "has no such settings"),
        (replace(RUN, steps=501, seed=10**15), "the Bandit lab has no such settings"),
    ],
)
def test_what_cannot_be_run_again_is_a_clause(spec, words, monkeypatch):
    monkeypatch.setattr("datasets.own_code.resolve", lambda *_: pytest.fail("nobody's file is looked for"))
    with pytest.raises(ValueError, match=words) as told:
        again(recorded(spec))
    assert str(told.value).count("\n") == 0


def test_the_page_offers_it_or_says_why_not(monkeypatch):
    said = []

    def tell(text, **more):
        said.append((more.get("label", text), more.get("query_params")))

    monkeypatch.setattr("streamlit.page_link", tell)
    monkeypatch.setattr("streamlit.caption", tell)
    for run in (RUN, replace(RUN, learners=(Spec("a*b"),)), replace(RUN, steps=10**9)):
        offer(recorded(run))
    (link, query), (none, _), (large, _) = said
    assert link == "Run it again in the lab" and query == again(recorded(RUN))[1]
    assert none == "It cannot be run again here: there is no a\\*b here."
    assert large.endswith("Lower the steps or the replicates.")
