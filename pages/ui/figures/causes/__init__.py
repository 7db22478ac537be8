"""Why statements come out otherwise than printed: which causes were tried, and what each run decided."""
