"""Pages that hold nothing but the section."""

import time


def page():
    from datasets.spec import Spec
    from learners.spec import RunSpec
    from pages.ui.sweep import difference

    learners = Spec("banditron"), Spec("perceptron")
    data = Spec("synsep", (("examples", 1000),))
    difference._live(RunSpec(learners, data, replicates=1, steps=200), "test")


def alone():
    from datasets.spec import Spec
    from learners.spec import RunSpec
    from pages.ui.sweep import difference

    difference._live(RunSpec((Spec("banditron"),), Spec("synsep"), steps=200), "test")


def wait(page, seconds=60):
    """Run a page again until its job has ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and any(button.label == "Stop" for button in page.button):
        time.sleep(0.3)
        page.run()
