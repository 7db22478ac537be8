"""The gallery of demos, and what the papers print."""
