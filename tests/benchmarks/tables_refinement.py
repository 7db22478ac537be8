"""The measured tables of ranking refinement: python -m tests.benchmarks.tables_refinement [web] [linear] [noise]
[sample] [movies] [readings] [first]

Without a name all of them, in about fifteen minutes. Mean ± standard error over the queries; 50 rounds. `full` is the
gain in NDCG of the whole list over the base ranker, `left` that of the documents nobody judged. The sample is
LightGBM's ranking example, looked for in ../shared/data or in the folder FEEDBACK_LAB_DATA. MovieLens 100K is looked
for in that folder as ml-100k.zip.
"""

import sys

import numpy as np

import learners.boosting.refinement.pairs as pairs
from datasets import data_folder, load, read_letor
from learners import Simulation, create, create_user
from tests.conftest import ROOT

ROUNDS, QUERIES = 50, 200
PUBLISHED = (0.1, 1.0, 10.0)  # [V] tries 100 values from 0.1 to 10
SMALL = (0.001, 0.01)
METHODS = (
    ("base ranker", "base-ranker", {}),
    ("judged first", "judged-first", {}),
    ("Rocchio", "rocchio", {}),
    ("SVM", "feedback-svm", {}),
    ("product", "ranking-refinement", {}),
    ("product, η = 0", "ranking-refinement", {"eta": 0.0}),
)


def mean(values):
    """Mean and standard error over the replicates."""
    return f"{values.mean():+.3f} ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}"


def gains(data, user, id, **params):
    """(2, R) gain of the whole list and of the unjudged documents."""
    sim = Simulation(create(id, **params), data, user, replicates=QUERIES, seed=0)
    sim.advance(steps=ROUNDS if id == "ranking-refinement" else 1)
    return np.stack([sim.history[m][-1] for m in ("gain", "gain-unjudged")])


def compare(data, user, least=1.0):
    """One line a method; the sums are given as best and worst of the dissertation's γ, and the best of all."""
    for title, id, params in METHODS:
        more = {"least": least} if id in ("rocchio", "judged-first") else {}
        full, left = gains(data, user, id, **params, **more)
        print(f"| {title} | {mean(full)} | {mean(left)} |", flush=True)
    found = {g: gains(data, user, "ranking-refinement", combine="sum", gamma=g) for g in (*SMALL, *PUBLISHED)}
    falling = sorted(found, key=lambda g: -found[g][0].mean())
    published = [g for g in falling if g in PUBLISHED]
    for title, g in (("best", published[0]), ("worst", published[-1]), ("best of all γ", falling[0])):
        full, left = found[g]
        print(f"| sum, {title}: γ = {g:g} | {mean(full)} | {mean(left)} |", flush=True)


def _worlds(data, bases=("best", "medium", "worst"), numbers=(5, 10, 20)):
    for base in bases:
        for judged in numbers:
            user = create_user("judge", base=base, judged=judged)
            sim = Simulation("base-ranker", data, user, replicates=QUERIES, seed=0)
            sim.advance(steps=1)
            print(
                f"\n{base} base ranker ({sim.environment.base_name}, NDCG {sim.history['ndcg'][-1].mean():.3f}), "
                f"{judged} judged"
            )
            print("| method | full | left |")
            compare(data, user)


def web():
    """Nonlinear synthetic web search, 200 queries × 100 documents × 46 features, three base rankers, 5, 10 and 20
    judged."""
    _worlds(load("web-search", queries=QUERIES, documents=100, features=46, relevance="nonlinear"))


def linear():
    """The same with a linear model, 20 judged; and, for the best base ranker, with the variances 1/i² of the
    features."""
    for spectrum, bases in (("isotropic", ("best", "medium", "worst")), ("ill-conditioned", ("best",))):
        print(f"\n{spectrum}")
        data = load("web-search", queries=QUERIES, documents=100, features=46, spectrum=spectrum)
        _worlds(data, bases, numbers=(20,))


def noise():
    """Nonlinear web search, best base ranker, 20 judged, of which a share is replaced by a random grade."""
    data = load("web-search", queries=QUERIES, documents=100, features=46, relevance="nonlinear")
    for share in (0.1, 0.2, 0.4):
        print(f"\nnoise {share}\n| method | full | left |")
        compare(data, create_user("judge", noise=share))


def sample():
    """LightGBM's ranking example: real features and grades, 201 queries."""
    folder = ROOT.parent / "shared" / "data" / "lightgbm_lambdarank"
    folder = folder if folder.is_dir() else data_folder()
    if folder is None:
        print("the sample is not here; set FEEDBACK_LAB_DATA to the folder that holds rank.train.gz")
        return
    _worlds(read_letor(folder / "rank.train.gz"), numbers=(5, 10))


def movies():
    """Ratings, base ranker Personality Diagnosis, 5 to 20 movies rated at random: synthetic, and MovieLens 100K if it
    is at hand."""
    sets = {"synthetic ratings": load("rated-movies")}
    folder = data_folder()
    if folder and (folder / "ml-100k.zip").is_file():
        sets["MovieLens 100K"] = load("rated-movies-file", path=str(folder / "ml-100k.zip"))
    for title, data in sets.items():
        for judged in (5, 10, 20):
            print(f"\n{title}, {judged} rated\n| method | full | left |")
            compare(data, create_user("rater", judged=judged), least=3.0)


def readings():
    """T elsewhere than on the judged pairs: 0 (ours), η/2 on all pairs of judged documents, η/2 on all pairs (as
    printed)."""
    data = load("web-search", queries=QUERIES, documents=100, features=46, relevance="nonlinear")
    ours = pairs.Pairs.__init__

    def among(self, problem, eta=0.5, scale=1.0):
        ours(self, problem, eta, scale)
        self.T = np.where(self.T > 0, self.T, eta / 2)
        self.start = self.start[0], float(self.T.sum())

    def printed(self, problem, eta=0.5, scale=1.0):
        among(self, problem, eta, scale)
        n = len(problem.base)
        whole = np.full((n, n), eta / 2)
        whole[np.ix_(problem.judged, problem.judged)] = self.T
        self.T, self.judged = whole, np.arange(n)
        self.start = self.start[0], float(whole.sum())

    print("| T | full | left |")
    for title, reading in (("0 elsewhere", ours), ("η/2 among the judged", among), ("η/2 everywhere", printed)):
        pairs.Pairs.__init__ = reading
        try:
            full, left = gains(data, create_user("judge"), "ranking-refinement")
        finally:
            pairs.Pairs.__init__ = ours
        print(f"| {title} | {mean(full)} | {mean(left)} |", flush=True)


def first_rounds(data, judged=10):
    """How many first rounds of the product leave L_p above its start times exp(−η), against Theorem 10, and how many
    there are."""
    user = create_user("judge", judged=judged)
    sim = Simulation("ranking-refinement", data, user, replicates=data.queries, seed=0)
    sim.advance(steps=1)
    found = [
        done.values["objective"] > np.prod(learner.pairs.start) * np.exp(-done.details["eta"])
        for done, learner in zip(sim.last.rounds, sim.environment.learners, strict=True)
        if not done.stopped
    ]
    return sum(found), len(found)


def first():
    """Theorem 10 in the first round, for 200 queries each of small and large, linear and nonlinear synthetic web
    search."""
    print("| documents | relevance | judged | rounds that contradict it | rounds |\n|---|---|---|---|---|")
    total = np.zeros(2, dtype=int)
    for documents in (20, 60, 100):
        for relevance in ("linear", "nonlinear"):
            data = load("web-search", queries=QUERIES, documents=documents, relevance=relevance)
            for judged in (5, 10, 20):
                found = first_rounds(data, judged)
                total += found
                print(f"| {documents} | {relevance} | {judged} | {found[0]} | {found[1]} |", flush=True)
    print(f"| all | | | {total[0]:,} | {total[1]:,} |")


TABLES = {f.__name__: f for f in (web, linear, noise, sample, movies, readings, first)}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or TABLES:
        print(f"\n{chosen}: {TABLES[chosen].__doc__}")
        TABLES[chosen]()
