"""The simulation loop and the record of a run."""
