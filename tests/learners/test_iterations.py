"""Everything that iterates until something holds is listed here, with what ends it: solvers, and loops of our own."""

import ast
import time
import warnings
from collections import Counter
from pathlib import Path

import pytest

from learners import Simulation, create
from tests.code import nodes

ROOT = Path(__file__).parents[2]
FILES = sorted(path for top in ("datasets", "learners") for path in (ROOT / top).rglob("*.py"))

# solvers of libraries that iterate, and the argument that limits them
LIMITED = {
    "HistGradientBoostingClassifier": "max_iter",
    "LinearSVC": "max_iter",
    "LabelSpreading": "max_iter",
    "SelfTrainingClassifier": "max_iter",
    "randomized_svd": "n_iter",
    "svds": "maxiter",
}
# what else is called of these libraries: it takes a number of operations that follows from the size of its data
DIRECT = {
    "ArpackNoConvergence", "ConvergenceWarning", "DecisionTreeClassifier", "KNeighborsClassifier",
    "NearestNeighbors", "bdtr", "cho_solve",
    "config_context", "csc_array", "csr_array", "fetch_20newsgroups_vectorized", "fetch_openml", "fetch_rcv1",
    "stats",  # and brentq, which ends after 100 steps by itself
    "brentq",
    "load_breast_cancer", "load_digits", "load_svmlight_file", "load_wine", "solve", "solve_triangular", "vstack",
}  # fmt: skip
# loops that run while something holds: how many there are in a file, and what ends them
LOOPS = {
    "datasets/downloads/download.py": (1, "a process that is killed when its time is up"),
    "datasets/functions/text.py": (1, "takes a block each time"),
    "datasets/guard.py": (1, "goes along a traceback"),
    "datasets/least_squares.py": (1, "takes a column each time, whose distance is then 0"),
    "datasets/letor/archive.py": (1, "reads a file whose size is limited"),
    "datasets/letor/order.py": (1, "goes on in a list"),
    "datasets/letor/parse.py": (1, "takes a piece each time"),
    "datasets/letor/parts.py": (1, "shortens a name each time"),
    "datasets/letor/text.py": (1, "shortens a name each time"),
    "datasets/made/blobs.py": (1, "adds a centre each time"),
    "datasets/movies/movielens.py": (1, "reads an answer whose size is limited"),
    "datasets/own_code.py": (1, "goes along a traceback"),
    "datasets/tables/arff.py": (1, "goes on in a text"),
    "datasets/tables/encoding.py": (1, "takes a piece each time"),
    "datasets/tables/text_files.py": (2, "reads and counts a file whose size is limited"),
    "learners/adversary/adversary.py": (1, "yields to its caller"),
    "learners/boosting/cart.py": (3, "takes a node, goes down a level, or goes back in a list"),
    "learners/boosting/learning_to_rank/measures.py": (3, "goes on in a list"),
    "learners/boosting/refinement/front.py": (1, "halves t down to 1e-6"),
    "learners/check/report.py": (1, "takes a promise each time, in a process that is ended when its time is up"),
    "learners/classification/environment.py": (1, "takes steps"),
    "learners/classification/halving.py": (2, "goes on over the features"),
    "learners/classification/linear.py": (2, "goes on over the classes"),
    "learners/compiled/turns.py": (1, "waits for a process that compiles, or takes over from one that has died"),
    "learners/environment.py": (2, "takes steps, or adds a pass each time"),
    "learners/interleaving/crowd.py": (1, "takes the steps of a crowd"),
    "learners/moved.py": (1, "goes back in a list"),
    "learners/multilabel/kernel.py": (1, "takes steps"),
    "learners/multilabel/sets.py": (2, "goes on, or back, in a list"),
    "learners/ranking/fixed_list/duel.py": (1, "draws again what is refused, one in twenty at most"),
    "learners/ranking/from_clicks/pairwise_greedy.py": (2, "goes on in a list that holds every document"),
    "learners/ranking/interleave.py": (2, "goes on in a list that holds every document"),
    "learners/ranking/step/rankings.py": (1, "goes back in a list"),
    "learners/ranking/ranking_svm.py": (1, "adds a pair at least each time"),
    "learners/ranking/users/answers.py": (1, "goes back in a list"),
    "learners/ranking/measured/held_out.py": (1, "goes on in a list"),
    "learners/ranking/searches/stock.py": (1, "goes on in a list"),
    "learners/run/cost.py": (1, "takes steps"),
    "learners/run/past.py": (2, "takes steps, or drops a state each time"),
    "learners/run/pieces.py": (1, "goes on to the end of a work in pieces"),
    "learners/run/simulation.py": (2, "takes steps, or yields to its caller"),
    "learners/run/states.py": (1, "goes to the array that owns a view"),
    "learners/sweep/batch.py": (1, "takes steps"),
    "learners/sweep/cluster.py": (1, "waits for a cluster, until it is lost or the sweep is cancelled"),
    "learners/sweep/processes.py": (
        4,
        "waits for processes, until they are lost or the sweep is cancelled, or the server ends",
    ),
    "learners/vectors.py": (4, "halves a list, goes on or back in one, or doubles a width"),
}


def libraries(path):
    """Names that a file imports from libraries that have solvers, by the name under which it uses them."""
    return {
        alias.asname or alias.name: alias.name
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ("sklearn", "scipy")
        for alias in node.names
    }


def test_every_solver_of_a_library_has_a_limit_of_its_iterations():
    unlimited, unknown = [], set()
    for path in FILES:
        used = libraries(path)
        unknown |= set(used.values()) - LIMITED.keys() - DIRECT
        for node in nodes(path):
            solver = used.get(getattr(node.func, "id", "")) if isinstance(node, ast.Call) else None
            if solver in LIMITED:
                given = {word.arg: word.value for word in node.keywords}
                limit = given.get(LIMITED[solver])
                if limit is None or (isinstance(limit, ast.Constant) and limit.value is None):
                    unlimited.append(f"{path.relative_to(ROOT)}:{node.lineno} {solver}")
    assert not unlimited, "give them a limit"
    assert not unknown, "say in this file whether they iterate, and what limits them"


def test_every_loop_that_runs_while_something_holds_is_listed_with_what_ends_it():
    found = Counter()
    for path in FILES:
        found[path.relative_to(ROOT).as_posix()] += sum(isinstance(node, ast.While) for node in nodes(path))
    assert {name: number for name, number in found.items() if number} == {name: n for name, (n, _) in LOOPS.items()}


@pytest.mark.parametrize("learner", ["pairwise-svm", "ranking-svm"])
def test_a_solver_at_the_end_of_what_its_parameters_allow_ends_soon(learner):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for C in (1e-6, 1e4) if learner == "pairwise-svm" else (None,):
            made = create(learner) if C is None else create(learner, C=C)
            began = time.process_time()
            Simulation(made, "web-search").advance(steps=20 if C is None else 1)
            assert time.process_time() - began < 20
