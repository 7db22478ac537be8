"""Every page on a phone, and files that cannot be read."""

import pytest

pytestmark = pytest.mark.xdist_group("small-browser")

PAGES = (
    "/",
    "/stability",
    "/coactive",
    "/interleaving",
    "/lower_bound",
    "/bandit",
    "/multilabel",
    "/semi_supervised",
    "/learning_to_rank",
    "/refinement",
    "/published",
    "/sweep",
    "/data",
    "/algorithms",
)


@pytest.mark.parametrize(("dark", "paths"), [(False, PAGES), (True, ("/", "/bandit", "/sweep"))], ids=["light", "dark"])
def test_every_page_fits_a_phone(visit, dark, paths):
    me = visit("/", width=400, height=800, dark=dark)
    for path in paths:
        me.go(path)
        if path in ("/stability", "/bandit", "/multilabel", "/semi_supervised", "/refinement"):
            me.charts().at(0).step()
        wide = me.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert wide <= 400, path
        background = me.page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor")
        assert background == ("rgb(18, 22, 28)" if dark else "rgb(255, 255, 255)"), path


ARFF = (
    "@relation toy\n@attribute x numeric\n@attribute y numeric\n@attribute sun {0,1}\n@attribute rain {0,1}\n@data\n"
    + "".join(f"{i % 5},{i % 3},{int(i % 5 > 2)},{int(i % 3 > 1)}\n" for i in range(40))
)

BAD = (
    ("bad.txt", b"1 qid:1 1:0.5\n0 qid:1 1:abc\n", "line 2"),
    ("noqid.txt", b"1 1:0.5\n0 1:0.1\n", "qid"),
    ("nan.txt", b"1 qid:1 1:0.5\n0 qid:1 1:nan\n", "line 2"),
    ("alone.txt", b"1 qid:1 1:0.5\n", "single document"),
    ("empty.txt", b"", "empty"),
    ("not.gz", b"this is no gzip", "gzip"),
    ("wide.txt", b"1 qid:1 1000000:1\n0 qid:1 1:1\n", "3000"),
)


def test_bad_files_are_refused_in_one_sentence_each_and_the_page_goes_on(visit):
    me = visit("/data?dataset=letor-file")
    for name, content, words in BAD:
        upload(me, name, content)
        alert = me.page.get_by_test_id("stAlert").filter(has_text=name)
        alert.wait_for()
        assert words in alert.inner_text() and "Traceback" not in me.text, name
    me.go("/stability").at(0).step()


MORE = (
    ("classification", "one.csv", "1,2,a\n3,4,a\n", "one"),
    ("classification", "missing.csv", "1,2,a\n3,,b\n", "line 2"),
    ("classification", "ragged.csv", "1,2,a\n3,4,5,b\n", "line 2"),
    ("classification", "real.csv", "1,2,0.5\n3,4,0.75\n", "0.5"),
    ("classification", "zero.svm", "1 0:1 2:1\n2 1:1\n", "line 1"),
    ("multilabel", "lies.arff", ARFF + "1,2,3,4,5\n", "5 values"),
    ("multilabel", "alone.arff", ARFF, "labels"),
)


@pytest.mark.parametrize("family", ["classification", "multilabel"])
def test_bad_tables_are_refused_in_one_sentence_each(visit, family):
    me = visit(f"/data?family={family}&dataset={family}-file")
    for _, name, content, words in (bad for bad in MORE if bad[0] == family):
        upload(me, name, content.encode())
        alert = me.page.get_by_test_id("stAlert").filter(has_text=name)
        alert.wait_for()
        assert words in alert.inner_text() and "Traceback" not in me.text, name


def upload(visitor, name, content):
    """Choose a file; one that was chosen before is taken away by the page, which shows the latest."""
    visitor.page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": content}
    )
    visitor.settle()


CHARTS = "average-regret,rank-of-best,swap-probability"


def test_charts_out_of_sight_rest_and_are_drawn_when_the_run_pauses(visit):
    me = visit(f"/stability?steps=20000&speed=50&replicates=2&charts={CHARTS}", width=400, height=800).charts()
    ends = "[...document.querySelectorAll('.fl-plot')].map(p => Math.max(0, ...p.data.flatMap(d => [...d.x ?? []])))"
    me.press("Play").wait_until(lambda: me.page.evaluate(ends)[0] > 20)
    in_sight, *_, below = me.page.evaluate(ends)
    assert below < in_sight, "the last of the charts is below the screen of a phone"
    me.pause().wait_until(lambda: set(me.page.evaluate(ends)) == {me.t})
