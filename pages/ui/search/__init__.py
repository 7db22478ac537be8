"""The page on which a person searches, and learners learn from the person's clicks."""
