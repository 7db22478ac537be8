"""The gallery of demos."""
