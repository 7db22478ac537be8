"""The records and functions of compiled rules for one step of a search."""
