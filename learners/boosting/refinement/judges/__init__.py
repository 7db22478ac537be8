"""People who judge the first documents of a base ranker, for ranking refinement."""
