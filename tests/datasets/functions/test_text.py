"""Docstrings taken apart, and words: cases by hand, and properties of any text."""

from hypothesis import given
from hypothesis import strategies as st

from datasets.functions import text
from datasets.functions.words import joined, split, stem
from tests.cases import cases

NUMPYDOC = """fit(x, y=None,
        *, copy=True) -> object

    Fit a line, e.g. by least squares. The line is straight.

    .. deprecated:: 1.4
       Use :class:`~pkg.Other` instead.

    More on it.

    Parameters
    ----------
    x, y : array_like
        See `numpy.array` and ``y``.
    *copy : bool, optional
        Whether to :ref:`copy <copying>` [1]_.

    See Also
    --------
    other : Fits a curve.

    Examples
    --------
    >>> fit([1, 2])

    References
    ----------
    .. [1] Nobody.
    """


def test_a_docstring_falls_into_its_sections():
    parts = text.sections(NUMPYDOC)
    assert list(parts) == ["", "Parameters", "See Also", "Examples", "References"]
    assert text.opening(parts[""]) == (
        "Fit a line, e.g. by least squares.",
        "The line is straight. Use pkg.Other instead. More on it.",
    )
    assert text.parameters(parts["Parameters"]) == ("x", "y", "copy")
    assert text.plain(parts["Parameters"]).endswith("Whether to copy .")
    assert parts["See Also"] == "other : Fits a curve."


@cases(
    ("docstring", "summary"),
    [
        ("", ""),
        ("   \n  ", ""),
        ("Int32DType()\n--\n", ""),
        ("sin(x, /, out=None)\n\nSine.", "Sine."),
        ("Version 2.0 is out. It is good.", "Version 2.0 is out."),
        ("See i.e. this one! And that.", "See i.e. this one!"),
        ("No end", "No end"),
        ("Two\nlines of one sentence. Another.", "Two lines of one sentence."),
        (".. note:: Only this.\n\nThen that.", "Then that."),
    ],
)
def test_the_first_sentence(docstring, summary):
    assert text.opening(text.sections(docstring)[""])[0] == summary


@given(st.text())
def test_any_text_is_taken_apart(docstring):
    parts = text.sections(docstring)
    assert "" in parts and set(parts) <= {"", *text.SECTIONS}
    summary, rest = text.opening(parts[""])
    assert summary or not rest
    for piece in (summary, rest, text.plain(docstring)):
        assert piece == " ".join(piece.split())
    assert all(name.isidentifier() for name in text.parameters(docstring))


@given(st.lists(st.sampled_from(["word", "`x`", "\nParameters\n-----\n", "\n\n", ":func:`~a.b`", "[1]_", "a : int\n"])))
def test_any_pieces_of_numpydoc_are_taken_apart(pieces):
    docstring = " ".join(pieces)
    words = text.plain(docstring)
    assert "`" not in words and "[1]" not in words and ":func:" not in words
    assert text.sections(docstring).keys() <= {"", "Parameters"}


@cases(
    ("name", "parts"),
    [
        ("RandomForestClassifier", ["random", "forest", "classifier"]),
        ("read_csv", ["read", "csv"]),
        ("SVC", ["svc"]),
        ("LinearSVC", ["linear", "svc"]),
        ("log1p", ["log1p"]),
        ("KMeans", ["k", "means"]),
        ("__init__", ["init"]),
        ("ttest_1samp", ["ttest", "1samp"]),
        ("Überlagerung", ["überlagerung"]),
        ("x" * 50, ["x" * 40]),
        ("", []),
    ],
)
def test_identifiers_fall_apart(name, parts):
    assert split(name) == parts


@cases(
    "family",
    ["sort sorts sorted sorting", "classifier classification classify classifies", "normalize normalized normalization",
     "interpolate interpolation interpolated interpolating interpolator", "regression regressor", "query queries",
     "value values", "neighbor neighbors", "fit fitted fitting"],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(family):
    assert len({stem(word) for word in family.split()}) == 1


@cases("words", ["sum some", "mean median", "axis axes", "class glass", "bin bins", "is as", "test text"])
def test_other_words_have_other_stems_unless_they_are_plurals(words):
    one, other = words.split()
    assert (stem(one) == stem(other)) == (other == one + "s")


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_words_of_any_text(anything):
    parts = split(anything)
    assert all((part and part == part.lower()) or not part.isascii() for part in parts)
    assert all(stem(part) for part in parts)
    assert len(joined(parts)) == max(0, len(parts) - 1)
