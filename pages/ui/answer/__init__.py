"""A person in place of the simulated user: what is shown to judge, what the person answers, and the run so far."""
