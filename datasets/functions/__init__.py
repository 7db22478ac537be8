"""Functions of Python libraries as texts: their docstrings, an index over them, and search among them."""
