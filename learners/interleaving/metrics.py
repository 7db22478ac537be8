"""What is measured of a comparison by interleaving, beside the metrics of the learner itself."""

from __future__ import annotations

from learners.metric import SHARE, Metric

WINS = Metric(
    "wins", "Comparisons won so far", "Of the searches that compare; the others are losses and ties.", better="higher"
)
LOSSES = Metric("losses", "Comparisons lost so far", "Searches that the fixed ranker won.", better="lower", drawn=False)
TIES = Metric("ties", "Ties so far", "Searches that neither ranker won.", drawn=False)
WIN_SHARE = Metric(
    "win-share", "Share of comparisons won",
    "Wins over wins and losses against the fixed ranker so far; ties are left out. Above ½ the users prefer the "
    "learner's documents.",
    "0 to 1", better="higher", limits=SHARE,
)  # fmt: skip
WIN_SHARE_LOW = Metric("win-share-low", "Share won, lower limit", "Of the 95 % interval.", "0 to 1", drawn=False)
WIN_SHARE_HIGH = Metric("win-share-high", "Share won, upper limit", "Of the 95 % interval.", "0 to 1", drawn=False)
WIN_RATIO = Metric("win-ratio", "Wins to losses", "As in Raman et al. 2013, Fig. 1.", better="higher", drawn=False)
WIN_RATIO_LOW = Metric("win-ratio-low", "Wins to losses, lower limit", "Of the 95 % interval.", drawn=False)
WIN_RATIO_HIGH = Metric("win-ratio-high", "Wins to losses, upper limit", "Of the 95 % interval.", drawn=False)
P_VALUE = Metric(
    "p-value", "p-value of the sign test",
    "How likely so uneven a split would be between equal rankers, for each replicate by itself. Whoever looks after "
    "every step and stops at the first small value will often be wrong.",
    log=True,
)  # fmt: skip
TOP10_SHARED = Metric(
    "top10-shared", "Documents shared by both top tens",
    "How alike the learner's ranking and the fixed one are. Moving average over "
    "steps.", per_step=True, limits=(0.0, 10.4),
)  # fmt: skip
ADVANTAGE = Metric(
    "advantage", "True advantage over the fixed ranker",
    "Mean over the comparisons so far of the learner's utility minus the fixed ranker's, by the true weights. The "
    "clicks only hint at it.",
    better="higher",
)  # fmt: skip

METRICS = (
    WIN_SHARE, P_VALUE, WINS, TOP10_SHARED, ADVANTAGE, LOSSES, TIES, WIN_SHARE_LOW, WIN_SHARE_HIGH, WIN_RATIO,
    WIN_RATIO_LOW, WIN_RATIO_HIGH,
)  # fmt: skip
