"""Right or wrong, and sets of labels: [B], [G], and chapters 5 and 6 of [V]."""
