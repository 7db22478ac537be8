"""Sets of labels chosen under partial feedback: the lab, its inspector and scene."""
