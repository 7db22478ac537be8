"""Public data sets that are downloaded on request."""
