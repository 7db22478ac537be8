"""Journeys on the sweep page."""

import re

import pytest


@pytest.mark.core
@pytest.mark.long
def test_a_sweep_from_start_to_csv_and_the_link(visit):
    me = visit("/sweep?steps=2000&replicates=3&number-1=4")
    me.press("Start")
    me.wait_until(lambda: "Done in" in me.text)
    me.charts().wait_until(lambda: "The best mean is" in me.text).settle()
    points = "document.querySelector('.fl-plot').data.filter(t => t.name).map(t => t.x.length)"
    me.wait_until(lambda: me.page.evaluate(points) == [4])
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="Results as CSV").click()
    lines = download.value.path().read_text().splitlines()
    assert lines[0] == "gamma,replicate,metric,value" and len(lines) == 1 + 4 * 3 * 9
    me.wait_until(lambda: "steps=2000" in me.url and "number-1=4" in me.url)
    other = visit(me.url.removeprefix(me.address))
    other.press("Start")
    other.wait_until(lambda: "Done in" in other.text and "The best mean is" in other.text)

    def found(visitor):
        return next(line for line in visitor.text.splitlines() if line.startswith("The best mean is"))

    assert found(other) == found(me)


def test_two_parameters_make_a_heat_map_and_a_cancelled_sweep_keeps_what_is_done(visit):
    me = visit(
        "/sweep?family=ranking&learner=perturbed-perceptron&vary-1=swap_probability&number-1=3&vary-2=documents&from-2=5"
        "&to-2=40&number-2=30&steps=60000&replicates=5&metric=rank-of-best"
    )
    me.press("Start")
    me.wait_until(lambda: re.search(r"batch ([2-9]|\d\d) of 30", me.text))  # any but the first: one may go unseen
    me.press("Cancel")
    me.wait_until(lambda: "Cancelled:" in me.text)
    me.charts().wait_until(
        lambda: "of 30 batches are done and kept" in me.text and "The best swap probability" in me.text
    )
    me.wait_until(lambda: me.heat_maps() == 1)


@pytest.mark.thorough
def test_a_cluster_that_is_not_there_is_said_and_the_sweep_runs(visit):
    me = visit("/sweep?steps=500&replicates=2&number-1=3")
    me.page.get_by_text("Where it runs").click()
    field = me.page.get_by_role("textbox", name="Dask scheduler")
    field.fill("tcp://127.0.0.1:1")
    field.press("Enter")
    me.settle().press("Start")
    me.wait_until(lambda: "Done in" in me.text)
    said = "The Dask scheduler at tcp://127.0.0.1:1 cannot be reached. The sweep runs on this machine instead."
    me.wait_until(lambda: said in me.text)
    field.fill("nonsense")
    field.press("Enter")
    me.settle().press("Start")
    me.wait_until(lambda: "scheduler must be an address such as tcp://127.0.0.1:8786, got nonsense" in me.text)
