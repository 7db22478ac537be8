"""What a race is: its setup, how it stands at a step, and the charts that can be drawn of it."""
