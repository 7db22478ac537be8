"""A run of Feedback Lab. Save it in the folder that holds learners/ and datasets/, and run it there.

The same in the browser: http://localhost:8501/learning_to_rank
"""

from datasets import load
from learners import Simulation, create, create_user
from learners.base import Shape
from learners.interleaving import Comparison

dataset = load('web-search', queries=30, documents=8, features=5, relevance='linear', relevance_noise=0.5, spectrum='isotropic', lengths='equal', precision='double', data_seed=0)
learners = {
    'NDCG_Boost': create('ndcg-boost'),
    'AdaRank, features': create('adarank', weak='features'),
    'Linear regression': create('linear-regression-ranking'),
}

for name, learner in learners.items():
    user = None
    simulation = Simulation(learner, dataset, user, replicates=2, seed=0)
    simulation.advance(steps=5)
    print(name)
    for metric, values in simulation.history.items():
        print(f"  {metric:26} {values[-1].mean():.6g}")
    # simulation.history.frame().to_csv(f"{name}.csv", index=False)
