"""Functions that make the curves of panels which no simulation gives, one file for each part of the papers."""
