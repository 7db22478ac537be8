"""Setup files: what is wrong is said in a sentence. That they give every run back, tests/pages/test_views.py asks."""

import pytest

from learners import setup_file
from tests.cases import cases

GOOD = '[[learners]]\nid = "banditron"\n[dataset]\nid = "synsep"\n'


def test_what_is_left_out_has_its_default():
    run = setup_file.read(GOOD)
    assert (run.steps, run.replicates, run.seed, run.user) == (1000, 1, 0, None)
    grid = setup_file.read(GOOD + '[[vary]]\nparameter = "gamma"\n').grids[0]
    assert (grid.number, grid.log) == (9, True)


@cases(
    ("text", "words"),
    [
        ("steps = ", "is no TOML"),
        ("[" * 5000, "is no TOML"),
        ("steps = " + "9" * 5000, "a number of thousands of digits"),
        (GOOD + "[answers]\n" + "9" * 5000 + " = [1]\n", "answers must map steps"),
        ("", "names no learner"),
        ('learners = "banditron"', r"must be written as \[\[learners\]\]"),
        ("step = 3\n" + GOOD, "can hold steps, replicates"),
        ("steps = 0\n" + GOOD, "steps must be a whole number of at least 1"),
        ("steps = true\n" + GOOD, "steps must be a whole number"),
        (GOOD.replace("banditron", "bandit"), "learner 1: there is no learner 'bandit'"),
        (GOOD.replace('"synsep"', "3"), "dataset needs an id"),
        (GOOD + "examples = [3, 4]\n", "dataset: examples must be"),
        (GOOD + "examples = {a = 1}\n", "must be a value, got a table"),
        (GOOD.replace("[dataset]", "gamma = [0.1, 0.2]\n[dataset]"), "learner 1: gamma must be one value"),
        (GOOD + "[user]\nid = 'nobody'\n", "user: there is no user"),
        (GOOD + "[[vary]]\nparameter = {a = 1}\n", "vary can name gamma"),
        (GOOD + "[[vary]]\nparameter = 'gamma'\nlow = [0.1]\n", "vary, low: gamma must be"),
        (GOOD + "[[vary]]\nparameter = 'gamma'\nlog = 3\n", "log must be true or false"),
        (GOOD + "[[vary]]\nparameter = 'gamma'\nnumber = 99999\n", "at most 10,000"),
        (GOOD + "[[vary]]\nparameter = 'gamma'\n" * 2, "varies each parameter once"),
        (GOOD + '[[learners]]\nid = "gaptron"\n[[vary]]\nparameter = "gamma"\n', "a sweep has one learner"),
        (GOOD + "[answers]\nx = [1]\n", "answers must map steps"),
        (GOOD + "[comparison]\nmethod = {a = 1}\n", "comparison must give each name one value"),
    ],
)
def test_what_is_wrong_is_said(text, words):
    with pytest.raises(ValueError, match=words) as caught:
        setup_file.read(text)
    assert len(str(caught.value)) < 1500  # the longest lists the learners


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        setup_file.load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="it is no text in UTF-8"):
        setup_file.load(tmp_path / "bad.toml")
