"""The declarations of the figures, paper by paper; each module has its FIGURES."""
