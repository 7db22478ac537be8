"""The searches of simulated users in a block of steps: queries, documents, users, and what a page watches of them."""
