"""What a run asks of the server: seconds of one core, and memory (see `learners.run.cost`)."""

from learners.run.cost import Cost

__all__ = ["Cost"]
