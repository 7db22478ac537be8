"""The charts of each family's lab."""
