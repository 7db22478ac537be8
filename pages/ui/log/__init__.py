"""The log of the runs that a browser has finished."""
