"""Data sets that come with scikit-learn."""
