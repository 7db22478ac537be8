"""Simulated users of rankings, one a file; a file added here is found by itself."""
