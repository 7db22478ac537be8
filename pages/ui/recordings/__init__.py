"""Runs as documents: files that the app, a page without a network, a notebook and other programs write and play."""
