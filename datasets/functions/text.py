"""Take docstrings apart: the sections of numpydoc, and plain text instead of reStructuredText."""

import inspect
import re

SECTIONS = (
    "Parameters", "Returns", "Yields", "Receives", "Other Parameters", "Raises", "Warns", "Warnings", "See Also",
    "Notes", "References", "Examples", "Attributes", "Methods",
)  # fmt: skip

_SIGNATURE = re.compile(r"[\w.]+\([^\n]*(\n\s[^\n]*)*\)(\s*->[^\n]*)?(\s*--)?\s*$")
_ROLE = re.compile(r":[\w:]+:`~?([^`<]*?)(?:\s*<[^`]*>)?`")
_LINK = re.compile(r"`([^`<]+?)\s*<[^`>]+>`_+")
_QUOTED = re.compile(r"`+~?([^`]*)`+_{0,2}")
_DIRECTIVE = re.compile(r"^\s*\.\. .*$", re.MULTILINE)
_OPTION = re.compile(r"^\s*:(?:toctree|template|nosignatures|include-source|label|okwarning|okexcept)\b.*$", re.M)
_NUMBERED = re.compile(r"\[\d+\]_?")
_EMPHASIS = re.compile(r"\*{1,2}(\S(?:[^*\n]*\S)?)\*{1,2}")
_SENTENCE = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)(?<!\bal)[.!?](?=\s+[^a-z\s]|\s*$)")


def sections(docstring: str) -> dict[str, str]:
    """Return the sections of a docstring by name; what stands before the first has the name "".

    >>> sections("Add.\\n\\nParameters\\n----------\\na : int\\n\\nSee Also\\n--------\\nsub")
    {'': 'Add.', 'Parameters': 'a : int', 'See Also': 'sub'}
    """
    lines = inspect.cleandoc(docstring).split("\n")
    found: dict[str, list[str]] = {"": []}
    here = found[""]
    skip = False
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        name = line.strip().title()
        if name in SECTIONS and below.strip()[:3] in ("---", "===") and not below.strip().strip("-="):
            here, skip = found.setdefault(name, []), True
        elif skip:
            skip = False
        else:
            here.append(line)
    return {name: "\n".join(held).strip() for name, held in found.items()}


def plain(text: str) -> str:
    """Return reStructuredText as plain text: words in place of roles and quotes, no directives.

    >>> plain("Like :func:`~numpy.sum`, but ``axis`` is *last* [1]_.\\n\\n.. versionadded:: 1.2")
    'Like numpy.sum, but axis is last .'
    """
    for pattern, put in (
        (_DIRECTIVE, ""), (_OPTION, ""), (_ROLE, r"\1"), (_LINK, r"\1"), (_QUOTED, r"\1"), (_NUMBERED, ""),
        (_EMPHASIS, r"\1"),
    ):  # fmt: skip
        text = pattern.sub(put, text)
    return " ".join(text.split())


def opening(text: str) -> tuple[str, str]:
    """Return the first sentence of the text before the sections, and the rest of it, both plain.

    A signature in the first lines, as compiled functions have it, is left out.

    >>> opening("sin(x, /, out=None)\\n\\nSine, element-wise. Angles are in radians.")
    ('Sine, element-wise.', 'Angles are in radians.')
    """
    blocks = [block for block in re.split(r"\n\s*\n", text.strip()) if block.strip()]
    while blocks and _SIGNATURE.fullmatch(blocks[0].strip()):
        blocks = blocks[1:]
    clean = [part for part in map(plain, blocks) if part]
    if not clean:
        return "", ""
    first, rest = clean[0], clean[1:]
    end = _SENTENCE.search(first)
    if end is not None and end.end() < len(first):
        rest = [first[end.end() :].strip(), *rest]
        first = first[: end.end()]
    return first, " ".join(rest)


def parameters(text: str) -> tuple[str, ...]:
    """Return the names that a section on parameters declares, in their order.

    >>> parameters("a, b : int\\n    Two numbers.\\n*args\\n    More.")
    ('a', 'b', 'args')
    """
    names: list[str] = []
    for line in text.split("\n"):
        if line[:1] not in ("", " ", "\t", "."):
            left = line.split(" :")[0]
            names += [name.strip().strip("*`") for name in left.split(",")]
    return tuple(name for name in names if name.isidentifier())
