"""Runs that are computed in the background and played back in the browser."""
