"""Learning algorithms, simulated users, metrics, simulations and sweeps.

>>> from learners import Simulation, create
>>> learner = create("perturbed-perceptron", swap_probability=0.25)
>>> sim = Simulation(learner, dataset="toy-ranking", user="cascade", replicates=5, seed=0)
>>> sim.advance(steps=50)
>>> sim.history.frame().columns.tolist()
['step', 'replicate', 'metric', 'value']
"""

from learners.catalogue import catalogue, create, create_user
from learners.check import check_learner
from learners.run.simulation import Simulation
from learners.sweep import sweep

__all__ = ["Simulation", "catalogue", "check_learner", "create", "create_user", "sweep"]
