"""The step inspectors."""
