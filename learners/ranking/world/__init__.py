"""The world of the ranking learners: the truth behind the data, and what is measured of a run."""
