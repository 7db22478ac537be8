"""Answers "Is the difference real?" on pages: further seeds are run, and what their tests say is told in words."""
