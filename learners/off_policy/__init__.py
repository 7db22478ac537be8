"""Learning and estimating from a log of clicks on one fixed list, with what its logging policy showed at random."""
