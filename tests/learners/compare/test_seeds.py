"""The runs of a comparison: one run of each learner for each data seed, the first as it was described."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.spec import Spec
from learners.catalogue import learner_classes
from learners.compare import compared, planned, rivals, unit_of, values, words
from learners.compare.seeds import metric_of
from learners.grid import Grid, GridSpec, varying
from learners.spec import RunSpec
from learners.sweep import run
from tests.cases import cases

RUN = RunSpec(
    (Spec("banditron"), Spec("perceptron")), Spec("synsep", (("data_seed", 3), ("examples", 1000))),
    replicates=2, steps=300, seed=5,
)  # fmt: skip
TOY = RunSpec((Spec("preference-perceptron"), Spec("perturbed-perceptron")), Spec("toy-ranking"), Spec("cascade"))


def found_of(spec, seeds, metric="error-rate"):
    return {batch.number: rows for batch, rows in run(planned(spec, seeds, [metric]))}


def test_seeds_draw_the_data_anew_and_the_first_is_the_run_itself():
    batches = planned(RUN, 3)
    assert [(b.run.seed, b.run.dataset.values["data_seed"]) for b in batches[::2]] == [(5, 3), (6, 4), (7, 5)]
    table = values(RUN, "error-rate", found_of(RUN, 3))
    assert list(table) == RUN.shorts()
    for number, name in enumerate(table):
        for seed in range(2):
            one = replace(RUN, seed=5 + seed, dataset=RUN.dataset.given({"data_seed": 3 + seed}))
            simulation = one.simulation(number, one.load())
            simulation.advance(300)
            assert table[name][seed] == simulation.history.final("error-rate").mean(), "the mean of its replicates"


def test_only_seeds_that_all_learners_have_ended_count():
    found = found_of(RUN, 3)
    del found[3]  # the second learner on the second seed
    assert {len(row) for row in values(RUN, "error-rate", found).values()} == {2}
    assert {len(row) for row in values(RUN, "error-rate", {}).values()} == {0}


def test_what_counts_is_said():
    assert unit_of(RUN).drawn and unit_of(RUN).of(1) == "1 data seed"
    assert not unit_of(TOY).drawn and "holds for these data" in unit_of(TOY).words
    assert [b.run.seed for b in planned(TOY, 2)] == [0, 0, 1, 1]


def test_a_sweep_compares_the_values_of_a_parameter_of_the_learner():
    one = replace(RUN, learners=(Spec("banditron"),))
    gamma = Grid(learner_classes()["banditron"].parameter("gamma"), 0.1, 0.3, 3)
    every = rivals(GridSpec(one, (gamma,)))
    assert [x.values["gamma"] for x in every.learners] == [0.1, 0.2, 0.3]
    assert list(values(every, "error-rate", {})) == ["γ = 0.1", "γ = 0.2", "γ = 0.3"], "called by what differs"
    assert list(values(RUN, "error-rate", {})) == RUN.shorts()
    noise = Grid(varying(Spec("banditron"), Spec("synnonsep"), None)["noise"][1], 0.0, 0.2, 2)
    with pytest.raises(ValueError, match="noise belongs to the world"):
        rivals(GridSpec(replace(one, dataset=Spec("synnonsep")), (noise,)))


@cases(
    ("spec", "words"),
    [
        (replace(RUN, learners=RUN.learners[:1]), "2 to 12 learners, got 1"),
        (replace(RUN, learners=RUN.learners[:1] * 2), "two of the learners are the same"),
        (replace(TOY, comparison=(("method", "x"),)), "interleaving has a test of its own"),
    ],
)
def test_what_cannot_be_compared_is_refused(spec, words):
    with pytest.raises(ValueError, match=words):
        rivals(spec)


def test_metrics_without_a_better_value_are_refused():
    assert metric_of(RUN).id == "error-rate"
    with pytest.raises(ValueError, match="needs a metric in which one value is better"):
        metric_of(RUN, "explored")


def told(table, better="lower", spec=RUN):
    found = compared(table, better)
    return [words.headline(found), *words.sentences(found, metric_of(spec, "error-rate"), unit_of(spec))]


def test_the_answer_is_told_in_words():
    steps = np.arange(8.0)
    yes = told({"A": steps, "B": steps + 1 + steps / 10})
    assert yes == [
        "Yes: A is better.",
        "On 8 of 8 data seeds A had a lower error rate than B. If neither were better, chance alone would give results "
        "at least as one-sided in about 8 of 1,000 comparisons (p = 0.008). On average it is 1.35 lower (95 % interval "
        "1.15 to 1.55).",
    ]
    no = told({"A": steps, "B": steps + np.array([1, -1, 2, -2, 3, -3, 4, -3.5])})
    assert no[0] == "It cannot be told." and "This does not say that the two are equal." in no[1]
    assert "more seeds may tell apart" in no[2]
    few = told({"A": steps[:3], "B": steps[:3] + 1})
    assert few[0] == "This cannot be answered yet." and "too few" in few[1] and len(few) == 2
    three = told({"A": steps, "B": steps + 1 + steps / 10, "C": steps + 1.1 + steps[::-1] / 9})
    assert "A is better than" in three[1] and any("cannot be told apart." in line for line in three)


def test_tables_have_a_row_for_each_pair():
    steps = np.arange(8.0)
    found = compared({"A": steps, "B": steps + 1 + steps / 10, "C": steps * 3}, "lower")
    for table in (words.table(found), words.printed(found)):
        assert len(table.rows) == 3 and {len(row) for row in table.rows} == {len(table.head)}
    assert [row[0] for row in words.ranking(found).rows] == list(found.names)
    assert "corrected for 3 pairs by Holm's procedure" in words.method(found, unit_of(RUN))
