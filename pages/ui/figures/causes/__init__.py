"""The causes for which statements come out otherwise than printed: which were tried, and what each run decided."""
