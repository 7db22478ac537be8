"""A race of learners: its setup, how it stands at a step, its charts, and its inspectors."""
