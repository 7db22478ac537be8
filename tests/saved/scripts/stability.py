"""A run of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there.

The same in the browser: http://localhost:8501/stability
"""

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.interleaving import Comparison

dataset = load('toy-ranking', documents=10, initial_weights=(1.0, -1.0))
learners = {
    'Preference perceptron, swap': create('preference-perceptron', feedback='swap'),
    'Perturbed perceptron (3PR), p = 0.5': create('perturbed-perceptron', swap_probability=0.5, dynamic=False, delta=0.0),
    'Perturbed perceptron (3PR), dynamic': create('perturbed-perceptron', swap_probability=0.5, dynamic=True, delta=0.0),
}

for name, learner in learners.items():
    user = create_user('cascade', noise=0.2, relevant_from=1)
    simulation = Simulation(learner, dataset, user, replicates=3, seed=1)
    simulation.advance(steps=120)
    print(name)
    for metric, values in simulation.history.items():
        print(f"  {metric:26} {values[-1].mean():.6g}")
    # simulation.history.frame().to_csv(f"{name}.csv", index=False)
