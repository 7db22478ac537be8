"""A sweep of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there."""

import datasets
from learners import create, create_user, sweep

setup = {
    "learner": create('banditron', gamma=0.05),
    "dataset": datasets.create('synsep', labelled=0.05, training=0.2, examples=400, data_seed=0),
}

if __name__ == "__main__":  # worker processes read this file too
    table = sweep(
        setup,
        over={'gamma': [0.05, 0.275, 0.5]},
        replicates=2,
        seed=0,
        steps=100,
        workers=1,
    )
    table.to_csv("sweep.csv", index=False)
    names = ['gamma']
    print(table.groupby(["metric", *names]).value.agg(["mean", "sem"]))
