"""Journeys through the bandit lab, the multilabel lab, the sweep page and the data of their families."""

import gzip

import pytest

pytestmark = pytest.mark.xdist_group("more-browser")

BANDIT = "/bandit?replicates=2&steps=20000&speed=100&learner-3=none&learner-4=none&charts=error-rate,confusion"


def inspector(visitor):
    """What the step inspector says, up to where the algorithm is cited."""
    visitor.wait_until(lambda: "The algorithm: [" in visitor.text)
    return visitor.text.split("The algorithm: [")[0]


def heat_maps(visitor):
    return visitor.page.evaluate(
        "[...document.querySelectorAll('.fl-plot')].flatMap(p => p.data.filter(t => t.type === 'heatmap')).length"
    )


def test_the_bandit_lab_from_play_to_the_same_numbers_again(visit):
    """Play → the curves move → pause → step → reset → the link gives the same step again."""
    me = visit(BANDIT).charts()
    me.press("Play")
    me.wait_until(lambda: me.t > 50)
    first = me.curves()
    me.wait_until(lambda: me.curves() != first)
    assert heat_maps(me) == 2
    me.pause().step()
    me.press("Reset").at(0)
    told, link = inspector(me.step(2)), me.url
    me.go(link.removeprefix(me.address)).charts().at(0)
    assert inspector(me.step(2)) == told


def test_the_bandit_inspector_shows_image_distribution_and_feedback(visit):
    me = visit(
        "/bandit?charts=error-rate&replicates=1&learner-1=banditron&gamma-1=0.5&learner-2=none&learner-3=none&learner-4=none"
    ).charts()
    text = inspector(me.at(0).step())
    assert "The probability that each label is played, for γ = 0.5" in text
    assert ("and is told right" in text) != ("and is told wrong" in text)
    main = me.page.get_by_test_id("stMain")
    assert main.locator("img[alt='the example']").count() == 1
    assert main.locator("img[alt^='weights of class']").count() >= 10, "the rows of W as ten pictures"
    bars = main.locator(".fl-bars").nth(1)
    assert bars.locator("i").count() == 10
    shares = bars.locator("i").evaluate_all("bars => bars.map(b => parseFloat(b.style.getPropertyValue('--share')))")
    assert sorted(shares)[-1] == 100 and len([s for s in shares if s < 20]) == 9, "the exploit mass stands on one label"


def test_the_multilabel_lab_tells_what_was_shown(visit):
    me = visit("/multilabel?replicates=1&size-1=3&charts=loss").charts()
    text = inspector(me.at(0).step())
    assert "upper confidence" in text and "true probability" in text
    assert "of at most 3 are shown" in text and "the best set, known to the data set alone" in text
    me.press("Play")
    me.wait_until(lambda: me.t > 30)


def test_the_coactive_lab_draws_distributions_and_costs(visit):
    me = visit("/coactive?replicates=2&charts=average-regret,alpha,slack,cost&queries=200").charts()
    me.press("Play")
    me.wait_until(lambda: me.t > 20)
    assert len(me.curves()) >= 12, "four learners in each of at least three charts"


def test_movies_are_recommended_by_title_and_not_twice(visit):
    me = (
        visit(
            "/coactive?charts=average-regret&dataset=movies&user=item-better&replicates=1&learner-2=none&learner-3=none&learner-4=none"
        )
        .charts()
        .at(0)
    )
    seen = set()
    for _ in range(4):
        me.step()
        title = me.page.locator(".fl-doc b").first.inner_text()
        assert "(" in title and title not in seen, "a movie shown leaves the candidates"
        seen.add(title)


def test_the_interleaving_view_says_who_wins(visit):
    me = visit("/interleaving?replicates=3&queries=300&sample=2").charts()
    me.press("Play")
    me.wait_until(lambda: me.t > 60)
    me.pause()
    for words in ("share won (95 % interval)", "Below each document stands the ranker that put it there"):
        me.wait_until(lambda: words in me.text)  # noqa: B023


def test_the_lower_bound_is_met_exactly(visit):
    me = visit("/lower_bound?horizon=400&learner=perturbed-perceptron").charts()
    me.wait_until(lambda: me.text.count("0.1000") == 2)  # regret and bound, 2 / sqrt(400)


def test_a_sweep_from_start_to_csv_and_the_link(visit):
    me = visit("/sweep?steps=2000&replicates=3&number-1=4")
    me.press("Start")
    me.wait_until(lambda: "Done in" in me.text)
    me.charts().wait_until(lambda: "The best mean is" in me.text).settle()
    points = me.page.evaluate("document.querySelector('.fl-plot').data.filter(t => t.name).map(t => t.x.length)")
    assert points == [4]
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="Results as CSV").click()
    lines = download.value.path().read_text().splitlines()
    assert lines[0] == "gamma,replicate,metric,value" and len(lines) == 1 + 4 * 3 * 8
    assert {line.split(",")[1] for line in lines[1:]} == {"0", "1", "2"}, "counted as in the script"
    me.wait_until(lambda: "steps=2000" in me.url and "number-1=4" in me.url)
    other = visit(me.url.removeprefix(me.address))
    other.press("Start")
    other.wait_until(lambda: "The best mean is" in other.text)

    def found(visitor):
        return next(line for line in visitor.text.splitlines() if line.startswith("Lowest mean"))

    assert found(other) == found(me)


def test_two_parameters_make_a_heat_map_and_a_cancelled_sweep_keeps_what_is_done(visit):
    me = visit(
        "/sweep?family=ranking&learner=perturbed-perceptron&vary-1=swap_probability&number-1=3&vary-2=documents&from-2=5"
        "&to-2=40&number-2=6&steps=10000&replicates=5&metric=rank-of-best"
    )
    me.press("Start")
    me.wait_until(lambda: "batch 2 of 6" in me.text or "batch 3 of 6" in me.text)
    me.press("Cancel")
    me.wait_until(lambda: "Cancelled:" in me.text)
    me.charts().wait_until(lambda: "of 6 batches are done and kept" in me.text and "The best mean is" in me.text)
    assert heat_maps(me) == 1


def test_a_cluster_that_is_not_there_is_said_and_the_sweep_runs(visit):
    me = visit("/sweep?steps=500&replicates=2&number-1=3")
    me.page.get_by_text("Where it runs").click()
    field = me.page.get_by_role("textbox", name="Dask scheduler")
    field.fill("tcp://127.0.0.1:1")
    field.press("Enter")
    me.settle().press("Start")
    me.wait_until(lambda: "Done in" in me.text)
    assert (
        "The Dask scheduler at tcp://127.0.0.1:1 cannot be reached. The sweep runs on this machine instead." in me.text
    )
    field.fill("nonsense")
    field.press("Enter")
    me.settle().press("Start")
    me.wait_until(lambda: "scheduler must be an address such as tcp://127.0.0.1:8786, got nonsense" in me.text)


CSV = "".join(f"{i % 7},{(i * 3) % 5},{'red' if i % 2 else 'blue'},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(60))
ARFF = (
    "@relation toy\n@attribute x numeric\n@attribute y numeric\n@attribute sun {0,1}\n@attribute rain {0,1}\n@data\n"
    + "".join(f"{i % 5},{i % 3},{int(i % 5 > 2)},{int(i % 3 > 1)}\n" for i in range(40))
)
XML = '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="sun"/><label name="rain"/></labels>'


def test_a_table_of_ones_own_from_upload_to_the_bandit_lab(visit):
    me = visit("/data?family=classification&dataset=classification-file")
    me.page.locator("input[type=file]").set_input_files(
        {"name": "mine.csv.gz", "mimeType": "application/gzip", "buffer": gzip.compress(CSV.encode())}
    )
    me.page.get_by_text("Error of the commonest class").wait_for()
    me.settle().follow("Open in the bandit lab", "last").at(0).charts()
    me.step().wait_until(lambda: "path=upload" in me.url)


def test_a_multilabel_file_with_its_names_from_upload_to_the_lab(visit):
    me = visit("/data?family=multilabel&dataset=multilabel-file")
    me.page.locator("input[type=file]").set_input_files(
        [
            {"name": "toy.arff", "mimeType": "text/plain", "buffer": ARFF.encode()},
            {"name": "toy.xml", "mimeType": "text/xml", "buffer": XML.encode()},
        ]
    )
    me.page.get_by_text("Labels per example").wait_for()
    me.settle().follow("Open in the multilabel lab", "last").at(0).charts()
    me.step().wait_until(lambda: "rain" in me.text)


def test_a_download_without_a_network_is_said_in_a_sentence(visit):
    me = visit("/data?family=classification&dataset=openml&name=no-such-data-set-anywhere")
    me.press("Download")
    me.wait_until(lambda: "stAlert" in me.page.content() and "penml" in me.page.get_by_test_id("stAlert").inner_text())
    assert "Traceback" not in me.text
    me.go("/bandit").at(0).step()
