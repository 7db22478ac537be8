"""Ranking data in files: LETOR, SVMlight, LightGBM."""
