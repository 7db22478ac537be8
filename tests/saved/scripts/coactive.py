"""A run of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there.

The same in the browser: http://localhost:8501/coactive
"""

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.interleaving import Comparison

dataset = load('web-search', queries=50, documents=10, features=5, relevance='linear', relevance_noise=0.5, spectrum='isotropic', lengths='equal', precision='double', data_seed=0)
learners = {
    'Exponentiated perceptron, top, fixed': create('exponentiated-perceptron', feedback='top', rate='fixed', horizon=2000),
    'Convex perceptron, top': create('convex-perceptron', feedback='top', radius=100.0),
    'Second-order perceptron, top, γ = 1': create('second-order-perceptron', feedback='top', gamma=1.0, epsilon=10.0, radius=100.0),
    'Batch perceptron, top, k = 10': create('batch-perceptron', feedback='top', k=10),
}

for name, learner in learners.items():
    user = create_user('strict-alpha', alpha=0.5)
    simulation = Simulation(learner, dataset, user, replicates=2, seed=2)
    simulation.advance(steps=80)
    print(name)
    for metric, values in simulation.history.items():
        print(f"  {metric:26} {values[-1].mean():.6g}")
    # simulation.history.frame().to_csv(f"{name}.csv", index=False)
