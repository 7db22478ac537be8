"""The functions that make curves which no simulation gives."""
