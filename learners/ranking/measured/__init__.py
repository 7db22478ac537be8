"""What is measured of rankings and weights, with the truth at hand."""
