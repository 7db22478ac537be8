"""Recordings of runs of the library and of other programs, and how they show themselves in a notebook."""
