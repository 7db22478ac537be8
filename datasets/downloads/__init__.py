"""Public data sets that are fetched on request."""
