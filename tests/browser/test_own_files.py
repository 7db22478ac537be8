"""Files of one's own, from upload to a lab, and those that are refused; a download without a network."""

import gzip

import pytest

from tests.pages.test_script import ARFF, LETOR, XML


def upload(visitor, files):
    """Choose files by their names; what was chosen before is taken away by the page, which shows the latest."""
    visitor.page.locator("input[type=file]").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": content} for name, content in files.items()]
    )
    visitor.settle()


@pytest.mark.core
def test_a_file_of_ones_own_from_upload_to_race(visit):
    me = visit("/catalogue?show=data&dataset=letor-file")
    upload(me, {"mine.txt.gz": gzip.compress(LETOR.encode())})
    me.page.get_by_text("Utility w").last.wait_for()
    me.settle().follow("Open in the stability lab", "last").at(0).charts()
    me.step().wait_until(lambda: "path=upload" in me.url)
    link = me.url
    me.page.reload()
    me.at(1).told()
    assert me.url == link


CSV = "".join(f"{i % 7},{(i * 3) % 5},{'red' if i % 2 else 'blue'},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(60))


def test_a_table_of_ones_own_from_upload_to_the_bandit_lab(visit):
    me = visit("/catalogue?show=data&family=classification&dataset=classification-file")
    upload(me, {"mine.csv.gz": gzip.compress(CSV.encode())})
    me.page.get_by_text("Error of the most common class").wait_for()
    me.settle().follow("Open in the bandit lab", "last").at(0).charts()
    me.step().wait_until(lambda: "path=upload" in me.url)


def test_a_table_with_an_empty_cell_goes_on_with_one_click(visit):
    me = visit("/catalogue?show=data&family=classification&dataset=classification-file")
    hole = CSV.replace("3,4,red", "3,,red", 1)
    upload(me, {"hole.csv": hole.encode()})
    me.page.get_by_test_id("stAlert").filter(has_text="missing values are not allowed").wait_for()
    me.page.get_by_role("button", name="Fill with the median").click()
    me.page.get_by_text("Error of the most common class").wait_for()
    me.page.get_by_text("1 empty cell filled with the median").wait_for()
    me.settle().follow("Open in the bandit lab", "last").at(0).charts()
    me.step().wait_until(lambda: "missing=median" in me.url)


def test_a_multilabel_file_with_its_names_from_upload_to_the_lab(visit):
    me = visit("/catalogue?show=data&family=multilabel&dataset=multilabel-file")
    upload(me, {"toy.arff": ARFF.encode(), "toy.xml": XML.encode()})
    me.page.get_by_text("Labels per example").wait_for()
    me.settle().follow("Open in the multilabel lab", "last").at(0).charts()
    me.step().wait_until(lambda: "rain" in me.text)


@pytest.mark.thorough
def test_a_huge_upload_is_refused_by_the_field(visit, tmp_path):
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(200_000_000)
    me = visit("/catalogue?show=data&dataset=letor-file")
    me.page.locator("input[type=file]").set_input_files(huge)
    me.wait_until(lambda: "File must be" in me.text)
    assert "Traceback" not in me.text


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
    me = visit("/catalogue?show=data&dataset=letor-file")
    for name, content, words in BAD:
        upload(me, {name: content})
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


@pytest.mark.thorough
@pytest.mark.parametrize("family", ["classification", "multilabel"])
def test_bad_tables_are_refused_in_one_sentence_each(visit, family):
    me = visit(f"/catalogue?show=data&family={family}&dataset={family}-file")
    for _, name, content, words in (bad for bad in MORE if bad[0] == family):
        upload(me, {name: content.encode()})
        alert = me.page.get_by_test_id("stAlert").filter(has_text=name)
        alert.wait_for()
        assert words in alert.inner_text() and "Traceback" not in me.text, name


def test_a_download_without_a_network_is_said_in_a_sentence(visit):
    me = visit("/catalogue?show=data&family=classification&dataset=openml&name=no-such-data-set-anywhere")
    me.press("Download")
    me.wait_until(lambda: "stAlert" in me.page.content() and "penml" in me.page.get_by_test_id("stAlert").inner_text())
    assert "Traceback" not in me.text
    me.go("/bandit").at(0).step()
