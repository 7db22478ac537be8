"""The page of a lab, and what belongs to it."""
