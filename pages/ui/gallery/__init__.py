"""The gallery of demos, and the statements of the papers."""
