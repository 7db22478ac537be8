"""Cases that share a test fail by themselves, and are all told of."""

import os

import pytest

from tests.cases import cases


def test_all_that_fail_are_told_of_and_the_others_run():
    seen = []

    @cases("one, other", [(1, 1), (1, 2), pytest.param(3, 4, id="the last"), (5, 5)])
    def check(one, other):
        seen.append(one)
        assert one == other, f"{one} is not {other}"

    with pytest.raises(ExceptionGroup, match=r"^2 of 4 cases: one = 1, other = 2; the last$") as found:
        check()
    assert seen == [1, 1, 3, 5] and [str(error)[:10] for error in found.value.exceptions] == [
        "1 is not 2",
        "3 is not 4",
    ]


def test_a_single_one_fails_as_it_does_alone():
    @cases("word", ["1", "x"])
    @cases("base", [10, 2])
    def check(word, base):
        with pytest.raises(ValueError):
            int(word, base)

    with pytest.raises(BaseExceptionGroup, match="2 of 2 cases: base = 10; base = 2") as found:
        check()
    assert found.value.__notes__ == ["in the case word = '1'"]
    alone = cases("word", ["x", "1", "y"])(lambda word: pytest.fail("no") if word == "1" else None)
    with pytest.raises(pytest.fail.Exception) as found:
        alone()
    assert found.value.__notes__ == ["in the case word = '1'"]


@cases("number", [0, 1])
def test_each_has_its_own_folder_and_patches(number, tmp_path, monkeypatch):
    assert tmp_path.name == str(number) and not any(tmp_path.iterdir()) and "FEEDBACK_LAB_CASE" not in os.environ
    (tmp_path / "file").touch()
    monkeypatch.setenv("FEEDBACK_LAB_CASE", "1")


def test_what_is_skipped_counts_only_where_all_is():
    skip = cases("number", [1, 2])(lambda number: pytest.skip("no") if number == 1 else None)
    skip()
    with pytest.raises(pytest.skip.Exception):
        cases("number", [1, 1])(skip.__wrapped__)()


def test_marks_are_refused():
    with pytest.raises(AssertionError):
        cases("number", [pytest.param(1, marks=pytest.mark.long)])
