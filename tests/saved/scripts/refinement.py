"""A run of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there.

The same in the browser: http://localhost:8501/refinement
"""

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.interleaving import Comparison

dataset = load('web-search', queries=10, documents=30, features=4, relevance='linear', relevance_noise=0.5, spectrum='isotropic', lengths='equal', precision='double', data_seed=0)
learners = {
    'Ranking refinement, product': create('ranking-refinement', combine='product', gamma=1.0, eta=0.5, confidence=1.0, depth=1),
    'Rocchio': create('rocchio', alpha=1.0, beta=1.0, least=1.0),
}

for name, learner in learners.items():
    user = create_user('judge', judged=20, base='best', query=0, noise=0.0)
    simulation = Simulation(learner, dataset, user, replicates=2, seed=0)
    simulation.advance(steps=5)
    print(name)
    for metric, values in simulation.history.items():
        print(f"  {metric:26} {values[-1].mean():.6g}")
    # simulation.history.frame().to_csv(f"{name}.csv", index=False)
