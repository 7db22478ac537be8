"""The sweep page."""
