"""A run of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there.

The same in the browser: http://localhost:8501/semi_supervised
"""

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.interleaving import Comparison

dataset = load('moons', labelled=0.05, training=0.5, classes=2, noise=0.1, examples=150, data_seed=0)
learners = {
    'MCSSB': create('mcssb', similarity='gaussian', width=0.15, C=10000.0, depth=2, train='sample'),
    'ASSEMBLE': create('assemble', depth=2, variant='corrected', beta=0.1, first='tree'),
    'Single tree': create('single-tree', depth=2),
}

for name, learner in learners.items():
    user = None
    simulation = Simulation(learner, dataset, user, replicates=2, seed=0)
    simulation.advance(steps=5)
    print(name)
    for metric, values in simulation.history.items():
        print(f"  {metric:26} {values[-1].mean():.6g}")
    # simulation.history.frame().to_csv(f"{name}.csv", index=False)
