"""Data sets made by a generator."""
