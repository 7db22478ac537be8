"""Ranking refinement: chapter 4 of [V]."""
