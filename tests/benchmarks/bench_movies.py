"""Movies at the shape of MovieLens 1M: python -m tests.benchmarks.bench_movies

3,900 movies, 6,040 users, of whom 3,020 are simulated as replicates, a block of them at a time, 500 steps each, by the
preference perceptron. Asked: under two minutes on two cores ([C] §6.2.5 tells of 125 seconds for one user).
"""

import argparse
import resource
import time

import numpy as np

from datasets import load
from learners import Simulation, create, create_user


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--user", default="item-alpha")
    parser.add_argument("--learner", default="preference-perceptron")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--block", type=int, default=151, help="users who are simulated side by side")
    parser.add_argument("--users", type=int, default=6040)
    given = parser.parse_args()
    began = time.perf_counter()
    data = load("movies", users=given.users, movies=3900, ratings=166)
    built = time.perf_counter()
    print(f"{data.tasks} users, {data.longest} movies × {data.dimension} features, made in {built - began:.1f} s")
    regret, cpu = [], time.process_time()
    for a in range(0, data.tasks, given.block):
        some = data.only(slice(a, a + given.block))
        sim = Simulation(create(given.learner), some, create_user(given.user), replicates=some.tasks, seed=a)
        sim.advance(steps=given.steps)
        regret.append(sim.history["average-regret"])
    took = time.perf_counter() - built
    curve = np.concatenate(regret, axis=1)
    cpu = time.process_time() - cpu
    print(f"{given.learner}, {given.user}: {given.steps} steps of {data.tasks} users in {took:.1f} s, {cpu:.1f} s CPU")
    print(f"a step and user: {1e6 * took / given.steps / data.tasks:.1f} µs")
    for t in (1, 10, 50, 100, 200, given.steps):
        if t <= len(curve):
            error = curve[t - 1].std() / np.sqrt(curve.shape[1])
            print(f"average regret after {t:4d} steps {curve[t - 1].mean():.3f} ± {error:.3f}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
