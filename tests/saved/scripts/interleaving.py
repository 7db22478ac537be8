"""A run of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there.

The same in the browser: http://localhost:8501/interleaving
"""

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.interleaving import Comparison

dataset = load('web-search', queries=60, documents=12, features=6, relevance='linear', relevance_noise=0.5, spectrum='isotropic', lengths='equal', precision='double', data_seed=0)
learners = {
    'Perturbed perceptron (3PR), p = 0.5': create('perturbed-perceptron', swap_probability=0.5, dynamic=False, delta=0.0),
}

for name, learner in learners.items():
    user = create_user('scan', noise=0.2, relevant_from=1)
    simulation = Comparison(learner, dataset, user, replicates=2, seed=3, method='team-draft', sample=5)
    simulation.advance(steps=60)
    print(name)
    for metric, values in simulation.history.items():
        print(f"  {metric:26} {values[-1].mean():.6g}")
    # simulation.history.frame().to_csv(f"{name}.csv", index=False)
