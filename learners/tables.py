"""A table as LaTeX (booktabs), Markdown and CSV, with numbers and texts that each of them can hold."""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
import textwrap
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''",
}  # fmt: skip
_MATH = {
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\varepsilon", "ζ": r"\zeta", "η": r"\eta",
    "θ": r"\theta", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho",
    "σ": r"\sigma", "τ": r"\tau", "φ": r"\varphi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega", "Δ": r"\Delta",
    "Σ": r"\Sigma", "Φ": r"\Phi", "Ω": r"\Omega", "Γ": r"\Gamma", "Λ": r"\Lambda", "±": r"\pm", "×": r"\times",
    "·": r"\cdot", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "∞": r"\infty", "→": r"\to", "−": "-",
    "√": r"\surd", "∈": r"\in", "′": "'", "⟨": r"\langle", "⟩": r"\rangle", "‖": r"\|", "≻": r"\succ", "∼": r"\sim",
    "₊": "_{+}", "∑": r"\sum", "∏": r"\prod", "∂": r"\partial", "½": "1/2", "¼": "1/4", "∩": r"\cap", "∪": r"\cup",
    "←": r"\leftarrow", "⊤": r"\top", "⊥": r"\perp", "ℓ": r"\ell", "⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor",
    "⌋": r"\rfloor", "∇": r"\nabla", "ℝ": r"\mathrm{R}", "↦": r"\mapsto", "†": r"\dagger",
    "…": r"\ldots", "\u00b5": r"\mu", "≪": r"\ll", "≫": r"\gg", "°": r"^{\circ}",
}  # fmt: skip
_HIGH, _LOW = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵗᵀ", "₀₁₂₃₄₅₆₇₈₉ₙₜᵢⱼₖ"
_LEVEL = str.maketrans(_HIGH + _LOW, "0123456789+-ntT" + "0123456789ntijk")
_LETTERS = {"ß": r"\ss{}", "ø": r"\o{}", "Ø": r"\O{}", "æ": r"\ae{}", "ł": r"\l{}"}
_TEXT = {
    "§": r"\S{}",
    "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "\u00a0": "~", "\u2009": r"\,", "\u202f": r"\,",
}  # fmt: skip
_ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030c": "v", "\u0327": "c"}


def number(value: Any, digits: int = 3) -> str:
    """Return a number with few significant digits, or any other value as a text.

    >>> number(0.123456), number(1234567.0), number(12), number(float("nan")), number(1e-7), number("a")
    ('0.123', '1.23e+06', '12', '–', '1e-07', 'a')
    """
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "–"
    return ("−" * (value < 0) + "∞") if math.isinf(value) else f"{value:.{digits}g}"


def latex(text: str) -> str:
    r"""Return a text as LaTeX with which every engine prints it; a letter that has no name there becomes "?".

    >>> print(latex("50 % of γ_1, Demšar"))
    50 \% of $\gamma$\_1, Dem\v{s}ar
    """
    pieces = re.findall(rf"[{_HIGH}]+|[{_LOW}]+|.[\u0300-\u0327]?", unicodedata.normalize("NFC", text), flags=re.S)
    found = [_sign(piece) for piece in pieces]
    runs = [
        (is_math, "".join(piece for _, piece in run)) for is_math, run in itertools.groupby(found, lambda one: one[0])
    ]
    return "".join(f"${piece}$" if is_math else piece for is_math, piece in runs)


def _sign(sign: str) -> tuple[bool, str]:
    """Return whether a sign, or a run of raised or lowered ones, is a formula, and its LaTeX."""
    if sign[0] in _HIGH + _LOW:
        return True, ("^" if sign[0] in _HIGH else "_") + f"{{{sign.translate(_LEVEL)}}}"
    if sign in _MATH:
        return True, _MATH[sign]
    if sign in _LATEX or sign in _TEXT:
        return False, _LATEX.get(sign) or _TEXT[sign]
    if sign.isascii():
        return False, sign if sign.isprintable() else " "
    apart = unicodedata.normalize("NFD", sign)
    if len(apart) == 2 and apart[0].isascii() and apart[1] in _ACCENTS:
        return False, f"\\{_ACCENTS[apart[1]]}{{{apart[0]}}}"
    return False, _LETTERS.get(sign, "?")


COLUMN = 62  # letters in the line of a column of 84 mm, in eight points


@dataclass(frozen=True)
class PrintedTable:
    """A table of texts and numbers. head : of its columns. rows : each as long as the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, frame: pd.DataFrame) -> PrintedTable:
        """Return the table of a data frame, without its index."""
        return cls(tuple(map(str, frame)), tuple(map(tuple, frame.astype(object).to_numpy().tolist())))

    def csv(self) -> str:
        """Return it as CSV, with all digits.

        >>> PrintedTable(("a", "b"), (("x, y", 0.1),)).csv()
        'a,b\\n"x, y",0.1\\n'
        """
        file = io.StringIO()
        rows = ([" ".join(x.split()) if isinstance(x, str) else x for x in row] for row in (self.head, *self.rows))
        csv.writer(file, lineterminator="\n").writerows(rows)
        return file.getvalue()

    def markdown(self, digits: int = 3) -> str:
        """Return it as Markdown, numbers to the right.

        >>> print(PrintedTable(("a", "b"), (("x|y", 0.12345),)).markdown())
        | a | b |
        |:---|---:|
        | x\\|y | 0.123 |
        """
        ends = ["---:" if self._numeric(i) else ":---" for i in range(len(self.head))]
        rows = [self.head, *([number(value, digits) for value in row] for row in self.rows)]
        lines = ["| " + " | ".join(_marked(cell) for cell in row) + " |" for row in rows]
        return "\n".join([lines[0], f"|{'|'.join(ends)}|", *lines[1:]])

    def latex(self, caption: str = "", digits: int = 3) -> str:
        r"""Return it as a LaTeX table with the rules of the package booktabs, over two columns if it is wide.

        >>> print(PrintedTable(("a", "b"), (("x & y", 0.5),)).latex("A caption."))
        \begin{table}[tp]
          \centering\footnotesize\setlength\tabcolsep{3pt}\setlength\belowcaptionskip{1ex}
          \caption{A caption.}
          \begin{tabular}{@{}lr@{}}
            \toprule
            a & b \\
            \midrule
            x \& y & $0.5$ \\
            \bottomrule
          \end{tabular}
        \end{table}
        """
        ends = "".join("r" if self._numeric(i) else "l" for i in range(len(self.head)))
        heads, letters = [], 0
        for i, name in enumerate(self.head):
            below = max([9, *(len(number(row[i], digits)) for row in self.rows)])
            heads.append(textwrap.wrap(name, below, break_long_words=False))
            letters += max([2, *map(len, heads[-1]), *(len(number(row[i], digits)) for row in self.rows)]) + 2
        kind = "table*" if letters > COLUMN else "table"
        size, gap = ("scriptsize", 2) if letters > 2 * COLUMN else ("footnotesize", 3)
        lines = [rf"\begin{{{kind}}}[tp]"]
        lines += [rf"  \centering\{size}\setlength\tabcolsep{{{gap}pt}}\setlength\belowcaptionskip{{1ex}}"]
        lines += [rf"  \caption{{{latex(caption)}}}"] if caption else []
        lines += [rf"  \begin{{tabular}}{{@{{}}{ends}@{{}}}}", r"    \toprule"]
        lines += [f"    {' & '.join(map(_head, heads))} \\\\", r"    \midrule"]
        lines += [f"    {' & '.join(_cell(value, digits) for value in row)} \\\\" for row in self.rows]
        return "\n".join([*lines, r"    \bottomrule", r"  \end{tabular}", rf"\end{{{kind}}}"])

    def _numeric(self, column: int) -> bool:
        kinds = [isinstance(row[column], (int, float)) for row in self.rows]
        return bool(kinds) and all(kinds)


def _head(lines: list[str]) -> str:
    """Return the name of a column, in several lines if it is longer than what stands below."""
    name = r"\\".join(map(latex, lines))
    return rf"\shortstack[l]{{{name}}}" if len(lines) > 1 else name


def _marked(text: str) -> str:
    return re.sub(r"([\\|*_`<>\[\]])", r"\\\1", " ".join(text.split()))


def _cell(value: Any, digits: int) -> str:
    if not isinstance(value, float) or not math.isfinite(value):
        return latex(number(value, digits))
    mantissa, _, power = number(value, digits).partition("e")
    return f"${mantissa}\\cdot10^{{{int(power)}}}$" if power else f"${mantissa}$"
