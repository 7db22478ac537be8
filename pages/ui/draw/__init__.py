"""Figures from arrays."""
