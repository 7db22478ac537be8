"""The step inspectors, one module a family."""
