"""The page of the kept runs."""
