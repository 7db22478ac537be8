"""What compiled rules see and call in one step of a search."""
