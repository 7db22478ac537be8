"""Print the metrics of each family, and the works that are cited, by `python -m learners`; with a command, run it.

The commands `sweep`, `compare` and `merge` stand in `learners/command.py`.
"""

import sys

from learners.catalogue import families, works
from learners.metric import Metric


def listed(metrics: tuple[Metric, ...]) -> str:
    """Return the ids as Markdown, with series such as ndcg@1 … ndcg@10 abbreviated.

    >>> listed(tuple(Metric(f"ndcg@{k}", "N", "N.") for k in (5, 1, 2, 3, 4)) + (Metric("map", "M", "M."),))
    '`map`, `ndcg@1` … `ndcg@5`'
    """
    single = [m.id for m in metrics if "@" not in m.id]
    runs: dict[tuple[str, str], list[int]] = {}
    for metric in metrics:
        if "@" in metric.id:
            name, _, rest = metric.id.partition("@")
            number, dash, suffix = rest.partition("-")
            runs.setdefault((name, dash + suffix), []).append(int(number))
    words = [f"`{id}`" for id in single]
    for (name, suffix), numbers in runs.items():
        ends = sorted({min(numbers), max(numbers)})
        words.append(" … ".join(f"`{name}@{k}{suffix}`" for k in ends))
    return ", ".join(words)


def table() -> str:
    """Return a Markdown table of what is measured of each family."""
    rows = []
    for family in families().values():
        steps = tuple(m for m in family.metrics if m.per_step)
        state = tuple(m for m in family.metrics if not m.per_step)
        rows.append(f"| {family.id} | {listed(steps) or '–'} | {listed(state)} |")
    return "\n".join(["| family | of a single step | of the run so far |", "|---|---|---|", *rows])


def bibliography() -> str:
    """Return all works that learners and users cite as a Markdown list, each with its short name.

    >>> bibliography().splitlines()[2]
    '- Kakade, Shalev-Shwartz & Tewari. Efficient Bandit Algorithms for Online Multiclass Prediction. ICML 2008. [B]'
    """
    return "\n".join(f"- {work} [{tag}]" for tag, work in works().items())


if __name__ == "__main__":
    if sys.argv[1:]:
        from learners.command import main

        sys.exit(main(sys.argv[1:]))
    print(table(), bibliography(), sep="\n\n")
