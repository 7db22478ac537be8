"""Learners that name the class of an example, told the class or only whether they were right."""
