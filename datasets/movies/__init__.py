"""Movie ratings, synthetic and from MovieLens."""
