"""The simulation and the history of a run."""
