"""The page of the lower bound: a game against the adversary, computed in the background as the runs of labs are."""
