"""The figures and tables of the papers, redrawn from results that a command makes."""
