"""Kept runs: what a lab or a sweep keeps in the browser, to be found again, compared and taken away."""
