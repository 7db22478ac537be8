"""Two series on logs of clicks: estimates of what another ranking would earn, and rankings that are learned.

An old ranking of ten documents was shown, with neighbours exchanged as 3PR does and now and then in a random order.
People look at place k with chance 1/k, and click what they look at by its relevance.
"""

import numpy as np

from datasets.parameters import Parameter
from learners.base import Array
from learners.off_policy import learn
from learners.off_policy.log import Log, Policy, counts, make_log
from learners.off_policy.value import Z, weights
from learners.random import Seeds, Stream
from pages.ui.lessons.series import CardSeries, SeriesLine
from pages.ui.race.world import SEED

LOGS = 50  # replicates
RELEVANCE = np.array([0.9, 0.7, 0.6, 0.5, 0.4, 0.35, 0.3, 0.2, 0.15, 0.1])
OLD = np.array([4, 1, 7, 2, 9, 3, 0, 6, 8, 5])  # a ranking that has the best document at place 7
GOOD = np.array([2, 0, 1, 4, 3, 6, 5, 8, 7, 9])  # one that is nearly right
BEST = np.arange(10)
LOOKS = 1 / np.arange(1.0, 11)
TIMES = 60  # at which rankings are learned anew
EPSILON = Parameter("epsilon", "real", 0.1, 0.02, 1.0, step=0.02, help="How often a random order was shown.")
INTERACTIONS = Parameter("interactions", "integer", 2000, 100, 2000, step=100, help="Length of each log.")
BOUND = Parameter(
    "bound", "real", 1.5, 1.0, 5.0, step=0.25,
    help="How far the safe ranking may move a document: its discount times or divided by at most this.",
)  # fmt: skip


def clicks_of(ranking: Array) -> Array:
    """Return the expected clicks on rankings (…, n)."""
    found: Array = (LOOKS * RELEVANCE[ranking]).sum(axis=-1)
    return found


def logged(ranking: Array, stream: Stream, epsilon: float, interactions: int) -> tuple[Log, Array]:
    """Return a log of a ranking for each replicate, and the chances (n, n) of its policy."""
    policy = Policy(ranking, epsilon)
    return make_log(policy, RELEVANCE, LOOKS, interactions, stream), policy.chances()


def estimates(epsilon: float, interactions: int, seed: int) -> list[SeriesLine]:
    """Return estimates of the clicks on the best ranking from the first t interactions, and their intervals."""
    before, now = Seeds(seed, LOGS).spawn(2)
    log, chances = logged(OLD, now, epsilon, interactions)
    shown, clicked = counts(logged(OLD, before, epsilon, interactions)[0])  # an earlier log, for the model
    model = ((clicked.sum(axis=2) + 0.5) / (shown @ LOOKS + 1))[:, :, None] * LOOKS
    target = np.eye(len(BEST))
    w, places = weights(log, target, chances), np.arange(len(BEST))
    expected = model[np.arange(LOGS)[:, None, None], log.shown, places]
    robust = (w * (log.clicks - expected)).sum(axis=2) + (target * model).sum(axis=(1, 2))[:, None]
    truth = float(clicks_of(BEST))
    each = {
        "clicks as they are": log.clicks.sum(axis=2), "inverse propensity": (w * log.clicks).sum(axis=2),
        "doubly robust": robust,
    }  # fmt: skip
    lines = [SeriesLine(name, _running(values.astype(float), truth)) for name, values in each.items()]
    return [*lines, SeriesLine("truth", {"value": np.full((interactions, 1), truth)})]


def _running(each: Array, truth: float) -> dict[str, Array]:
    """Return the mean of the first t values of each log (R, N), the width of its interval, and whether it is right.

    The interval is ± 1.96 s/√N, which the lesson doubts; `value.Estimate` has one that holds where clicks are rare.
    """
    n = np.arange(1.0, each.shape[1] + 1)
    mean = each.cumsum(axis=1) / n
    variance = np.maximum((each**2).cumsum(axis=1) / n - mean**2, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        half = Z * np.sqrt(variance / (n - 1))
    inside = np.where(np.isfinite(half), np.abs(mean - truth) <= half, np.nan)
    return {"value": mean.T, "width": np.where(np.isfinite(half), 2 * half, np.nan).T, "coverage": inside.T}


def learned(epsilon: float, bound: float, interactions: int, seed: int) -> list[SeriesLine]:
    """Return the clicks on rankings that are learned from the first t interactions."""
    log, chances = logged(GOOD, Seeds(seed, LOGS).spawn(1)[0], epsilon, interactions)
    times = np.unique(np.geomspace(1, interactions, TIMES).round().astype(int))
    found: dict[str, list[Array]] = {"clicks as they are": [], "inverse propensity": [], "safe (PRPO)": []}
    for t in times:
        part = Log(*(values[:, :t] for values in log))
        relevance = learn.relevance_by_ips(part, chances, LOOKS)
        rankings = learn.naive(part), learn.by_falling(relevance), learn.safe(relevance, GOOD, LOOKS, bound)
        for earned, ranking in zip(found.values(), rankings, strict=True):
            earned.append(clicks_of(ranking))
    held = np.searchsorted(times, np.arange(1, interactions + 1), side="right") - 1
    old = float(clicks_of(GOOD))
    lines = []
    for name, several in found.items():
        clicks = np.array(several)[held]  # (T, R)
        below = (clicks < old - 1e-9).astype(float)
        lines.append(SeriesLine(name, {"clicks": clicks, "worst": clicks.min(axis=1, keepdims=True), "below": below}))
    flat = np.full((interactions, 1), old)
    return [*lines, SeriesLine("old ranking", {"clicks": flat, "worst": flat})]


_LINK = ("stability", {"mode": "log"})
SERIES = (
    CardSeries(
        "logged-estimates",
        "What would another ranking earn?",
        f"{LOGS} logs of one old ranking. Each point uses the log up to there.",
        (("Random orders", EPSILON), ("Interactions", INTERACTIONS), ("Seed", SEED)),
        {
            "value": "Estimated clicks on the new ranking",
            "width": "Width of the 95 % interval",
            "coverage": "Share of logs whose interval holds the truth",
        },
        estimates,
        *_LINK,
        unit="interaction",
    ),
    CardSeries(
        "logged-rankings",
        "Learning a ranking from a log",
        f"{LOGS} logs of one old ranking. Each ranking is learned from the log up to there, and never shown before.",
        (("Random orders", EPSILON), ("Limit", BOUND), ("Interactions", INTERACTIONS), ("Seed", SEED)),
        {
            "clicks": "Clicks on the learned ranking",
            "worst": "Clicks on the worst of all learned rankings",
            "below": "Share of logs that make it worse than the old ranking",
        },
        learned,
        *_LINK,
        unit="interaction",
        ranges={"clicks": (1.45, 1.85), "worst": (1.0, 1.85), "below": (0.0, 1.0)},
    ),
)
