"""Records a run of Vowpal Wabbit (`pip install vowpalwabbit`): `python -m tests.examples.vowpal_wabbit vw.flab`.

Its wheels are for Python 3.11, 3.12 and 3.13 alike (9.11).
"""

import sys

import datasets
from pages.ui.library.public import Recorder


def recorded(steps: int = 1500) -> Recorder:
    """Let a linear classifier with one weight vector a class learn digits, and one that explores by ε-greedy."""
    import vowpalwabbit  # which only this needs

    data = datasets.load("digits")
    kinds = {
        "told the class": f"--oaa {data.classes} --quiet",
        "told right or wrong": f"--cbify {data.classes} --quiet",
    }
    recorder = Recorder(
        "Vowpal Wabbit learns digits", list(kinds), {"error": "Error rate so far"},
        words=f"One pass over {steps:,} handwritten digits.", link="https://vowpalwabbit.org",
    )  # fmt: skip
    for name, arguments in kinds.items():
        learner, wrong = vowpalwabbit.Workspace(arguments), 0
        for t in range(1, steps + 1):
            row = t % len(data.labels)
            label = int(data.labels[row]) + 1
            pixels = " ".join(f"p{i}:{value:.3g}" for i, value in enumerate(data.features[row]) if value)
            example = learner.parse(f"{label} | {pixels}")
            learner.learn(example)
            wrong += example.get_multiclass_prediction() != label  # made before it learned
            learner.finish_example(example)
            recorder.step(name, error=wrong / t)
        learner.finish()
    return recorder


if __name__ == "__main__":
    recorded().write(sys.argv[1])
