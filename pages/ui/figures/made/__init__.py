"""Functions that make the curves of figures which no simulation gives."""
