"""Records bandits of River (`pip install river`): `python -m tests.examples.river_bandit river.flab`."""

import random
import sys

from pages.ui.library.public import Recorder

CHANCES = (0.2, 0.35, 0.5, 0.65)  # of a reward, by arm; River does not see them


def recorded(steps: int = 1000) -> Recorder:
    """Let two policies play the same machine."""
    from river import bandit  # which only this needs

    policies = {"ε-greedy": bandit.EpsilonGreedy(epsilon=0.1, seed=1), "UCB": bandit.UCB(delta=1, seed=1)}
    recorder = Recorder(
        "Two bandits of River", list(policies),
        {"regret": "Cumulative regret", "best": "Share of steps with the best arm"},
        words=f"Four arms with rewards of {', '.join(map(str, CHANCES))}, {steps:,} steps.", link="https://riverml.xyz",
    )  # fmt: skip
    for name, policy in policies.items():
        coin, regret, best = random.Random(0), 0.0, 0
        for t in range(1, steps + 1):
            arm = policy.pull(range(len(CHANCES)))
            policy.update(arm, float(coin.random() < CHANCES[arm]))
            regret += max(CHANCES) - CHANCES[arm]
            best += CHANCES[arm] == max(CHANCES)
            recorder.step(name, regret=regret, best=best / t)
            if CHANCES[arm] == max(CHANCES) and best == 1:
                recorder.mark("the best arm is pulled for the first time", name, "star", "first")
    return recorder


if __name__ == "__main__":
    recorded().write(sys.argv[1])
