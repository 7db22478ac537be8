"""The catalogue of all algorithms and data sets."""
