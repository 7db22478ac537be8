"""A run of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there.

The same in the browser: http://localhost:8501/multilabel
"""

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.interleaving import Comparison

dataset = load('multilabel-synthetic', labels=6, features=5, density=0.1, model='square', examples=100, data_seed=0)
learners = {
    'Upper confidence (multilabel), width = 0.3': create('multilabel-ucb', a=0.5, costs='decreasing', size=10, loss='square', range=2.0, matrices='full', confidence='practical', width=0.3, norm=3.0, delta=0.1),
    'Binary relevance (told all)': create('online-binary-relevance', a=0.5, costs='decreasing', size=10, loss='square', range=2.0, matrices='full'),
}

for name, learner in learners.items():
    user = None
    simulation = Simulation(learner, dataset, user, replicates=2, seed=0)
    simulation.advance(steps=60)
    print(name)
    for metric, values in simulation.history.items():
        print(f"  {metric:26} {values[-1].mean():.6g}")
    # simulation.history.frame().to_csv(f"{name}.csv", index=False)
