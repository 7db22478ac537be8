"""The measurements of rankings and weights, with the truth at hand."""
