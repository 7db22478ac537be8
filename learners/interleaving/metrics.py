"""The metrics of a comparison by interleaving, in addition to those of the learner."""

from learners.metric import SHARE, Metric

WINS = Metric(
    "wins",
    "Comparisons won so far",
    "Number of comparisons that the learner won. The rest are losses and ties.",
    stepwise=True,
    better="higher",
)
LOSSES = Metric(
    "losses", "Comparisons lost so far", "Number of comparisons that the fixed ranker won.", better="lower", drawn=False
)
TIES = Metric("ties", "Ties so far", "Number of comparisons that neither ranker won.", drawn=False)
WIN_SHARE = Metric(
    "win-share", "Share of comparisons won",
    "Wins against the fixed ranker divided by wins and losses so far, without ties. Above ½ the users prefer the "
    "documents of the learner.",
    "0 to 1", better="higher", limits=SHARE, reference=(0.5, "no difference"),
)  # fmt: skip
WIN_SHARE_LOW = Metric(
    "win-share-low", "Share won, lower limit", "Lower end of the 95 % interval.", "0 to 1", drawn=False
)
WIN_SHARE_HIGH = Metric(
    "win-share-high", "Share won, upper limit", "Upper end of the 95 % interval.", "0 to 1", drawn=False
)
WIN_RATIO = Metric(
    "win-ratio",
    "Wins to losses",
    "Wins divided by losses, as in Raman et al. 2013, Fig. 1.",
    better="higher",
    drawn=False,
)
WIN_RATIO_LOW = Metric("win-ratio-low", "Wins to losses, lower limit", "Lower end of the 95 % interval.", drawn=False)
WIN_RATIO_HIGH = Metric("win-ratio-high", "Wins to losses, upper limit", "Upper end of the 95 % interval.", drawn=False)
P_VALUE = Metric(
    "p-value", "p-value of the sign test",
    "Probability of a split at least as uneven if the rankers were equal, for each replicate by itself. Checking it "
    "after every step and stopping at the first small value often gives a false result.",
    log=True,
)  # fmt: skip
TOP10_SHARED = Metric(
    "top10-shared", "Documents in both top tens",
    "Similarity of the learner's ranking to the fixed one.",
    per_step=True, stepwise=True, limits=(0.0, 10.4),
)  # fmt: skip
ADVANTAGE = Metric(
    "advantage", "True advantage over the fixed ranker",
    "Utility of the learner's ranking minus that of the fixed ranker by the true weights, averaged over the "
    "comparisons so far. Clicks only hint at it.",
    better="higher",
)  # fmt: skip

METRICS = (
    WIN_SHARE, P_VALUE, WINS, TOP10_SHARED, ADVANTAGE, LOSSES, TIES, WIN_SHARE_LOW, WIN_SHARE_HIGH, WIN_RATIO,
    WIN_RATIO_LOW, WIN_RATIO_HIGH,
)  # fmt: skip
