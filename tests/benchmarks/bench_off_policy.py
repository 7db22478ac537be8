"""Coverage of 95 % intervals over 1000 logs, and how often what is learned falls below the logging policy.

python -m tests.benchmarks.bench_off_policy
"""

import numpy as np

from learners.off_policy import value
from learners.off_policy.propensity import by_em
from tests.learners.test_off_policy import LOGGING, TARGET, TRUTH, gains, logs


def coverage(interactions: int) -> None:
    """Print the coverage, and the mean width of the intervals."""
    P, P0 = TARGET.chances(), LOGGING.chances()
    log = logs(interactions, replicates=1000)
    first, second = value.halves(log)
    theta, r = by_em(first)
    estimates = {
        "IPS": value.ips(log, P, P0), "SNIPS": value.snips(log, P, P0),
        "DR (half)": value.doubly_robust(second, P, P0, theta[:, None, :] * r[:, :, None]),
    }  # fmt: skip
    for name, found in estimates.items():
        inside = ((found.low <= TRUTH) & (found.high >= TRUTH)).mean()
        width = (found.high - found.low).mean()
        print(f"{interactions:6} interactions  {name:9}  coverage {inside:.3f}  width {width:.3f}")


if __name__ == "__main__":
    for interactions in (100, 400, 2000):
        coverage(interactions)
    for interactions in (20, 50, 100, 300, 1000, 5000):
        for name, gain in gains(interactions).items():
            print(
                f"{interactions:6} interactions  {name:13}  below {np.sum(gain < 0):3} of 100  mean {gain.mean():+.4f}"
                f"  least {gain.min():+.4f}"
            )
