"""Tables as LaTeX, Markdown and CSV: whatever a cell holds, each of them can be read back."""

import csv
import io
import re

from hypothesis import given
from hypothesis import strategies as st

from learners.tables import PrintedTable, latex

NAMES = st.text(max_size=12)


@given(st.lists(st.tuples(NAMES, st.floats()), min_size=1, max_size=4))
def test_every_form_holds_every_row(rows):
    table = PrintedTable(("a & b", "x"), tuple(rows))
    read = list(csv.reader(io.StringIO(table.csv(), newline="")))
    assert [float(row[1]) for row in read[1:]] == [value for _, value in rows] or any(v != v for _, v in rows)
    lines = table.markdown().splitlines()
    assert len(lines) == len(rows) + 2 and all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3 for line in lines)
    body = table.latex().split("\\midrule\n")[1].split("    \\bottomrule")[0].splitlines()
    assert len(body) == len(rows)
    assert all(len(re.findall(r"(?<!\\)&", line)) == 1 and line.endswith(r" \\") for line in body)


@given(st.text())
def test_latex_is_ascii_and_balanced(text):
    found = latex(text)
    bare = re.sub(r"\\[\\{}$&#%_]", "", found.replace(r"\textbackslash{}", ""))
    assert found.isascii() and bare.count("{") == bare.count("}") and bare.count("$") % 2 == 0
    assert not set(bare) & {"#", "%", "&"} and "\n" not in found


def test_signs_of_the_papers_have_names():
    assert latex("φ(x, y) ± √t ∈ 10⁻³ of ε–greedy, Müller") == (
        r"$\varphi$(x, y) $\pm$ $\surd$t $\in$ 10$^{-3}$ of $\varepsilon$--greedy, M\"{u}ller"
    )
    assert PrintedTable(("n",), ((1.5e-9,), (float("inf"),))).latex().count(r"$1.5\cdot10^{-9}$") == 1
