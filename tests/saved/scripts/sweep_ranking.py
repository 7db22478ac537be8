"""A sweep of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there."""

import datasets
from learners import create, create_user, sweep

setup = {
    "learner": create('perturbed-perceptron', swap_probability=0.5, dynamic=False, delta=0.0),
    "dataset": datasets.create('toy-ranking', documents=10, initial_weights=(1.0, -1.0)),
    "user": create_user('cascade', noise=0.2, relevant_from=1),
}

if __name__ == "__main__":  # worker processes read this file too
    table = sweep(
        setup,
        over={'swap_probability': [0.1, 0.5], 'documents': [5, 10]},
        replicates=2,
        seed=0,
        steps=50,
        workers=1,
    )
    table.to_csv("sweep.csv", index=False)
    names = ['swap_probability', 'documents']
    print(table.groupby(["metric", *names]).value.agg(["mean", "sem"]))
