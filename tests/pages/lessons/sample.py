"""A small lesson with a card of every kind, and how to change one thing in it."""

SAMPLE = '''
title = "A perceptron and a noisy user"
number = 90
minutes = 5
level = "first steps"
lead = "Ten documents, and a user who **errs**."
papers = ["S"]
lab = "stability"
settings = { feedback-1 = "swap", replicates = 1, window = 1, steps = 200, charts = "rank-of-best,average-regret" }

[[cards]]
id = "meet"
title = "Meet the user"
text = """
Ten documents are ranked and shown to a user. One of them is good. The user looks from the top to the bottom and
misjudges one document in five. Press Play & watch the *rank* of the good document, which is $1$ at best."""
point = "chart:rank-of-best"
play = { to = 57, speed = "25" }
done = "reached"

[[cards.facts]]
metric = "rank-of-best-predicted"
learner = 1
t = 20
replicate = 1
is = 10

[[cards.facts]]
event = "best-lost"
learner = 1
replicate = 1
t = 20

[[cards]]
id = "guess"
title = "How often?"
text = """
The learner believes every click. In this run of two hundred steps it will lose the good document and find it
again. Before you see the run, say how often you expect it to lose the good document in all of the steps."""
t = 0
play = {}

[cards.ask]
kind = "number"
question = "How often does it flip in 200 steps?"
low = 0
high = 50
step = 1
unit = "flips"
truth = { metric = "flips", learner = 1, t = 200, replicate = 1 }
after = "It flips again and again, since **one** wrong click is enough."

[[cards]]
id = "why"
title = "Which learner stays calm?"
text = """
Two learners see the same queries and the same noise. The first moves what was clicked up. The second swaps some
neighbours before it shows the ranking, so that it learns only from comparisons that are fair to both documents."""

[cards.ask]
kind = "choice"
question = "Which of them keeps the good document?"
options = ["the first", "the second", "neither"]
right = 1
after = "The second does."
wrong = { 0 = "It is tempting, since it moves fast." }

[[cards]]
id = "noise"
title = "Change the noise"
text = """
The noise is the share of documents that the user misjudges. With no noise at all every click is right. Move the
slider to zero and play the run once more. Then move it up and see from where on the learner cannot cope any more."""
settings = { noise = 0.1 }
controls = ["noise"]
point = "setting:noise"
done = "changed:noise"

[[cards]]
id = "yourself"
title = "Be the user"
text = """
Now you are the user. You look for the digit three among handwritten digits. Go through the list from the top and
click what you would open. The learner sees your clicks and nothing else. Then a thousand simulated searches follow."""
settings = { dataset = "digits-search", topic = "3", user = "scan", noise = 0.2, charts = "ndcg,weight-maps" }
done = "clicked"
hand = { queries = 2, then = 50 }

[[next]]
text = "More noise"
page = "stability"
settings = { noise = 0.4 }

[[next]]
text = "Honest feedback"
page = "coactive"
'''


def changed(*pairs):
    """Return the sample with texts replaced, each exactly once."""
    text = SAMPLE
    for old, new in pairs:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return text
