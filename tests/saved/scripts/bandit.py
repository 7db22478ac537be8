"""A run of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there.

The same in the browser: http://localhost:8501/bandit
"""

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.interleaving import Comparison

dataset = load('digits', labelled=0.05, training=0.2, unit_length=True)
learners = {
    'Perceptron (told the truth)': create('perceptron'),
    'Banditron, γ = 0.05': create('banditron', gamma=0.05),
    'Adaptive Banditron, ag3': create('adaptive-banditron', strategy='ag3', exponent=0.1),
    'Exponentiated gradient, γ = 0.25': create('exponentiated-gradient', gamma=0.25, scale=1e-05, horizon=0),
}

for name, learner in learners.items():
    user = None
    simulation = Simulation(learner, dataset, user, replicates=2, seed=0)
    simulation.advance(steps=150)
    print(name)
    for metric, values in simulation.history.items():
        print(f"  {metric:26} {values[-1].mean():.6g}")
    # simulation.history.frame().to_csv(f"{name}.csv", index=False)
