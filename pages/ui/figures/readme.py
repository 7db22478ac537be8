"""The README's tables of what came out: `python -m pages.ui.figures.readme` writes them from the results."""

from collections import Counter
from pathlib import Path

from learners.wording import listed
from pages.ui.counting import counted
from pages.ui.figures import paper_size
from pages.ui.figures.catalogue import figures
from pages.ui.figures.causes.ablation import CAUSES
from pages.ui.figures.figure import SHEETS
from pages.ui.figures.statement import OURS, VERDICTS
from pages.ui.figures.view import cards

README = Path(__file__).parents[3] / "README.md"
BEGIN, END = "<!-- figures: made by python -m pages.ui.figures.readme -->", "<!-- end of figures -->"
MARK = "†"  # of a verdict of a figure in which something was chosen after looking
# the statements that the README tells: the id of a figure, and the number of the statement from 0
TOLD = (
    ("C-fig7", 1), ("C-fig13", 1), ("S-4.2", 0), ("S-fig1", 0), ("S-fig4", 1), ("G-thm2", 0),
    ("V-fig2.1", 1), ("V-fig3.1", 5),
)  # fmt: skip


def counts() -> str:
    """Return a table of the figures, statements and verdicts of each paper. Our own expectations have a row."""
    lines = ["| paper | figures | panels | statements | " + " | ".join(VERDICTS[:3]) + " |", "|---|" + "---|" * 6]
    totals: Counter[str] = Counter()
    ours: Counter[str] = Counter()
    for paper in SHEETS:
        mine = [figure for figure in figures().values() if figure.paper == paper]
        found: Counter[str] = Counter(figures=len(mine), panels=sum(len(f.panels) for f in mine))
        for figure in mine:
            verdicts = cards.find(figure).verdicts
            for statement, verdict in zip(figure.statements, verdicts, strict=True):
                counted = ours if statement.said == OURS else found
                counted.update(("statements", verdict))
        totals += found
        lines.append(_row(f"[{paper}]", found))
    return "\n".join([*lines, _row("what we expected", ours), _row("all", totals + ours)])


def _row(name: str, found: Counter[str]) -> str:
    columns = ("figures", "panels", "statements", *VERDICTS[:3])
    return f"| {name} | " + " | ".join(str(found[column]) for column in columns) + " |"


def told() -> str:
    """Return a table of what some figures print, and what came out, with a mark where something was chosen later."""
    lines = ["| where | printed | here | verdict |", "|---|---|---|---|"]
    for id, number in TOLD:
        figure = figures()[id]
        statement, card = figure.statements[number], cards.find(figure)
        here = card.judged[number].here if card.judged else "not computed"
        verdict = card.verdicts[number] + f" {MARK}" * bool(figure.chosen)
        cells = (f"[{figure.paper}] {statement.where or figure.where}", statement.printed, here, verdict)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    note = f"{MARK} Something here, such as a rule or a setting, was chosen after looking; the figure’s page says what."
    return "\n".join([*lines, "", note])


def at_papers_size() -> str:
    """Return in sentences how many figures were run at the paper's size, and which verdicts that changed."""
    found = [cards.find(figure) for figure in figures().values()]
    more = sum(bool(paper_size.figure_of(one.figure).panels) for one in found)
    decided = [(one.figure, judged) for one in found for judged in one.judged if judged.paper]
    changed = [f"[{f.paper}] {f.where} ({j.page}, now {j.verdict})" for f, j in decided if j.page != j.verdict]
    run = sum(one.complete for one in found)
    part = sum(one.larger is not None for one in found) - run
    said = ": ".join([f"changes {counted(len(changed), 'verdict')}", *[listed(changed)] * bool(changed)])
    rest = f", {part} more with a part of the data seeds" * bool(part)
    return (
        f"The papers ran more than the page for {more} figures. {run} of these were run at the paper’s size too{rest}. "
        f"That decides {counted(len(decided), 'statement')} and {said}."
    )


def causes() -> str:
    """Return a table of the causes of what differs or agrees in part, by what was tried."""
    found = cards.causes_of([cards.find(figure) for figure in figures().values()])
    head = f"Why {found.total()} of them differ or agree in part, by what was tried (each figure’s page says what):"
    return "\n".join([head, "", f"| {' | '.join(CAUSES)} |", "|" + "---|" * len(CAUSES),
                      f"| {' | '.join(str(found[cause]) for cause in CAUSES)} |"])  # fmt: skip


def section() -> str:
    """Return what stands between the two marks of the README."""
    return f"{BEGIN}\n\n{counts()}\n\n{at_papers_size()} {causes()}\n\n{told()}\n\n{END}"


def write(file: Path = README) -> None:
    """Put the tables of the present results into the README."""
    text = file.read_text("utf-8")
    before, rest = text.split(BEGIN, 1)
    file.write_text(before + section() + rest.split(END, 1)[1], "utf-8")


if __name__ == "__main__":
    write()
