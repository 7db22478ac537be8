"""The world of the classification learners: the truth behind the data, and what is measured of a run."""
